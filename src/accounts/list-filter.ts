/** Stores the filter of one account list, and selects the words that can be applied now. */
import { type AccountFacts, applicableFilter, noFacts, usesFacts } from "./filter-facts.ts";
import { type FilterQuery, parseFilter } from "./filter-query.ts";

/**
 * The filter of one account list: the words that the user typed, and the words that can be applied
 * now.
 */
export class ListFilter {
  readonly #now: () => number;
  #text = "";
  #requested: FilterQuery = { words: [], problem: null };
  #applied: FilterQuery = { words: [], problem: null };
  #problem: string | null = null;
  #reading: string | null = null;
  #facts: AccountFacts = noFacts;

  constructor(now: () => number) {
    this.#now = now;
  }

  get text(): string {
    return this.#text;
  }

  get facts(): AccountFacts {
    return this.#facts;
  }

  /**
   * The query that is applied to the rows. While facts are being read, it is the query of an
   * earlier text.
   */
  get query(): FilterQuery {
    return this.#applied;
  }

  /** The reason why part of the text has no effect, or null if there is none. */
  get problem(): string | null {
    return this.#problem;
  }

  /**
   * The name of the data that is read before the text can be applied, or null if all data is known.
   */
  get reading(): string | null {
    return this.#reading;
  }

  get cohort(): string | null {
    const word = this.#applied.words.find(({ kind, negated }) => kind === "cohort" && !negated);
    return word?.kind === "cohort" ? word.name : null;
  }

  /** Replaces the text. Returns true if the applied words change. */
  setText(text: string): boolean {
    this.#text = text;
    this.#requested = parseFilter(text, this.#now());
    return this.#apply();
  }

  /** Replaces the facts. Returns true if the rows must be filtered again. */
  setFacts(facts: AccountFacts): boolean {
    this.#facts = facts;
    const isChanged = this.#apply();
    return isChanged || usesFacts(this.#applied);
  }

  #apply(): boolean {
    const { query, reading } = applicableFilter(this.#requested, this.#facts);
    this.#problem = query.problem;
    this.#reading = reading;
    if (reading !== null) return false;
    const isChanged = JSON.stringify(query.words) !== JSON.stringify(this.#applied.words);
    this.#applied = query;
    return isChanged;
  }
}
