import { type Block, shownTimesOf } from "./block.ts";
import { fieldStart, isAscii, isPendingRow, type RowColumns, TextColumn } from "./columns.ts";
import { asciiAlphabet, find, type Needle, needleOf, spellable } from "./filter-needle.ts";
import type { FilterQuery } from "./filter-query.ts";
import { scanShown, scanStates, scanWire } from "./filter-scan.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Tells for one row after another whether it matches a filter. */
export class RowMatcher {
  readonly #needles: readonly Needle[];
  readonly #shown: ((createdAtMs: number) => string) | null;
  #columns: RowColumns | null = null;
  #block: Block | null = null;
  #ascii = false;

  /** `shown` writes a creation time as the screen does; without it only the wire's text counts. */
  constructor(query: FilterQuery, shown?: (createdAtMs: number) => string) {
    this.#needles = query.words.map(needleOf);
    this.#shown = shown ?? null;
  }

  /** Turns to other rows. A full block lets whole words be ruled out at once. */
  enter(columns: RowColumns, block: Block | null = null): void {
    this.#columns = columns;
    this.#block = block?.full ? block : null;
    this.#ascii = this.#block?.ascii ?? false;
    for (const needle of this.#needles) {
      const { alphabet } = this.#block ?? {};
      needle.notOnWire = this.#ascii && alphabet ? !spellable(needle, alphabet) : false;
      const { shown } = this.#block ?? {};
      needle.notShown = shown
        ? asciiAlphabet(shown.alphabet) && !spellable(needle, shown.alphabet)
        : false;
    }
  }

  /**
   * All rows of the block entered at once: 1 for each that matches. Null where only row by row is
   * right, because a text may be more than ASCII.
   */
  matchBlock(): Uint8Array | null {
    const block = this.#block;
    if (block === null || !this.#ascii) return null;
    const all = new Uint8Array(block.rows).fill(1);
    for (const needle of this.#needles) {
      const hits = new Uint8Array(block.rows);
      const { column, negated } = needle.word;
      if (needle.inPending || needle.inImported) scanStates(needle, block, hits);
      if (!needle.notOnWire) scanWire(needle, block, hits);
      const inTimes = column === "any" || column === "created";
      if (this.#shown && inTimes && !needle.notShown) {
        const shown = shownTimesOf(block, this.#shown);
        if (!asciiAlphabet(shown.alphabet)) return null;
        if (spellable(needle, shown.alphabet)) scanShown(needle, shown, hits);
      }
      // Without a branch: which row matches cannot be foretold, and a wrong guess costs more.
      const turned = negated ? 1 : 0;
      for (let row = 0; row < hits.length; row++) {
        all[row] = (all[row] as number) & ((hits[row] as number) ^ turned);
      }
    }
    return all;
  }

  matches(index: number): boolean {
    for (const needle of this.#needles) {
      if (this.#found(needle, index) === needle.word.negated) return false;
    }
    return true;
  }

  #found(needle: Needle, index: number): boolean {
    const columns = this.#columns as RowColumns;
    const { column } = needle.word;
    if (needle.inPending || needle.inImported) {
      if (isPendingRow(columns, index) ? needle.inPending : needle.inImported) return true;
    }
    if (!needle.notOnWire && this.#onWire(needle, columns, index)) return true;
    if (this.#shown === null || needle.notShown) return false;
    return (column === "any" || column === "created") && this.#inShown(needle, columns, index);
  }

  #onWire(needle: Needle, columns: RowColumns, index: number): boolean {
    const { column } = needle.word;
    const first = column === "any" ? TextColumn.external : TextColumn[column];
    const last = column === "any" ? TextColumn.created : first;
    const from = fieldStart(columns, index, first);
    const to = columns.ends[index * 3 + last] as number;
    if (this.#ascii || isAscii(columns.text, from, to)) {
      if (needle.lower === null) return false;
      if (!needle.word.fuzzy && first !== last) return this.#plainAnywhere(needle, columns, index);
      for (let field = first; field <= last; field++) {
        const start = fieldStart(columns, index, field);
        const end = columns.ends[index * 3 + field] as number;
        if (find(needle, columns.text, start, end) >= 0) return true;
      }
      return false;
    }
    for (let field = first; field <= last; field++) {
      const start = fieldStart(columns, index, field);
      const end = columns.ends[index * 3 + field] as number;
      if (needle.pattern.test(decoder.decode(columns.text.subarray(start, end)))) return true;
    }
    return false;
  }

  /** One pass over the three texts of a row; a match must not reach from one into the next. */
  #plainAnywhere(needle: Needle, columns: RowColumns, index: number): boolean {
    const at = index * 3;
    const externalEnd = columns.ends[at] as number;
    const serviceEnd = columns.ends[at + 1] as number;
    const createdEnd = columns.ends[at + 2] as number;
    const length = (needle.lower as Uint8Array).length;
    let from = fieldStart(columns, index, 0);
    for (;;) {
      const found = find(needle, columns.text, from, createdEnd);
      if (found < 0) return false;
      const fieldEnd =
        found < externalEnd ? externalEnd : found < serviceEnd ? serviceEnd : createdEnd;
      if (found + length <= fieldEnd) return true;
      from = found + 1;
    }
  }

  #inShown(needle: Needle, columns: RowColumns, index: number): boolean {
    const shown = this.#shown as (createdAtMs: number) => string;
    const time = columns.createdAt[index] as number;
    if (Number.isNaN(time)) return false;
    if (this.#block === null) return needle.pattern.test(shown(time));
    const kept = shownTimesOf(this.#block, shown);
    const from = index === 0 ? 0 : (kept.ends[index - 1] as number);
    const to = kept.ends[index] as number;
    if (isAscii(kept.text, from, to)) return find(needle, kept.text, from, to) >= 0;
    return needle.pattern.test(decoder.decode(kept.text.subarray(from, to)));
  }
}
