/** Creates, lists and reads the bulk runs of the journal. */
import { randomInt } from "node:crypto";
import { serviceKey } from "../api/url.ts";
import { AppError } from "../errors/app-error.ts";
import { isFormKind } from "../forms/forms.ts";
import { isRecord } from "../json/exact.ts";
import { UnreadableRow } from "../sqlite/file-error.ts";
import {
  instant,
  maybeInstant,
  maybeText,
  maybeWhole,
  type Row,
  type Rows,
  text,
  whole,
} from "../sqlite/rows.ts";
import { isUnusableEntry, readEntry } from "../writes/journal/entry.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { addRunOverride, type Override } from "../writes/journal/override.ts";
import type { Operation } from "../writes/kinds/kind.ts";
import { kindOf, operationOf } from "../writes/kinds/kinds.ts";
import { refuseOlderJournal } from "../writes/older-journal.ts";
import { ownerFrom } from "../writes/owner.ts";
import { refuseTeam } from "../writes/refuse-team.ts";
import { isGone } from "../writes/send/account-lock.ts";
import type { WriteContext } from "../writes/send/events.ts";
import { verifyPlanOf } from "../writes/verify.ts";
import { rowOfRun } from "./run-owner.ts";
import type { OnCheckpoint, RowsLeftAlone, RunCounts, RunRecord, RunState } from "./run-record.ts";
import { killedReason, rowsLeft } from "./run-words.ts";

export type NewRun = Pick<
  RunRecord,
  "kind" | "source" | "sha256" | "results" | "reading" | "rows" | "requests"
>;

/** The characters of run IDs, without letters and digits that look alike. */
const idCharacters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Number of characters of a run ID, including the leading `r`. */
const idLength = 6;

/**
 * Creates a run in the journal and resolves with its ID. The override is stored with each row that
 * it names when the row is recorded. Rejects with a journal error, or with a
 * run error `in-use` if a process is running the same input.
 */
export async function createRun(
  context: WriteContext,
  run: NewRun,
  options: { readonly override?: Override | undefined; readonly atPoint?: OnCheckpoint } = {},
): Promise<string> {
  refuseTeam(context);
  refuseOlderJournal(context.journal);
  const { journal, service, profile, clock } = context;
  const id = await journal.commit((rows) => {
    const at = clock.now();
    refuseSameInput(rows, context, run);
    let id = newId();
    while (rows.get("SELECT 1 FROM run WHERE id = ?", id) !== undefined) id = newId();
    rows.insert("run", {
      id,
      kind: run.kind,
      profile,
      base_url: service.baseUrl,
      service: serviceKey(service.baseUrl),
      source: run.source,
      sha256: run.sha256,
      results: run.results,
      reading: JSON.stringify(run.reading),
      row_count: run.rows,
      request_count: run.requests,
      created_at: at,
      state: "recording",
      renewed_at: at,
    });
    if (options.override !== undefined) addRunOverride(rows, id, options.override, at);
    return id;
  });
  await options.atPoint?.("run-created");
  return id;
}

export async function moveResults(journal: Journal, run: string, results: string): Promise<void> {
  await journal.commit((rows) => rows.update("run", { results }, "id = ?", run));
}

/** Refuses a second run of an input while a process runs the first. Throws a run error `in-use`. */
function refuseSameInput(rows: Rows, context: WriteContext, { kind, sha256 }: NewRun): void {
  if (sha256 === "") return;
  const others = rows.all(
    `SELECT id, owner, renewed_at FROM run WHERE sha256 = ? AND kind = ? AND service = ?
       AND state IN ('recording', 'running') AND owner IS NOT NULL`,
    ...[sha256, kind, serviceKey(context.service.baseUrl)],
  );
  for (const other of others) {
    const pid = livingOwner(context, other);
    if (pid === null) continue;
    const words = `Process ${pid} is running run ${text(other, "id")} of the same input; nothing was sent.`;
    throw new AppError("run", "in-use", words);
  }
}

function newId(): string {
  const rest = Array.from(
    { length: idLength - 1 },
    () => idCharacters[randomInt(idCharacters.length)],
  );
  return `r${rest.join("")}`;
}

