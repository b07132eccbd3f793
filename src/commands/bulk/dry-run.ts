import { apiUrl } from "../../api/url.ts";
import type { ReadingOptions } from "../../bulk/input/reading.ts";
import type { PlannedRequest } from "../../bulk/planned.ts";
import { toJson } from "../../text/json.ts";
import { count, plural } from "../../text/numbers.ts";
import { parseExact } from "../../writes/exact-json.ts";
import { operations } from "../../writes/operations.ts";
import { exitCode } from "../exit-codes.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import type { CheckedInput } from "./check-input.ts";

/** A request as it would leave. */
interface Drawn {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body: unknown;
}

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
  invocation.notice("Dry run: nothing was sent and nothing recorded.");
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

async function printDrawn({ out }: Invocation, { method, url, body }: Drawn): Promise<void> {
  await out.line(`${method} ${url}`);
  if (body !== undefined) await out.line(`Content-Type: application/json\n\n${toJson(body)}`);
  await out.line("");
}

function drawn(baseUrl: string, { write, target }: PlannedRequest): Drawn {
  if (write === null) {
    const number = target.kind === "account" ? target.externalAccountNumber : "";
    const path = "v1/data-import/account-transfer-status";
    return {
      method: "GET",
      url: apiUrl(baseUrl, path, [target.importSupplier, number]),
      body: undefined,
    };
  }
  const query = new URLSearchParams(write.query ?? {}).toString();
  const url = `${baseUrl}${operations[write.operation].path}${query === "" ? "" : `?${query}`}`;
  return { method: "POST", url, body: parseExact(new TextDecoder().decode(write.body)) };
}
