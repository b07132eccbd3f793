/**
 * Makes one write for a command: checks, confirms, records and sends it, and prints its outcome.
 */

import { askGuard, type Bar, barOf, sameIdsOf } from "../../writes/guard.ts";
import type { Writes } from "../../writes/open-writes.ts";
import { type PreparedWrite, prepareWrite, type WriteRequest } from "../../writes/prepare.ts";
import { submit } from "../../writes/submit.ts";
import { describeRequests } from "../../writes/words/contents.ts";
import { barredError, describeEarlierEntry, sameIdWords } from "../../writes/words/guard.ts";
import type { Invocation } from "../invocation.ts";
import { withTarget } from "../target.ts";
import { confirmWrite, refuseReadOnly } from "./confirm-write.ts";
import { dryWrite, printRequests, warnBeforehand } from "./dry-run.ts";
import type { Explain } from "./field-errors.ts";
import { printOutcome } from "./outcome.ts";
import { sendingOf } from "./progress.ts";
import { describeWrite, idOf, subjectOf } from "./subject.ts";
import { warnAboutUnknown, withWrites } from "./with-writes.ts";
import { againOf, type WriteOptions } from "./write-options.ts";

interface Write {
  readonly request: WriteRequest;
  /** Reports a rejection at the places of the fields. */
  readonly explain: Explain;
  readonly options: WriteOptions;
}

/**
 * Makes one write: checks it, compares it with earlier entries, confirms, records and sends it, and
 * prints its outcome. Resolves with the exit code of that outcome. With `dryRun` it only prints the
 * request.
 */
export async function makeWrite(invocation: Invocation, write: Write): Promise<number> {
  const { settle, dryRun } = write.options;
  const again = againOf(write.options);
  const prepared = prepareWrite(write.request);
  const { operation, facts } = prepared;
  const doing = describeWrite(operation, facts.target, facts.items.length);
  return withTarget(invocation, async (target) => {
    const { service, profile } = target;
    warnBeforehand(invocation, prepared);
    if (dryRun === true) return printRequests(invocation, [dryWrite(service.baseUrl, prepared)]);
    refuseReadOnly(invocation, profile, doing);
    const context = target.context(doing, subjectOf(facts.target));
    return withWrites(invocation, target, async (writes) => {
      warnAboutUnknown(invocation, writes);
      const bar = askedGuard(invocation, writes, prepared);
      await confirmWrite(invocation, profile, {
        doing,
        what: describeRequests(prepared),
        operation,
        target: idOf(facts.target),
        rows: 1,
        sum: null,
        doubt: bar === null ? null : barredError(bar),
        again,
      });
      const result = await submit(writes.context, write.request, {
        ...sendingOf(invocation, settle),
        again: again ?? undefined,
      });
      return printOutcome(invocation, {
        query: prepared.query,
        result,
        facts,
        context,
        profile,
        explain: write.explain,
      });
    });
  });
}

/**
 * Asks the duplicate guard. Returns the bar that blocks the write, or null. Warns about an earlier
 * entry that does not block it, and about an ID that was used with other content.
 */
function askedGuard(
  invocation: Invocation,
  { context: { journal, service } }: Writes,
  write: PreparedWrite,
): Bar | null {
  const guarded = { baseUrl: service.baseUrl, write };
  const { finding, sameIds } = journal.read((rows) => ({
    finding: askGuard(rows, guarded, null),
    sameIds: sameIdWords(sameIdsOf(rows, guarded), write.facts.labels),
  }));
  if (finding.kind === "reported") invocation.warn(describeEarlierEntry(finding));
  if (sameIds !== null) invocation.warn(sameIds);
  return barOf(finding);
}
