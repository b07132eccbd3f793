import { type AccountFacts, noFacts } from "./account-facts.ts";
import { type FilterQuery, parseFilter } from "./filter.ts";
import { answerable, asksForFacts } from "./filter-facts.ts";

/** The filter of one list: what is asked for, and what of it can be answered now. */
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

  /** What rows are chosen by; while something is being read, that of the text before. */
  get query(): FilterQuery {
    return this.#applied;
  }

  /** What of the text has no effect, and why. */
  get problem(): string | null {
    return this.#problem;
  }

  /** What must be read before rows can be chosen by the text, in words; null when nothing must. */
  get reading(): string | null {
    return this.#reading;
  }

  /** Takes another text; true when rows are chosen by other words now. */
  ask(text: string): boolean {
    this.#text = text;
    this.#asked = parseFilter(text, this.#now());
    return this.#settle();
  }

  /** Takes other facts; true when rows have to be chosen again. */
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
