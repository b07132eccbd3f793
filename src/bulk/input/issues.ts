/** The issues of an input, grouped by cause: the same problem in any row. */
import { commonWords } from "../../writes/cause-text.ts";
import type { Planned } from "../planned.ts";

/** One issue of a row. */
export interface InputIssue {
  readonly severity: "error" | "warning";
  /** The line on which the row begins. */
  readonly line: number;
  /** The account or supply point of the row, or null if it is unreadable. Untrusted. */
  readonly account: string | null;
  /** The CSV column or the dotted field, or null for the row as a whole. Untrusted. */
  readonly column: string | null;
  readonly message: string;
}

/**
 * Issues with one cause: the same column, and the same words except for the parts that differ by
 * row.
 */
export interface IssueCause {
  readonly key: string;
  readonly severity: InputIssue["severity"];
  readonly column: string | null;
  /** The message of the first issue. */
  readonly message: string;
  readonly count: number;
  /** The first issues. */
  readonly issues: readonly InputIssue[];
}

/** All issues of an input. */
export interface InputIssues {
  /** The causes: errors before warnings, the largest first. */
  readonly causes: readonly IssueCause[];
  /** The first issues, in the order of their lines. */
  readonly first: readonly InputIssue[];
  readonly count: number;
  /** Number of rows with an error. */
  readonly rows: number;
  /** Number of errors of the header, or of the input as a whole. */
  readonly ofInput: number;
}

/** Maximum number of issues in memory, and the minimum for each cause. */
const mostKept = 20_000;
const fewOfEach = 20;
const mostFirst = 5_000;

/**
 * Maximum number of causes. Further ones are counted as one, because texts that all differ would
 * fill the memory.
 */
const mostCauses = 500;
const otherWords = "Other issues: too many different ones to list.";

interface Counted {
  readonly key: string;
  readonly severity: InputIssue["severity"];
  readonly column: string | null;
  readonly message: string;
  count: number;
  readonly issues: InputIssue[];
}

/** Collects the issues of an input as it is read. */
export class IssueCollector {
  readonly #causes = new Map<string, Counted>();
  readonly #first: InputIssue[] = [];
  #count = 0;
  #kept = 0;
  #rows = 0;
  #lastLine = 0;
  #ofInput = 0;

  add(planned: Planned): void {
    switch (planned.kind) {
      case "request":
        return;
      case "problem": {
        const { problem, account = null, ofInput } = planned;
        if (ofInput) this.#ofInput += 1;
        // Several problems of one row come one after another.
        else if (problem.line !== this.#lastLine) this.#rows += 1;
        this.#lastLine = problem.line;
        this.#issue({ severity: "error", account, ...problem });
        return;
      }
      case "warning":
        this.#issue({ severity: "warning", account: null, ...planned.warning });
    }
  }

  #issue(issue: InputIssue): void {
    this.#count += 1;
    const cause = this.#causeOf(issue);
    cause.count += 1;
    if (this.#first.length < mostFirst) this.#first.push(issue);
    if (this.#kept >= mostKept && cause.issues.length >= fewOfEach) return;
    this.#kept += 1;
    cause.issues.push(issue);
  }

  #causeOf({ severity, column, message }: InputIssue): Counted {
    const key = JSON.stringify([severity, column, commonWords(message, [])]);
    const known = this.#causes.get(key);
    if (known !== undefined) return known;
    const isFull = this.#causes.size >= mostCauses;
    const made: Counted = isFull
      ? { key: severity, severity, column: null, message: otherWords, count: 0, issues: [] }
      : { key, severity, column, message, count: 0, issues: [] };
    const same = this.#causes.get(made.key);
    if (same !== undefined) return same;
    this.#causes.set(made.key, made);
    return made;
  }

  result(): InputIssues {
    const gravity = ({ severity }: Counted) => (severity === "error" ? 0 : 1);
    const causes = [...this.#causes.values()].sort(
      (one, other) => gravity(one) - gravity(other) || other.count - one.count,
    );
    return {
      causes,
      first: this.#first,
      count: this.#count,
      rows: this.#rows,
      ofInput: this.#ofInput,
    };
  }
}
