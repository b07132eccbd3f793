/** Collects the issues of an input and groups them by cause: the same problem in different rows. */
import { commonWords } from "../../writes/cause-text.ts";

/** An issue of a row. A `held` row was sent before, and is sent again only with a reason. */
export interface InputIssue {
  readonly severity: "error" | "held" | "warning";
  readonly line: number;
  /** The import supplier of the row (untrusted), or null if it is unreadable. */
  readonly supplier: string | null;
  /** The account or supply point of the row (untrusted), or null if it is unreadable. */
  readonly account: string | null;
  /** The CSV column or the dotted field (untrusted), or null for the whole row. */
  readonly column: string | null;
  readonly message: string;
  readonly about: IssueSubject | null;
}

export type RowSubject = Pick<InputIssue, "supplier" | "account">;

type IssueSubject =
  /** A journal ID, or null if the entry was removed from the journal. */
  | { readonly kind: "entry"; readonly id: number | null }
  | { readonly kind: "account"; readonly supplier: string; readonly number: string };

/** Issues with one cause: one column, and one message except for the parts of each row. */
export interface IssueCause {
  readonly key: string;
  readonly severity: InputIssue["severity"];
  readonly column: string | null;
  /** The message of the first issue. */
  readonly message: string;
  readonly count: number;
  readonly issues: readonly InputIssue[];
}

export interface InputIssues {
  /** The causes: errors, then barred rows, then warnings, each sorted by count. */
  readonly causes: readonly IssueCause[];
  /** The first issues, in the order in which they were found. */
  readonly first: readonly InputIssue[];
  /** Number of lines with an issue, including issues of the input as a whole. */
  readonly count: number;
  readonly errors: number;
  readonly firstErrors: readonly InputIssue[];
  readonly rows: number;
  /** Number of errors of the header, or of the input as a whole. */
  readonly ofInput: number;
  readonly warnings: number;
  readonly firstWarnings: readonly InputIssue[];
}

/** Maximum number of issues in memory. Above it, each cause stores its first `fewOfEach` issues. */
const maxStored = 20_000;
const fewOfEach = 20;
const maxFirst = 5_000;
const maxOfSeverity = 100;

/**
 * Maximum number of causes. Further causes are counted as one, because an input with only different
 * messages would fill the memory.
 */
const maxCauses = 500;
const otherWords = "Other issues: too many different ones to list.";

/** The severities, most severe first. */
const severities: readonly InputIssue["severity"][] = ["error", "held", "warning"];

/** Returns one issue for each row, with its most severe severity, fields and messages. */
export function byRow(issues: readonly InputIssue[]): readonly InputIssue[] {
  const rows = new Map<number, InputIssue>();
  for (const issue of issues) {
    const earlier = rows.get(issue.line);
    rows.set(issue.line, earlier === undefined ? issue : merged(earlier, issue));
  }
  return [...rows.values()];
}

function merged(one: InputIssue, other: InputIssue): InputIssue {
  const [worse, milder] =
    severities.indexOf(other.severity) < severities.indexOf(one.severity)
      ? [other, one]
      : [one, other];
  const fields = [one.column, other.column].filter((name) => name !== null);
  return {
    ...worse,
    supplier: worse.supplier ?? milder.supplier,
    account: worse.account ?? milder.account,
    column: fields.length === 0 ? null : [...new Set(fields)].join(", "),
    message: `${worse.message} ${milder.message}`,
    about: worse.about ?? milder.about,
  };
}

/** Counts distinct lines. It stores one bit for each line, because an input can have millions. */
class LineSet {
  size = 0;
  #bits = new Uint8Array(1024);

  add(line: number): void {
    const at = line >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, 2 * this.#bits.length));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    const bit = 1 << (line & 7);
    const before = this.#bits[at] as number;
    if ((before & bit) === 0) this.size += 1;
    this.#bits[at] = before | bit;
  }
}

interface Counted extends IssueCause {
  count: number;
  lastLine: number;
  readonly issues: InputIssue[];
}

export class IssueCollector {
  errors = 0;
  /** Number of rows with an error. */
  rows = 0;
  readonly #causes = new Map<string, Counted>();
  readonly #first: InputIssue[] = [];
  readonly #firstErrors: InputIssue[] = [];
  readonly #firstWarnings: InputIssue[] = [];
  readonly #lines = new LineSet();
  #stored = 0;
  #lastLine = 0;
  #ofInput = 0;
  #warnings = 0;

  /**
   * Adds an issue from reading the input. `ofInput` is true if the issue is about the input or its
   * header, and not about a row.
   */
  add(issue: InputIssue, ofInput: boolean): void {
    if (issue.severity === "warning") {
      this.#warnings += 1;
      if (this.#firstWarnings.length < maxOfSeverity) this.#firstWarnings.push(issue);
    } else {
      this.errors += 1;
      if (this.#firstErrors.length < maxOfSeverity) this.#firstErrors.push(issue);
      if (ofInput) this.#ofInput += 1;
      // The errors of one row are added one after another.
      else if (issue.line !== this.#lastLine) this.rows += 1;
      this.#lastLine = issue.line;
    }
    this.listIssue(issue);
  }

  /** Adds an issue to the causes. Issues of other checks are not counted as errors of reading. */
  listIssue(issue: InputIssue): void {
    this.#lines.add(issue.line);
    const cause = this.#causeOf(issue);
    if (issue.line !== cause.lastLine) cause.count += 1;
    cause.lastLine = issue.line;
    if (this.#first.length < maxFirst) this.#first.push(issue);
    if (this.#stored >= maxStored && cause.issues.length >= fewOfEach) return;
    this.#stored += 1;
    cause.issues.push(issue);
  }

  #causeOf({ severity, column, message }: InputIssue): Counted {
    const key = JSON.stringify([severity, column, commonWords(message, [])]);
    const known = this.#causes.get(key);
    if (known !== undefined) return known;
    const isFull = this.#causes.size >= maxCauses;
    const empty = { severity, count: 0, lastLine: 0, issues: [] };
    const created: Counted = isFull
      ? { ...empty, key: severity, column: null, message: otherWords }
      : { ...empty, key, column, message };
    const existing = this.#causes.get(created.key);
    if (existing !== undefined) return existing;
    this.#causes.set(created.key, created);
    return created;
  }

  result(): InputIssues {
    const causes = [...this.#causes.values()].sort(
      (one, other) =>
        severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
        other.count - one.count,
    );
    return {
      causes,
      first: this.#first,
      count: this.#lines.size,
      errors: this.errors,
      firstErrors: this.#firstErrors,
      rows: this.rows,
      ofInput: this.#ofInput,
      warnings: this.#warnings,
      firstWarnings: this.#firstWarnings,
    };
  }
}
