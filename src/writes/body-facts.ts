import { parseExact } from "../json/parse.ts";
import { isJsonNumber, isRecord } from "../json/value.ts";
import { type Operation, operations } from "./operations.ts";
import { WriteError } from "./write-error.ts";

/** Whom a write is about. */
export type Target =
  | {
      readonly kind: "account";
      readonly importSupplier: string;
      readonly externalAccountNumber: string;
    }
  | {
      readonly kind: "supply-point";
      readonly importSupplier: string;
      readonly externalIdentifier: string;
    };

/** What the write path must know of a body; read from the bytes, so that a resend knows the same. */
export interface BodyFacts {
  readonly target: Target;
  /** The items as parsed with exact numbers; one for operations that take one. */
  readonly items: readonly unknown[];
  /** A name for each item, to tell them apart in the journal. */
  readonly labels: readonly string[];
  /** The whole body, parsed with exact numbers. */
  readonly payload: Readonly<Record<string, unknown>>;
}

const longestLabel = 120;

/** Reads the facts of a body. Throws WriteError `invalid` for what is no body of this operation. */
export function bodyFacts(operation: Operation, body: Uint8Array): BodyFacts {
  const payload = parsed(body);
  if (operation === "supply-points create") {
    const inner = isRecord(payload.payload) ? payload.payload : {};
    const supplyPoint = isRecord(inner.supply_point) ? inner.supply_point : {};
    const importSupplier = requiredText(inner.import_supplier, "payload.import_supplier");
    const externalIdentifier = requiredText(
      supplyPoint.identifier,
      "payload.supply_point.identifier",
    );
    const target: Target = { kind: "supply-point", importSupplier, externalIdentifier };
    return { target, items: [inner], labels: [label(externalIdentifier)], payload };
  }
  const target: Target = {
    kind: "account",
    importSupplier: requiredText(payload.import_supplier, "import_supplier"),
    externalAccountNumber: requiredText(payload.external_account_number, "external_account_number"),
  };
  const { itemsField } = operations[operation];
  const items = itemsField === null ? [payload] : payload[itemsField];
  if (!Array.isArray(items) || items.length === 0) {
    throw new WriteError("invalid", `${itemsField} must be an array with at least one item.`);
  }
  return { target, items, labels: items.map((item) => label(nameOf(operation, item))), payload };
}

/** The amounts of a request's transactions (INTERFACE 2 "Transaction"), digit for digit. */
export function amountsOf(body: Uint8Array): readonly string[] {
  const { transactions } = parsed(body);
  return (Array.isArray(transactions) ? transactions : []).flatMap((item: unknown) =>
    isRecord(item) && isJsonNumber(item.amount) ? [item.amount.rawJSON] : [],
  );
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseExact(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new WriteError("invalid", `The body is not JSON: ${String(cause)}`);
  }
  if (!isRecord(value)) throw new WriteError("invalid", "The body must be a JSON object.");
  return value;
}

function requiredText(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new WriteError("invalid", `${field} must be a text that is not empty.`);
}

function nameOf(operation: Operation, item: unknown): unknown {
  if (!isRecord(item)) return undefined;
  switch (operation) {
    case "notes create":
      return item.body ?? "(documents only)";
    case "transactions create":
      return item.transaction_id;
    case "statements create":
      return item.statement_id;
    default:
      return `${String(item.vendor)}/${String(item.reference)}`;
  }
}

function label(name: unknown): string {
  const text = typeof name === "string" ? name : "";
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
}
