/** Finds the rows of a run that the duplicate guard would hold back, and overrides their findings. */
import { setImmediate } from "node:timers/promises";
import { text, whole } from "../sqlite/rows.ts";
import { queryOf, targetOf } from "../writes/journal/entry.ts";
import {
  addRunOverride,
  adoptRunOverride,
  notPassed,
  type Override,
  readPasses,
  removeRunOverride,
} from "../writes/journal/override.ts";
import { isOperation } from "../writes/kinds/kinds.ts";
import { teamBarOf } from "../writes/resend.ts";
import type { WriteContext } from "../writes/send/events.ts";
import { type HeldBack, HeldBackCounter } from "./held-back.ts";

/**
 * SQL for the entries of a run that a resume would send and that have an item of another entry, in
 * the order of the input. The guard reads bodies, so the others are left out by their keys.
 */
const toSend = `SELECT * FROM intent WHERE run = ? AND run IS NOT NULL
    AND state IN ('intent', 'unsent', 'retryable') AND doubt = 'none' AND (line, id) > (?, ?)
    AND (EXISTS (SELECT 1 FROM item_key k JOIN item_key other ON other.key = k.key
        AND other.service = k.service AND other.intent <> k.intent WHERE k.intent = intent.id)
      OR EXISTS (SELECT 1 FROM team_bar WHERE team_bar.intent = intent.id))
  ORDER BY line, id LIMIT ?`;

/** Number of entries that are read or changed at a time, so that other work can run in between. */
const pageSize = 200;

async function* pagesToSend({ journal }: Pick<WriteContext, "journal">, run: string) {
  for (let after = { line: -1, id: -1 }; ; ) {
    const page = journal.read((rows) => rows.all(toSend, run, after.line, after.id, pageSize));
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = { line: whole(last, "line"), id: whole(last, "id") };
    await setImmediate();
  }
}

/**
 * Counts the rows of a run that a resume would hold back. Findings that a stored override passes
 * hold nothing back. Rejects with a journal error.
 */
export async function heldBackInRun(
  context: Pick<WriteContext, "journal" | "service">,
  run: string,
): Promise<HeldBack> {
  const { journal, service } = context;
  const counter = new HeldBackCounter(journal, service.baseUrl);
  const linesOf = "SELECT line FROM run_row WHERE intent = ? ORDER BY position";
  for await (const page of pagesToSend(context, run)) {
    for (const row of page) {
      const [id, operation] = [whole(row, "id"), text(row, "operation")];
      const { body } = row;
      if (!(body instanceof Uint8Array) || !isOperation(operation)) continue;
      const { lines, passes, theirs } = journal.read((rows) => ({
        lines: rows.all(linesOf, id).map((one) => whole(one, "line")),
        passes: readPasses(rows, id),
        theirs: teamBarOf(rows, id),
      }));
      const write = { operation, query: queryOf(row) ?? {}, body };
      const planned = { write, lines, target: targetOf(row) };
      const held = counter.add(planned, { except: id, passes });
      if (theirs === null) continue;
      const findings = notPassed(theirs.findings, passes);
      if (findings.length > 0)
        counter.addForTeam(planned, { ...theirs, findings }, held.length === 0);
    }
  }
  return counter.result();
}

/**
 * Stores an override with the rows of a run that it names, before they are sent. The rows that are
 * not recorded yet get it when they are. Rejects with a journal error.
 */
export async function overrideRows(
  context: Pick<WriteContext, "journal" | "clock">,
  run: string,
  override: Override,
): Promise<void> {
  const { journal, clock } = context;
  const at = clock.now();
  const isRecorded = await journal.commit((rows) => {
    const recording = "SELECT 1 FROM run WHERE id = ? AND state IN ('recording', 'void')";
    const isComplete = rows.get(recording, run) === undefined;
    // A command that was killed here can have left findings that this reason was not typed for.
    if (isComplete) removeRunOverride(rows, run);
    addRunOverride(rows, run, override, at);
    return isComplete;
  });
  for await (const page of pagesToSend(context, run))
    await journal.commit((rows) => {
      for (const row of page) adoptRunOverride(rows, run, whole(row, "id"));
    });
  if (isRecorded) await journal.commit((rows) => removeRunOverride(rows, run));
}
