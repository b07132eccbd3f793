/** Compares a file with a request for an approval: if its rows become exactly the bytes of the request. */
import { createHash } from "node:crypto";
import { formOf } from "../forms/forms.ts";
import { validateJson } from "../forms/parse-json.ts";
import { bytesOf } from "../json/exact.ts";
import { isOperation } from "../writes/kinds/kinds.ts";
import { contentHash, nextLink, type WriteRequest } from "../writes/prepare.ts";
import type { Approval, ApprovalRow } from "../writes/team/approvals.ts";
import { readRequests } from "./input/read-planned.ts";
import { readingFrom } from "./run-settings.ts";

/** The comparison of a file with a request. */
export interface SourceComparison {
  /** Number of rows of the request that have the same bytes in the file. */
  readonly equal: number;
  /** The rows of the request that the file has not, or with other bytes. */
  readonly different: readonly ApprovalRow[];
  /** Number of requests that the file has and the request has not. */
  readonly extra: number;
  /** True if the file has exactly these requests in this order, so that both chains are equal. */
  readonly isWhole: boolean;
}

/** The requests of a file by the line on which each begins, and the hash over all of them. */
interface FileContents {
  readonly byLine: ReadonlyMap<number | null, string>;
  readonly chain: string;
}

/**
 * Compares the rows of a request with the bytes of a file. Throws a RangeError for a request whose
 * texts cannot be used.
 */
export async function compareSource(
  request: Pick<Approval, "operation" | "run" | "reading" | "chain">,
  rows: AsyncIterable<readonly ApprovalRow[]>,
  bytes: Uint8Array,
): Promise<SourceComparison> {
  let file: FileContents | null = null;
  const different: ApprovalRow[] = [];
  /** The entries of the request, each with the result of its first row. */
  const entries = new Map<number, boolean>();
  let equal = 0;
  for await (const page of rows)
    for (const row of page) {
      file ??= await readFile(request, row, bytes);
      const known = entries.get(row.localId);
      const isEqual = known ?? file.byLine.get(row.line) === row.content;
      entries.set(row.localId, isEqual);
      if (isEqual) equal += 1;
      else different.push(row);
    }
  const matched = [...entries.values()].filter(Boolean).length;
  const all = file?.byLine.size ?? 0;
  const isWhole = different.length === 0 && file?.chain === request.chain;
  return { equal, different, extra: Math.max(0, all - matched), isWhole };
}

/** Reads the file as its kind of request was read. `row` is the first row of the request. */
async function readFile(
  { operation, run, reading }: Pick<Approval, "operation" | "run" | "reading">,
  row: ApprovalRow,
  bytes: Uint8Array,
): Promise<FileContents> {
  if (!isOperation(operation)) throw new RangeError("The request is of an unknown operation.");
  const byLine = new Map<number | null, string>();
  if (run === null) {
    const query = reading ?? {};
    const bodies = [bytes, composedBody(operation, row, query, bytes)];
    const hashes = bodies.map((body) => hashOf({ operation, query, body }));
    byLine.set(row.line, hashes.find((hash) => hash === row.content) ?? "");
    const at = hashes.indexOf(row.content);
    const target = { kind: "account", importSupplier: row.importSupplier } as const;
    const write = { operation, query, body: bodies[Math.max(0, at)] ?? bytes };
    const account = { ...target, externalAccountNumber: row.externalAccountNumber ?? "" };
    return { byLine, chain: nextLink("", { lines: [], write, target: account }) };
  }
  let chain = "";
  for await (const request of readRequests(once(bytes), readingFrom(reading ?? {}))) {
    chain = nextLink(chain, request);
    byLine.set(request.lines[0] ?? null, hashOf(request.write));
  }
  return { byLine, chain };
}

/** Returns the body that a command makes of the file of a single write, or the file if it makes none. */
function composedBody(
  operation: WriteRequest["operation"],
  { importSupplier, externalAccountNumber }: ApprovalRow,
  query: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): Uint8Array {
  const addressee = { importSupplier, externalAccountNumber: externalAccountNumber ?? "" };
  const checks = { query, allowMissing: true };
  const read = validateJson(formOf(operation), bytes, addressee, checks);
  return read.ok ? bytesOf(read.body) : bytes;
}

function hashOf({ operation, query = {}, body }: WriteRequest): string {
  return contentHash({ operation, query, sha256: createHash("sha256").update(body).digest("hex") });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}
