/** Prints the requests of a dry run without sending them. */

import { apiUrl, readPaths } from "../../api/url.ts";
import { parseExact, toJson } from "../../json/exact.ts";
import type { Target } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { type ExitCode, exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";

export interface DryRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** The body with exact numbers, or undefined without one. */
  readonly body?: unknown;
}

/** Returns the request of a write. The numbers in its body are spelled as in the input. */
export function dryWrite(
  baseUrl: string,
  write: {
    readonly path: string;
    readonly query?: Readonly<Record<string, string>> | undefined;
    readonly body: Uint8Array;
  },
): DryRequest {
  const query = new URLSearchParams(write.query ?? {}).toString();
  return {
    method: "POST",
    url: `${baseUrl}${write.path}${query === "" ? "" : `?${query}`}`,
    body: parseExact(new TextDecoder().decode(write.body)),
  };
}

/** Returns the request for the status of an account or a supply point (INTERFACE 4.8, 4.7). */
export function statusRequest(baseUrl: string, target: Target): DryRequest {
  const { importSupplier } = target;
  const path =
    target.kind === "account"
      ? readPaths.accountStatus(importSupplier, target.externalAccountNumber)
      : readPaths.supplyPointStatus(importSupplier, target.externalIdentifier);
  return { method: "GET", url: apiUrl(baseUrl, path) };
}

export function warnBeforehand(
  invocation: Invocation,
  { operation, query }: Pick<PreparedWrite, "operation" | "query">,
): void {
  const words = kindOf(operation).beforehand?.(query) ?? null;
  if (words !== null) {
    invocation.warn(`${words} With --no-force-add-to-current-statement, the service rejects it.`);
  }
}

/** Prints the requests that a real run would send. In JSON, a single request is not in an array. */
export async function printRequests(
  invocation: Invocation,
  requests: readonly DryRequest[],
): Promise<ExitCode> {
  const { out, globals } = invocation;
  if (globals.format === "jsonl") {
    for (const request of requests) await out.line(toJson(request));
  } else if (printsJson(globals)) {
    await out.line(toJson(requests.length === 1 ? requests[0] : requests, 2));
  } else {
    printDryRunNotice(invocation);
    for (const [index, request] of requests.entries()) {
      if (index > 0) await out.line("");
      await printRequest(invocation, request);
    }
  }
  return exitCode.done;
}

export function printDryRunNotice(invocation: Invocation): void {
  invocation.notice("Dry run: nothing was sent and nothing recorded.");
}

export async function printRequest(
  { out }: Invocation,
  { method, url, body }: DryRequest,
): Promise<void> {
  await out.line(`${method} ${url}`);
  if (body === undefined) return;
  // `toJson` escapes control characters, which the terminal would execute.
  await out.line(`Content-Type: application/json\n\n${toJson(body)}`);
}
