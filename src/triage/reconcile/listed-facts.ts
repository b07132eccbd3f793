import { type AccountBatch, AccountFlag } from "../../accounts/ingest/batch.ts";
import { NumberList } from "../number-index.ts";

/** What the list has of an account besides its number. */
export interface ListedFacts {
  readonly service: string | null;
  /** As the service wrote it; null where it is not known. */
  readonly created: string | null;
}

const nothing: ListedFacts = { service: null, created: null };

/** Service account numbers and creation times of listed accounts, end to end. */
export class FactList {
  /** Two texts per account. */
  readonly #texts = new NumberList();

  /** Stores the facts of a row of the list; -1 where the list says nothing. */
  add({ text, ends, flags }: AccountBatch, at: number): number {
    const externalEnd = ends[at * 3] as number;
    const serviceEnd = ends[at * 3 + 1] as number;
    const createdEnd = ends[at * 3 + 2] as number;
    if (createdEnd === externalEnd) return -1;
    const isNull = ((flags[at] as number) & AccountFlag.serviceNull) !== 0;
    const row = this.#texts.add(text, externalEnd, isNull ? externalEnd : serviceEnd);
    this.#texts.add(text, serviceEnd, createdEnd);
    return row;
  }

  /** Where the facts stored as `row` stand in {@link text}: two texts, one behind the other. */
  place(row: number, into: { service: number; created: number; end: number }): void {
    const { ends } = this.#texts;
    into.service = row <= 0 ? 0 : (ends[row - 1] as number);
    into.created = row < 0 ? 0 : (ends[row] as number);
    into.end = row < 0 ? 0 : (ends[row + 1] as number);
  }

  get text(): Uint8Array {
    return this.#texts.text;
  }

  /** The facts stored as `row`; -1 is nothing. */
  of(row: number): ListedFacts {
    if (row < 0) return nothing;
    return { service: this.#text(row), created: this.#text(row + 1) };
  }

  #text(row: number): string | null {
    const text = this.#texts.textAt(row);
    return text === "" ? null : text;
  }
}
