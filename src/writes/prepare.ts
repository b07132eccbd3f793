import { createHash } from "node:crypto";
import { equalNotes } from "../forms/notes.ts";
import { canonicalJson } from "../json/print.ts";
import { isRecord } from "../json/value.ts";
import { type BodyFacts, bodyFacts } from "./body-facts.ts";
import { type Operation, operations } from "./operations.ts";
import { WriteError } from "./write-error.ts";

/** A write as it was composed: the body's exact bytes, which are never made again. */
export interface WriteRequest {
  readonly operation: Operation;
  /** Query parameters (only transactions have any, INTERFACE 4.2). */
  readonly query?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A write that can be journalled and sent. */
export interface PreparedWrite {
  readonly operation: Operation;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Of the bytes, as hexadecimal. */
  readonly sha256: string;
  /** Of what the bytes say: the same for bodies that differ in spaces or in the order of fields. */
  readonly form: string;
  readonly facts: BodyFacts;
  /** Whether the service itself keeps a resend from landing twice (the condition in the table). */
  readonly deduplicated: boolean;
}

/**
 * Reads a write and checks what the write path itself depends on. Fields are the forms' business.
 * Throws WriteError `invalid`.
 */
export function prepareWrite({ operation, query = {}, body }: WriteRequest): PreparedWrite {
  const facts = bodyFacts(operation, body);
  const [equal] = operation === "notes create" ? equalNotes(facts.items) : [];
  // Of two equal notes the service would keep one, and no answer could show which was which.
  if (equal !== undefined) {
    throw new WriteError("invalid", `Note ${Number(equal.path[0]) + 1}: ${equal.message}`);
  }
  return {
    operation,
    path: operations[operation].path,
    query,
    body,
    sha256: createHash("sha256").update(body).digest("hex"),
    form: createHash("sha256")
      .update(JSON.stringify([operation, query]))
      .update(canonicalJson(facts.payload))
      .digest("hex"),
    facts,
    deduplicated: isDeduplicated(operation, query, facts),
  };
}

/** Whether the service itself keeps a resend of such a request from landing twice. */
export function isDeduplicated(
  operation: Operation,
  query: Readonly<Record<string, string>>,
  { items }: Pick<BodyFacts, "items">,
): boolean {
  switch (operation) {
    case "notes create":
      return items.every(
        (note) => isRecord(note) && typeof note.body === "string" && note.body !== "",
      );
    case "transactions create":
      // True by default (INTERFACE 4.2); whatever is not plainly true counts as off.
      return (
        (query.check_previously_added ?? "true").toLowerCase() === "true" &&
        // The service knows a transaction again by its id.
        items.every(
          (one) =>
            isRecord(one) && typeof one.transaction_id === "string" && one.transaction_id !== "",
        )
      );
    default:
      return false;
  }
}
