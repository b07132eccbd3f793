import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import { readRunRows } from "../../bulk/run-rows.ts";
import { toJson } from "../../json/print.ts";
import { plural } from "../../text/numbers.ts";
import { entryOf, type WriteContext } from "../../writes/submit.ts";
import { exitCode } from "../exit-codes.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { type DryRequest, dryLook, dryWrite, printRequest, tellDryRun } from "../writes/dry-run.ts";
import { shownPath } from "./results-file.ts";

/** Requests that are printed. */
const shown = 3;

/** Says what another turn of a run would be about and prints its first requests; makes none. */
export async function printDryResume(
  invocation: Invocation,
  writes: WriteContext,
  run: RunRecord,
): Promise<number> {
  const { out, globals } = invocation;
  const { waiting, sending, retryable, unknown } = run.counts;
  const toSend = waiting + retryable;
  const inDoubt = unknown + sending;
  const first = firstRequests(writes, run);
  if (speaksJson(globals)) {
    const rows = { to_send: toSend, in_doubt: inDoubt, recorded: !isUnsent(run) };
    const indent = globals.format === "json" ? 2 : undefined;
    await out.line(toJson({ run: run.id, kind: run.kind, rows, first }, indent));
    return exitCode.done;
  }
  tellDryRun(invocation);
  if (isUnsent(run)) {
    await out.line(
      `It would read ${shownPath(run.source)} again, record its rows and send them: nothing of it was sent.`,
    );
    return exitCode.done;
  }
  for (const request of first) {
    await printRequest(invocation, request);
    await out.line("");
  }
  const doubt =
    inDoubt === 0
      ? ""
      : ` ${plural(inDoubt, "row")} ${inDoubt === 1 ? "is" : "are"} in doubt: they are verified where that cannot apply them twice, and the others are left alone.`;
  await out.line(
    toSend === 0
      ? `Nothing is left to be sent.${doubt}`
      : `It would send ${plural(toSend, "row")}.${doubt}`,
  );
  return exitCode.done;
}

function firstRequests(writes: WriteContext, run: RunRecord): readonly DryRequest[] {
  if (isUnsent(run)) return [];
  const requests = new Map<number, DryRequest>();
  // Several rows may go in one request.
  let afterLine = -1;
  while (requests.size < shown) {
    const [row] = readRunRows(writes.journal, run.id, {
      outcomes: ["unsent", "retryable"],
      afterLine,
      limit: 1,
    });
    if (row === undefined) break;
    afterLine = row.line;
    const { journalId, importSupplier, externalAccountNumber } = row;
    if (journalId === null) {
      if (externalAccountNumber === null) continue;
      const target = { kind: "account", importSupplier, externalAccountNumber } as const;
      requests.set(-row.line, dryLook(run.baseUrl, target));
    } else if (!requests.has(journalId)) {
      const { baseUrl, path, query, body } = entryOf(writes, journalId);
      if (body !== null) requests.set(journalId, dryWrite(baseUrl, { path, query, body }));
    }
  }
  return [...requests.values()];
}
