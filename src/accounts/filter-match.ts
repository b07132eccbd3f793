/** Tests single account rows against a filter, without an index. */
import {
  fieldStart,
  isAscii,
  isGoneRow,
  isPendingRow,
  type RowColumns,
  TextColumn,
} from "./columns.ts";
import { type FilterKnowledge, factTest, listAlone } from "./filter-facts.ts";
import { containsAt, type Needle, needleOf } from "./filter-needle.ts";
import type { FilterQuery } from "./filter-query.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Tests single rows against a filter: rows of a block that is not full, and rows of a list that is
 * printed while it arrives.
 */
export class RowMatcher {
  readonly #needles: readonly Needle[];
  readonly #facts: readonly {
    readonly holds: ReturnType<typeof factTest>;
    readonly negated: boolean;
  }[];
  readonly #shown: ((createdAtMs: number) => string) | null;

  /**
   * `shown` formats a creation time for the screen. Without it, only the service's text is
   * searched. `knowledge` must have the facts that the words need.
   */
  constructor(
    { words }: FilterQuery,
    shown?: (createdAtMs: number) => string,
    knowledge: FilterKnowledge = listAlone(),
  ) {
    this.#needles = words.filter((word) => word.kind === "text").map(needleOf);
    this.#facts = words
      .filter((word) => word.kind !== "text")
      .map((word) => ({ holds: factTest(word, knowledge), negated: word.negated }));
    this.#shown = shown ?? null;
  }

  matches(columns: RowColumns, index: number): boolean {
    for (const needle of this.#needles) {
      if (this.#found(needle, columns, index) === needle.word.negated) return false;
    }
    for (const { holds, negated } of this.#facts) {
      if (holds(columns, index) === negated) return false;
    }
    return true;
  }

  #found(needle: Needle, columns: RowColumns, index: number): boolean {
    const { column } = needle.word;
    if (needle.inPending || needle.inImported || needle.inGone) {
      if (matchesState(needle, columns, index)) return true;
    }
    const first = column === "any" ? TextColumn.external : TextColumn[column];
    const last = column === "any" ? TextColumn.created : first;
    for (let field = first; field <= last; field++) {
      const start = fieldStart(columns, index, field);
      const end = columns.ends[index * 3 + field] as number;
      if (start < end && inField(needle, columns.text, start, end)) return true;
    }
    if (column !== "any" && column !== "created") return false;
    const time = columns.createdAt[index] as number;
    return this.#shown !== null && !Number.isNaN(time) && needle.pattern.test(this.#shown(time));
  }
}

function matchesState(needle: Needle, columns: RowColumns, index: number): boolean {
  if (isPendingRow(columns, index)) return needle.inPending;
  return isGoneRow(columns, index) ? needle.inGone : needle.inImported;
}

/** Returns true if the text in these bytes contains the needle. */
function inField(needle: Needle, text: Uint8Array, from: number, to: number): boolean {
  return isAscii(text, from, to)
    ? needle.bytes !== null && containsAt(needle.bytes, text, from, to)
    : needle.pattern.test(decoder.decode(text.subarray(from, to)));
}
