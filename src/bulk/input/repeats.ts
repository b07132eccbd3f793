import type { JsonObject } from "../../json/value.ts";
import { operationOf } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { accountOf } from "../../writes/kinds/results.ts";
import type { BulkKind } from "../kinds.ts";
import { SeenRows } from "./seen-rows.ts";

/** Finds rows that repeat an earlier one. */
export class Repeats {
  readonly #seen = new SeenRows();
  readonly #sameRow: ReturnType<typeof sameRowOf>;
  readonly #query: Readonly<Record<string, string>>;

  constructor(kind: BulkKind, query: Readonly<Record<string, string>>) {
    this.#sameRow = sameRowOf(kind);
    this.#query = query;
  }

  /** The warning for a valid row that repeats an earlier one; null for any other. */
  warningFor(row: JsonObject, line: number): string | null {
    const { key, words } = this.#sameRow;
    const first = this.#seen.firstLine(JSON.stringify(key(row)), line);
    return first === null ? null : words(first, this.#query);
  }
}

function sameRowOf(kind: BulkKind) {
  if (kind !== "status") return kindOf(operationOf(kind)).sameRow;
  return { key: accountOf, words: (line: number) => `The same account as line ${line}.` };
}
