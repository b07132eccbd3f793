import type { PlannedRequest } from "../../bulk/planned.ts";
import type { ReadingOptions } from "../../bulk/run-settings.ts";
import { toJson } from "../../json/print.ts";
import { count, plural } from "../../text/numbers.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { exitCode } from "../exit-codes.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { type DryRequest, dryLook, dryWrite, printRequest, tellDryRun } from "../writes/dry-run.ts";
import type { CheckedInput } from "./check-input.ts";

/** Prints the first requests that would be made and the last, and how many there are; makes none. */
export async function printDryRun(
  invocation: Invocation,
  baseUrl: string,
  { kind }: ReadingOptions,
  { survey, firstOnes }: CheckedInput,
): Promise<number> {
  const { out, globals } = invocation;
  const { rows, requests, sum, last } = survey;
  const first = firstOnes.map((request) => drawn(baseUrl, request));
  const ending = last === null || requests <= first.length ? null : drawn(baseUrl, last);
  if (speaksJson(globals)) {
    const indent = globals.format === "json" ? 2 : undefined;
    const facts = { kind, rows, requests, ...(sum === null ? {} : { sum }) };
    await out.line(toJson({ ...facts, first, last: ending }, indent));
    return exitCode.done;
  }
  tellDryRun(invocation);
  for (const request of first) await printDrawn(invocation, request);
  if (ending !== null) {
    const between = requests - first.length - 1;
    if (between > 0) await out.line(`… ${plural(between, "more request")} …\n`);
    await printDrawn(invocation, ending);
  }
  const as = requests === rows ? "" : ` as ${plural(requests, "request")}`;
  const amounts = sum === null ? "" : `; the amounts add up to ${sum}`;
  await out.line(`It would send ${count(rows)} ${rows === 1 ? "row" : "rows"}${as}${amounts}.`);
  return exitCode.done;
}

async function printDrawn(invocation: Invocation, request: DryRequest): Promise<void> {
  await printRequest(invocation, request);
  await invocation.out.line("");
}

function drawn(baseUrl: string, { write, target }: PlannedRequest): DryRequest {
  if (write === null) return dryLook(baseUrl, target);
  return dryWrite(baseUrl, { ...write, path: kindOf(write.operation).path });
}
