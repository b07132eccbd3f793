/** Matches the rows of a source with the list of the service while the list arrives. */
import { fieldEnd, isPendingRow, longer, TextColumn } from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import type { Sliced } from "../../accounts/slices.ts";
import { NumberIndex, NumberList, numberStart } from "../account-numbers.ts";
import type { Source } from "../source/source.ts";
import { trimmedEnd, trimmedStart } from "../source/source.ts";
import { code, type RowClass, type RowCounts, rowClasses } from "./classes.ts";
import { FactList } from "./listed-facts.ts";

const rowsPerStep = 4096;

const importedCode = code.imported;
const pendingCode = code.pending;
const absentCode = code.absent;
const extraCode = code.extra;

/**
 * A source with the class of each row, updated while the list arrives. A row needs one byte and one
 * number. Numbers are equal if their bytes are equal, without surrounding white space.
 */
export class Matching {
  readonly source: Source;
  readonly facts = new FactList();
  readonly extras = new NumberList();
  /**
   * The index of the source, or null after the list is complete, because it is large and no longer
   * needed.
   */
  #index: NumberIndex | null;
  /** The class code of each row. A row is `absent` until the list shows it. */
  readonly #classes: Uint8Array;
  /** For each row: the first row of a duplicate, the facts of a listed row, or -1. */
  readonly #links: Int32Array;
  #extraLinks = new Int32Array(256);
  readonly #counts = new Uint32Array(rowClasses.length);
  readonly #storesExtraFacts: boolean;
  /** The next row of the source, if the list has the same order. */
  #next = 0;
  #buffers = newBuffers(4096);

  /**
   * If `storesExtraFacts` is true, stores also the facts of accounts that are not in the source.
   */
  constructor(source: Source, storesExtraFacts: boolean) {
    this.source = source;
    this.#storesExtraFacts = storesExtraFacts;
    this.#index = new NumberIndex(source, { expected: source.rows });
    this.#classes = new Uint8Array(source.rows).fill(code.absent);
    this.#links = new Int32Array(source.rows).fill(-1);
    this.#counts[code.absent] = source.rows;
  }

  get counts(): RowCounts {
    const counts = rowClasses.map((name) => [name, this.#counts[code[name]] ?? 0]);
    return Object.fromEntries(counts) as RowCounts;
  }

  classOf(row: number): RowClass {
    return rowClasses[this.#classes[row] as number] as RowClass;
  }

  get codes(): Uint8Array {
    return this.#classes;
  }

  /** Returns the first row of a duplicate, the facts of a listed row, or -1. */
  linkOf(row: number): number {
    return this.#links[row] as number;
  }

  readFactsAhead(from: number, to: number): void {
    this.facts.readAhead(this.#links.subarray(from, to));
  }

  /** Returns the facts of an extra row, or -1. */
  extraLinkOf(extra: number): number {
    return this.#extraLinks[extra] as number;
  }

  /** Indexes the source, and finds malformed and repeated rows. Must run before the first batch. */
  *indexing(): Sliced<void> {
    const { ends, rows } = this.source;
    let before = 0;
    for (let row = 0; row < rows; row++) {
      const end = ends[row] as number;
      if (end === before) {
        this.reclassify(row, "malformed");
      } else {
        const first = this.#index?.add(row) ?? -1;
        if (first !== -1) {
          this.reclassify(row, "duplicate");
          this.#links[row] = first;
        }
      }
      before = end;
      if (row % rowsPerStep === 0) yield;
    }
  }

  take(batch: AccountBatch): void {
    const { text, count } = batch;
    if (count > this.#buffers.rows.length) this.#buffers = newBuffers(count);
    const { from, to, rows, hashes } = this.#buffers;
    for (let at = 0, start = 0; at < count; at++) {
      const end = fieldEnd(batch, at, TextColumn.external);
      from[at] = trimmedStart(text, start, end);
      to[at] = trimmedEnd(text, from[at] as number, end);
      start = fieldEnd(batch, at, TextColumn.created);
    }
    if (!this.#followsSource(text, count))
      this.#index?.findMany(text, this.#buffers, count, hashes);
    this.#next = (rows[count - 1] as number) + 1;
    for (let at = 0; at < count; at++) {
      const row = rows[at] as number;
      if (row !== -1) this.#match(row, batch, at);
      else this.#addExtra(batch, at, from[at] as number, to[at] as number);
    }
  }

  /**
   * Finds the rows of a batch if they have the order of the source. Returns false if they do not.
   */
  #followsSource(text: Uint8Array, count: number): boolean {
    const { from, to, rows } = this.#buffers;
    const { ends, text: sourceText } = this.source;
    let row = this.#next;
    let start = numberStart(ends, row);
    for (let at = 0; at < count; at++, row++) {
      // A repeated number has an earlier row, which only the index finds.
      if (row >= ends.length || this.#classes[row] !== absentCode) return false;
      const end = ends[row] as number;
      const first = from[at] as number;
      let length = end - start === (to[at] as number) - first ? end - start : -1;
      while (length > 0 && sourceText[start + length - 1] === text[first + length - 1]) length--;
      if (length !== 0) return false;
      rows[at] = row;
      start = end;
    }
    return true;
  }

  endList(): void {
    this.#index = null;
  }

  reclassify(row: number, to: RowClass): void {
    this.#setCode(row, code[to]);
  }

  #setCode(row: number, to: number): void {
    const before = this.#classes[row] as number;
    this.#counts[before] = (this.#counts[before] as number) - 1;
    this.#counts[to] = (this.#counts[to] as number) + 1;
    this.#classes[row] = to;
  }

  #match(row: number, batch: AccountBatch, at: number): void {
    const isImported = !isPendingRow(batch, at);
    const before = this.#classes[row];
    // If a number is listed twice, the imported row is used.
    if (before === importedCode || (before === pendingCode && !isImported)) return;
    this.#setCode(row, isImported ? importedCode : pendingCode);
    this.#links[row] = this.facts.add(batch, at);
  }

  #addExtra(batch: AccountBatch, at: number, from: number, to: number): void {
    const extra = this.extras.add(batch.text, from, to);
    this.#counts[extraCode] = extra + 1;
    if (!this.#storesExtraFacts) return;
    if (extra === this.#extraLinks.length) this.#extraLinks = longer(this.#extraLinks, extra * 2);
    this.#extraLinks[extra] = this.facts.add(batch, at);
  }
}

function newBuffers(count: number) {
  return {
    from: new Uint32Array(count),
    to: new Uint32Array(count),
    rows: new Int32Array(count),
    hashes: new Int32Array(count),
  };
}
