import { toJson } from "../../text/json.ts";
import { parseExact } from "../../writes/exact-json.ts";
import { exitCode } from "../exit-codes.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";

export interface DryRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Prints the request that would be made, and makes none. */
export async function printRequest(
  invocation: Invocation,
  baseUrl: string,
  { path, query, body }: DryRequest,
): Promise<number> {
  const { out, globals } = invocation;
  const words = new URLSearchParams(query).toString();
  const url = `${baseUrl}${path}${words === "" ? "" : `?${words}`}`;
  const sent = new TextDecoder().decode(body);
  if (speaksJson(globals)) {
    const indent = globals.format === "json" ? 2 : undefined;
    await out.line(toJson({ method: "POST", url, body: parseExact(sent) }, indent));
    return exitCode.done;
  }
  invocation.notice("Dry run: nothing was sent and nothing recorded.");
  await out.line(`POST ${url}`);
  await out.line("Content-Type: application/json");
  await out.line("");
  // The body is written without spaces; what a terminal should not get stands in it escaped.
  await out.line(toJson(parseExact(sent)));
  return exitCode.done;
}
