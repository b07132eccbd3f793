import type { AccountFacts } from "../../accounts/filter-facts.ts";
import { errorLine } from "../../errors/error-words.ts";
import type { NumberSet } from "../number-set.ts";

type Answer = ReturnType<AccountFacts["cohort"]>;

/** Reads the cohorts that the filters of one supplier use, each one at its first use. */
export class CohortAnswers {
  readonly #read: (name: string) => Promise<NumberSet>;
  readonly #changed: () => void;
  readonly #answers = new Map<string, Answer>();

  /** `changed` is called after each read, so that the filters are applied again. */
  constructor(read: (name: string) => Promise<NumberSet>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  /** Returns a snapshot of the answers. An answer in it does not change when a read completes. */
  now(): AccountFacts["cohort"] {
    const given = new Map<string, Answer>();
    return (name) => {
      const answer = given.get(name) ?? this.#answers.get(name) ?? this.#begin(name);
      given.set(name, answer);
      return answer;
    };
  }

  /** Forgets failed reads, so that the next use reads the cohort again. It might exist by then. */
  retry(): void {
    for (const [name, { kind }] of this.#answers)
      if (kind === "unknown") this.#answers.delete(name);
  }

  #begin(name: string): Answer {
    const reading = { kind: "reading" } as const;
    this.#answers.set(name, reading);
    const settle = (answer: Answer) => {
      this.#answers.set(name, answer);
      this.#changed();
    };
    this.#read(name).then(
      (numbers) => {
        const has = (bytes: Uint8Array, from: number, to: number) =>
          numbers.find(bytes, from, to) >= 0;
        settle({ kind: "known", value: { has } });
      },
      (error: unknown) =>
        settle({ kind: "unknown", why: errorLine(error, { doing: `reading the cohort ${name}` }) }),
    );
    return reading;
  }
}
