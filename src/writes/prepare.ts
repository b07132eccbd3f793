/** Checks a composed write, and reads the facts that sending needs from its bytes. */
import { createHash, hash } from "node:crypto";
import { AppError } from "../errors/app-error.ts";
import { equalRowMessage } from "../forms/rules.ts";
import { isRecord, parseExact } from "../json/exact.ts";
import { capital } from "../text/connection-words.ts";
import { type ItemKey, itemKeys } from "./item-keys.ts";
import type { BodyFacts, Operation, Query, Target } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";

/** A composed write with the exact bytes of its body. The bytes are created only once. */
export interface WriteRequest {
  readonly operation: Operation;
  /** The query parameters. Default: none. Only transactions have any (INTERFACE 4.2). */
  readonly query?: Query;
  readonly body: Uint8Array;
}

export interface PreparedWrite {
  readonly operation: Operation;
  readonly path: string;
  readonly query: Query;
  readonly body: Uint8Array;
  /** SHA-256 of the bytes, as hexadecimal. */
  readonly sha256: string;
  readonly keys: readonly ItemKey[];
  readonly facts: BodyFacts;
  /** True if the service prevents a resend's effect (the condition in the retry table). */
  readonly deduplicated: boolean;
}

/**
 * Reads a write and checks the parts that sending depends on. Refuses two equal items. The forms
 * check the fields. Throws a write error `invalid`.
 */
export function prepareWrite({ operation, query = {}, body }: WriteRequest): PreparedWrite {
  const kind = kindOf(operation);
  const facts = bodyFacts(operation, body);
  const keys = itemKeys(operation, facts);
  refuseEqualItems(operation, keys);
  return {
    operation,
    path: kind.path,
    query,
    body,
    sha256: createHash("sha256").update(body).digest("hex"),
    keys,
    facts,
    deduplicated: kind.isDeduplicated(query, facts.items),
  };
}

/**
 * Returns a hash of the exact request: its operation, query and bytes. An approval names a request by
 * it. `sha256` is that of the body.
 */
export function contentHash({
  operation,
  query,
  sha256,
}: Pick<PreparedWrite, "operation" | "query" | "sha256">): string {
  const sorted = Object.entries(query).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return hash("sha256", JSON.stringify([operation, sorted, sha256]), "base64url");
}

/** A request with its place in an input. */
interface Linked {
  /** The lines of its rows in the input, or none for a single write. */
  readonly lines: readonly number[];
  readonly write: WriteRequest;
  readonly target: Target;
}

/**
 * Returns a hash of all requests so far. It is equal only for the same requests in the same order.
 * The first follows an empty text.
 */
export function nextLink(chain: string, { lines, write, target }: Linked): string {
  return createHash("sha256")
    .update(`${chain} ${lines.join(",")} ${JSON.stringify(target)}`)
    .update(JSON.stringify(write.query ?? {}))
    .update(write.body)
    .digest("base64");
}

/** Throws a write error `invalid` if two items are equal. */
function refuseEqualItems(operation: Operation, keys: readonly ItemKey[]): void {
  const first = new Map<string, number>();
  for (const [position, { content }] of keys.entries()) {
    const earlier = first.get(content);
    first.set(content, earlier ?? position);
    if (earlier === undefined) continue;
    const { item } = kindOf(operation);
    const [row, other] = [position, earlier].map((at) => `${capital(item)} ${at + 1}`);
    throw new AppError("write", "invalid", `${row}: ${equalRowMessage(item, other ?? "")}`);
  }
}

/** Reads the facts of a body. Throws a write error `invalid` if it is none of this operation. */
export function bodyFacts(operation: Operation, body: Uint8Array): BodyFacts {
  let value: unknown;
  try {
    value = parseExact(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError("write", "invalid", `The body is not JSON: ${String(cause)}`);
  }
  if (!isRecord(value)) throw new AppError("write", "invalid", "The body must be a JSON object.");
  return kindOf(operation).readBody(value);
}

/**
 * Splits a write into requests of one item each, in order, so that the service responds to every
 * item separately. Numbers are not rounded. Throws a write error `invalid`.
 */
export function splitWrite(request: WriteRequest): readonly WriteRequest[] {
  const { itemsField } = kindOf(request.operation);
  const { facts } = prepareWrite(request);
  if (itemsField === null || facts.items.length === 1) return [request];
  return facts.items.map((item) => {
    const body = JSON.stringify({ ...facts.payload, [itemsField]: [item] });
    return { ...request, body: new TextEncoder().encode(body) };
  });
}
