/** Stores the filter of one account list, and decides which of its words can be applied now. */
import { type AccountFacts, answerable, asksForFacts, noFacts } from "./filter-facts.ts";
import { type FilterQuery, parseFilter } from "./filter-query.ts";

/**
 * The filter of one account list: the words that the user typed, and the words that can be applied
 * now.
 */
export class ListFilter {
  readonly #now: () => number;
  #text = "";
  #asked: FilterQuery = { words: [], problem: null };
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

  /** The cohort to which the filter limits the list, or null if there is none. */
  get cohort(): string | null {
    const named = this.#applied.words.find(({ kind, negated }) => kind === "cohort" && !negated);
    return named?.kind === "cohort" ? named.name : null;
  }

  /** Sets another text. Returns true if the applied words change. */
  ask(text: string): boolean {
    this.#text = text;
    this.#asked = parseFilter(text, this.#now());
    return this.#settle();
  }

  /** Sets other facts. Returns true if the rows must be filtered again. */
  learn(facts: AccountFacts): boolean {
    this.#facts = facts;
    const isOther = this.#settle();
    return isOther || asksForFacts(this.#applied);
  }

  #settle(): boolean {
    const { query, reading } = answerable(this.#asked, this.#facts);
    this.#problem = query.problem;
    this.#reading = reading;
    if (reading !== null) return false;
    const isOther = JSON.stringify(query.words) !== JSON.stringify(this.#applied.words);
    this.#applied = query;
    return isOther;
  }
}