export type RunReading = Pick<WriteContext, "journal" | "process" | "clock">;

export interface RunFilter {
  /** The base URL of the service, for runs of any profile. */
  readonly baseUrl?: string | undefined;
  readonly notEnded?: boolean | undefined;
}

/** Returns the runs of the journal, newest first. Throws a journal error. */
export function listRuns(
  { journal, ...reading }: RunReading,
  { baseUrl, notEnded }: RunFilter = {},
): RunRecord[] {
  const service = baseUrl === undefined ? null : serviceKey(baseUrl);
  return journal.read((rows) =>
    rows
      .all(
        `SELECT * FROM run WHERE (?1 IS NULL OR service = ?1) AND (?2 = 0 OR state <> 'ended')
         ORDER BY created_at DESC, id`,
        service,
        notEnded === true ? 1 : 0,
      )
      .map((row) => recordOf(rows, row, { journal, ...reading })),
  );
}

/**
 * Returns the latest run of the same input of a service of which rows can have been sent, or null
 * if there is none. Throws a journal error.
 */
export function latestRunOf(
  context: RunReading,
  { kind, sha256, baseUrl }: Pick<RunRecord, "kind" | "sha256" | "baseUrl">,
): RunRecord | null {
  if (sha256 === "") return null;
  return context.journal.read((rows) => {
    const row = rows.get(
      `SELECT * FROM run WHERE sha256 = ? AND kind = ? AND service = ?
         AND state NOT IN ('recording', 'void') ORDER BY created_at DESC, id LIMIT 1`,
      ...[sha256, kind, serviceKey(baseUrl)],
    );
    return row === undefined ? null : recordOf(rows, row, context);
  });
}

/** Returns one run. Throws a run error `not-found`, or a journal error. */
export function readRun(context: RunReading, id: string): RunRecord {
  return context.journal.read((rows) => recordOf(rows, rowOfRun(rows, id), context));
}

function recordOf(rows: Rows, row: Row, context: RunReading): RunRecord {
  const id = text(row, "id");
  const kind = text(row, "kind");
  if (!isFormKind(kind)) throw new UnreadableRow("kind");
  const counts = countsOf(rows, id, whole(row, "row_count"));
  const process = livingOwner(context, row);
  const leftAlone = leftAloneOf(rows, id, operationOf(kind), counts);
  const { state, because } = stateOf(row, { counts, leftAlone }, process !== null);
  const renewedAt = instant(row, "renewed_at");
  return {
    id,
    kind,
    profile: text(row, "profile"),
    baseUrl: text(row, "base_url"),
    source: text(row, "source"),
    sha256: text(row, "sha256"),
    results: maybeText(row, "results"),
    reading: readingIn(row),
    createdAt: instant(row, "created_at"),
    changedAt: renewedAt,
    endedAt: maybeInstant(row, "ended_at") ?? (state === "ended" ? renewedAt : null),
    state,
    process: state === "running" || state === "recording" ? process : null,
    stoppedBecause: because,
    rows: whole(row, "row_count"),
    requests: whole(row, "request_count"),
    counts,
    leftAlone,
  };
}

export function readingIn(row: Row): Readonly<Record<string, string>> {
  try {
    const stored: unknown = JSON.parse(text(row, "reading"));
    return isRecord(stored) ? (stored as Record<string, string>) : {};
  } catch {
    // A damaged row has no settings, but the run is still readable.
    return {};
  }
}

