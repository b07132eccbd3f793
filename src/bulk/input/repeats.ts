import { isJsonObject, type JsonObject, memberOf, memberText } from "../../json/value.ts";
import type { BulkKind } from "../kinds.ts";
import { SeenRows } from "./seen-rows.ts";

/** What makes two rows duplicates for the service, and the consequence. */
interface Sameness {
  readonly key: (row: JsonObject) => readonly unknown[];
  readonly message: (line: number) => string;
}

const account = (row: JsonObject) => [row.import_supplier, row.external_account_number];

/** Finds rows that repeat an earlier one. */
export class Repeats {
  readonly #seen = new SeenRows();
  readonly #sameness: Sameness;

  constructor(kind: BulkKind, query: Readonly<Record<string, string>>) {
    this.#sameness = samenessOf(kind, query);
  }

  /** The warning for a valid row that repeats an earlier one; null for any other. */
  warningFor(row: JsonObject, line: number): string | null {
    const first = this.#seen.firstLine(JSON.stringify(this.#sameness.key(row)), line);
    return first === null ? null : this.#sameness.message(first);
  }
}

function samenessOf(kind: BulkKind, query: Readonly<Record<string, string>>): Sameness {
  switch (kind) {
    case "notes":
      return {
        key: (row) => {
          const body = memberText(row, "body");
          return body === undefined ? [row] : [...account(row), body, memberOf(row, "created_at")];
        },
        message: (line) => `The same note as line ${line}: the service keeps one of them.`,
      };
    case "transactions":
      return {
        key: (row) => [...account(row), row.transaction_id],
        message: (line) =>
          query.check_previously_added === "false"
            ? `The same account and transaction_id as line ${line}: both would be added, because nothing checks for duplicates.`
            : `The same account and transaction_id as line ${line}: the service treats it as the same transaction and skips it.`,
      };
    case "statements":
      return {
        key: (row) => [...account(row), row.statement_id],
        message: (line) => `The same account and statement_id as line ${line}.`,
      };
    case "payment-instructions":
      return {
        key: (row) => [...account(row), row.vendor, row.reference, row.type],
        message: (line) =>
          `The same payment instruction as line ${line}: it is sent again only with --again.`,
      };
    case "supply-points":
      return {
        key: (row) => [row.import_supplier, identifierOf(row)],
        message: (line) =>
          `The same supply point as line ${line}: the service refuses a second import.`,
      };
    case "status":
      return { key: account, message: (line) => `The same account as line ${line}.` };
  }
}

function identifierOf({ supply_point }: JsonObject): unknown {
  return isJsonObject(supply_point) ? supply_point.identifier : undefined;
}
