/**
 * Prints the dry run of `bulk run`: the first and last requests, and the rows that would be held
 * back.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Checked } from "../../bulk/check.ts";
import {
  type HeldBack,
  HeldBackCounter,
  heldBackLines,
  sameIdsWords,
  withoutHeldBack,
} from "../../bulk/held-back.ts";
import type { PlannedRequest } from "../../bulk/input/planner.ts";
import { toJson } from "../../json/print.ts";
import { count, plural } from "../../text/numbers.ts";
import { journalFile } from "../../writes/journal/journal-file.ts";
import { openJournalToRead } from "../../writes/journal/open-journal.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { type DryRequest, dryWrite, printDryRunNotice, printRequest } from "../writes/dry-run.ts";
import { journalOptions } from "../writes/journal-options.ts";

/**
 * Runs work with the duplicate guard. The guard is null if there is no journal yet, and for an
 * embedded sandbox, which has no earlier entries. Rejects with a journal error.
 */
export async function withDuplicateGuard<T>(
  invocation: Invocation,
  { profile, service }: Target,
  work: (guard: HeldBackCounter | null) => Promise<T>,
): Promise<T> {
  const folder = invocation.folders.stateDir;
  if (profile.baseUrl === null || !existsSync(join(folder, journalFile))) return work(null);
  const { journal } = await openJournalToRead(journalOptions(invocation, folder));
  try {
    return await work(new HeldBackCounter(journal, service.baseUrl));
  } finally {
    await journal.close();
  }
}

/** Maximum number of requests printed before the last one. */
const maxFirst = 3;

/**
 * Prints the first requests and the last request of a run, and the number of rows. Sends nothing.
 * With `isAgain` (`--again`), the rows that the duplicate guard holds back would be sent, too.
 */
export async function printDryRun(
  invocation: Invocation,
  baseUrl: string,
  checked: Checked,
  isAgain: boolean,
): Promise<number> {
  const { out, globals } = invocation;
  const { rows, requests, sum, last, heldBack: held } = checked;
  const { kind } = checked.reading;
  const first = checked.first.slice(0, maxFirst).map((request) => drawn(baseUrl, request));
  const ending = last === null || requests <= first.length ? null : drawn(baseUrl, last);
  const sameIds = sameIdsWords(held);
  if (sameIds !== null) invocation.warn(sameIds);
  if (printsJson(globals)) {
    const indent = globals.format === "json" ? 2 : undefined;
    const facts = { kind, rows, requests, ...(sum === null ? {} : { sum }) };
    await out.line(toJson({ ...facts, held_back: heldJson(held), first, last: ending }, indent));
    return exitCode.done;
  }
  printDryRunNotice(invocation);
  for (const request of first) await printDrawn(invocation, request);
  if (ending !== null) {
    const between = requests - first.length - 1;
    if (between > 0) await out.line(`… ${plural(between, "more request")} …\n`);
    await printDrawn(invocation, ending);
  }
  const goes = isAgain ? checked : withoutHeldBack(checked, held);
  const as = goes.requests === goes.rows ? "" : ` as ${plural(goes.requests, "request")}`;
  const amounts = goes.sum === null ? "" : `; the amounts add up to ${goes.sum}`;
  await out.line(`It would send ${plural(goes.rows, "row")}${as}${amounts}.`);
  for (const line of heldBackWords(held, isAgain)) await out.line(line);
  return exitCode.done;
}

/**
 * Returns lines with the number of rows that the duplicate guard holds back, and the first of them.
 * Returns no line if there are none.
 */
export function heldBackWords(held: HeldBack, isAgain: boolean): readonly string[] {
  if (held.rows === 0) return [];
  const back = isAgain
    ? `${count(held.rows)} of them would be held back without --again --reason TEXT.`
    : `${plural(held.rows, "row")} would be held back; --again --reason TEXT sends ${held.rows === 1 ? "it" : "them"} as well.`;
  return [back, ...heldBackLines(held)];
}

/**
 * Returns the held-back rows as JSON: their number, and the first rows with their earlier entries.
 */
function heldJson({ rows, first }: HeldBack) {
  return {
    rows,
    first: first.map(({ line, earlier, words }) => ({
      line,
      ...(earlier.isRemoved ? {} : { journal_id: earlier.journalId }),
      message: words,
    })),
  };
}

async function printDrawn(invocation: Invocation, request: DryRequest): Promise<void> {
  await printRequest(invocation, request);
  await invocation.out.line("");
}

function drawn(baseUrl: string, { write }: PlannedRequest): DryRequest {
  return dryWrite(baseUrl, { ...write, path: kindOf(write.operation).path });
}