/** Returns a run's state. It is ended if all rows are, even if its process recorded no end. */
function stateOf(
  row: Row,
  run: Pick<RunRecord, "counts" | "leftAlone">,
  isOwned: boolean,
): { readonly state: RunState; readonly because: string | null } {
  const stored = text(row, "state");
  const because = maybeText(row, "stopped_because");
  if (stored === "ended") return { state: "ended", because: null };
  if (stored === "stopped") {
    // Nothing is left to resume if the last rows were in flight when the run was stopped, or if the
    // rows that could not be sent were closed.
    const stoppedBy = maybeText(row, "stopped_by");
    return rowsLeft(run) === 0 && (stoppedBy === "stopped" || stoppedBy === "unsent")
      ? { state: "ended", because: null }
      : { state: "stopped", because };
  }
  if (stored === "recording" || stored === "void") {
    return { state: isOwned ? "recording" : "unrecorded", because };
  }
  if (isOwned) return { state: "running", because: null };
  return run.counts.waiting + run.counts.sending === run.leftAlone.heldBack
    ? { state: "ended", because: null }
    : { state: "stopped", because: killedReason };
}

/**
 * Returns the number of rows by state. If the run has more than the recorded rows, `all` is the
 * number of all rows, and the others count as waiting.
 */
export function countsOf(rows: Rows, id: string, all: number): RunCounts {
  const stored = new Map(
    rows
      .all("SELECT outcome, n FROM run_count WHERE run = ?", id)
      .map((row) => [text(row, "outcome"), whole(row, "n")]),
  );
  const count = (outcome: string) => stored.get(outcome) ?? 0;
  let recorded = 0;
  for (const n of stored.values()) recorded += n;
  return {
    waiting: count("waiting") + Math.max(0, all - recorded),
    sending: count("sending"),
    confirmed: count("confirmed"),
    exists: count("exists"),
    rejected: count("rejected"),
    retryable: count("retryable"),
    unknown: count("unknown"),
    closed: count("closed"),
  };
}

export function leftAloneOf(
  rows: Rows,
  run: string,
  operation: Operation,
  counts: RunCounts,
): RowsLeftAlone {
  const held = counts.waiting === 0 ? [] : rows.all(heldRows, run);
  const retryable = counts.retryable === 0 ? 0 : rows.number(retryableInDoubt, run);
  return {
    heldBack: held.reduce((sum, row) => sum + whole(row, "n"), 0),
    earlier: held.flatMap((row) => maybeWhole(row, "barred_by") ?? []),
    retryable,
    unknown: counts.unknown === 0 ? 0 : unverifiableRows(rows, run, operation, counts.unknown),
  };
}

const heldRows = `SELECT i.barred_by, count(*) AS n
  FROM intent i INDEXED BY intent_held JOIN run_row r ON r.intent = i.id
  WHERE i.run = ? AND i.run IS NOT NULL AND i.state = 'unsent' AND i.reason = 'sent-before'
  GROUP BY i.barred_by ORDER BY i.barred_by`;

const retryableInDoubt = `SELECT count(*) FROM run_row r INDEXED BY run_row_outcome
  JOIN intent i ON i.id = r.intent
  WHERE r.run = ? AND r.outcome = 'retryable' AND i.doubt <> 'none'`;

function unverifiableRows(rows: Rows, run: string, operation: Operation, all: number): number {
  const { readBack } = kindOf(operation);
  if (readBack.by === "look-up") return 0;
  if (readBack.by === "nothing") return all;
  const entries = rows.all(
    `SELECT intent, count(*) AS n FROM run_row INDEXED BY run_row_outcome
     WHERE run = ? AND outcome = 'unknown' AND intent IS NOT NULL GROUP BY intent`,
    run,
  );
  let unverifiable = 0;
  for (const row of entries)
    if (!isVerifiable(rows, whole(row, "intent"))) unverifiable += whole(row, "n");
  return unverifiable;
}

/** Returns true if an unknown entry can be verified. A damaged entry cannot. */
function isVerifiable(rows: Rows, id: number): boolean {
  try {
    const entry = readEntry(rows, id);
    // An item of an entry can be unknown although the entry is settled.
    return entry?.state === "unknown" && verifyPlanOf(rows, entry).kind !== "impossible";
  } catch (error) {
    if (isUnusableEntry(error)) return false;
    throw error;
  }
}

function livingOwner({ process, clock }: RunReading, row: Row): number | null {
  const owner = ownerFrom(text(row, "owner"));
  if (owner === null) return null;
  return isGone(process, owner, whole(row, "renewed_at"), clock.now()) ? null : owner.pid;
}
