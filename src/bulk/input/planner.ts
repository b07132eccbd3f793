/**
 * Groups the rows of an input into requests, and reports the issues of rows that cannot be sent.
 */
import { type JsonObject, memberOf, memberText } from "../../json/exact.ts";
import { bytesOf } from "../../json/print.ts";
import { operationOf } from "../../writes/kinds/kinds.ts";
import type { Planned, PlannedRequest, RowIssue } from "../planned.ts";
import type { ReadingOptions } from "../run-settings.ts";
import { type CheckedIssue, checkRows } from "./check-rows.ts";
import { Repeats } from "./duplicate-keys.ts";
import { clipped } from "./quoted.ts";
import { type RowShape, rowShapeOf } from "./row-shape.ts";

/** One row of an input as a JSON object. */
export interface InputRow {
  readonly line: number;
  readonly row: JsonObject;
  /** The issues of unreadable values. `field` is the dotted name. */
  readonly issues: readonly { readonly field: string; readonly message: string }[];
  /** The warnings about values. `field` is the dotted name. */
  readonly warnings?: readonly { readonly field: string; readonly message: string }[];
}

/** The names of fields as the input writes them. */
export interface FieldNames {
  /** Names of missing fields that the issues of the header already report. */
  readonly reported: ReadonlySet<string>;
  readonly fieldName: (dotted: string) => string;
}

/** Maximum number of items of one account in a request. */
const mostTogether = 100;

const reportedOnce = "Reported once, for the first such row.";

/**
 * Maximum number of different warnings about omitted fields. Only the first row with each warning
 * reports it.
 */
const mostOmitted = 200;

/** Converts rows to requests and issues, in the order of the rows. */
export class Planner {
  readonly shape: RowShape;
  naming: FieldNames = { reported: new Set(), fieldName: (dotted) => dotted };
  readonly #options: ReadingOptions;
  readonly #repeats: Repeats;
  readonly #mostTogether: number;
  readonly #reportedOmitted = new Set<string>();
  /** Rows of one account that wait for the next row. `#between` has the issues found in between. */
  #waiting: InputRow[] = [];
  #between: Planned[] = [];

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.shape = rowShapeOf(options.kind);
    this.#repeats = new Repeats(options.kind, options.query);
    const joins = options.group === "account" && this.shape.itemsField !== null;
    this.#mostTogether = joins ? mostTogether : 1;
  }

  /** Adds a row. Returns the requests and issues that it completes. */
  row(row: InputRow): readonly Planned[] {
    const [first] = this.#waiting;
    const joins = first !== undefined && isSameAccount(first.row, row.row);
    const before = joins ? [] : this.end();
    this.#waiting.push(row);
    return this.#waiting.length < this.#mostTogether ? before : [...before, ...this.end()];
  }

  /** Adds the issue of a record that cannot be read as a row. */
  problem(problem: RowIssue): readonly Planned[] {
    return this.#aside({ kind: "problem", problem });
  }

  /** Adds the warning of a record that is skipped. */
  warning(warning: RowIssue): readonly Planned[] {
    return this.#aside({ kind: "warning", warning });
  }

  #aside(planned: Planned): readonly Planned[] {
    if (this.#waiting.length === 0) return [planned];
    this.#between.push(planned);
    return this.#between.length < mostTogether ? [] : this.end();
  }

  /** Returns the remaining requests and issues after the last row. */
  end(): readonly Planned[] {
    if (this.#waiting.length === 0) return [];
    const [rows, between] = [this.#waiting, this.#between];
    this.#waiting = [];
    this.#between = [];
    const planned = this.#plan(rows);
    return between.length === 0 ? planned : [...planned, ...between].sort(byLine);
  }

  #plan(rows: readonly InputRow[]): readonly Planned[] {
    const lines = rows.map(({ line }) => line);
    const together = { rows: rows.map(({ row }) => row), lines };
    const checked = checkRows(this.shape, together, this.#options);
    const issues = checked.ok ? this.#repeats.issuesOf(checked.body, lines) : checked.issues;
    const unsound = new Set(issues.flatMap(({ at }) => (at === null ? [...rows.keys()] : [at])));
    for (const [at, row] of rows.entries()) if (row.issues.length > 0) unsound.add(at);
    if (checked.ok && unsound.size === 0) {
      const warnings = rows.flatMap((row, at) => this.#warnings(row, at, checked.warnings));
      const request = this.#request(lines, checked.body);
      return [...warnings, { kind: "request", request }];
    }
    const problems = rows.flatMap((row, at) => this.#problems(row, at, issues));
    const sound = rows.filter((_, at) => !unsound.has(at));
    return sound.length === 0 ? problems : [...problems, ...this.#plan(sound)].sort(byLine);
  }

  #request(lines: readonly number[], body: JsonObject): PlannedRequest {
    const { kind, query } = this.#options;
    const inner = memberOf(body, this.shape.form.envelope ?? "") ?? body;
    const importSupplier = memberText(inner, "import_supplier") ?? "";
    const target: PlannedRequest["target"] =
      kind === "supply-points"
        ? {
            kind: "supply-point",
            importSupplier,
            externalIdentifier: memberText(memberOf(inner, "supply_point"), "identifier") ?? "",
          }
        : {
            kind: "account",
            importSupplier,
            externalAccountNumber: memberText(inner, "external_account_number") ?? "",
          };
    const asked = Object.keys(query).length === 0 ? {} : { query };
    return {
      lines,
      target,
      write: { operation: operationOf(kind), ...asked, body: bytesOf(body) },
    };
  }

  #problems(
    { line, row, issues: ofCells }: InputRow,
    at: number,
    issues: readonly CheckedIssue[],
  ): Planned[] {
    const isReported = (field: string) =>
      ofCells.some((one) => one.field === field || field.startsWith(`${one.field}.`));
    const { reported } = this.naming;
    const account = accountIn(row);
    const others = issues
      .filter((issue) => issue.at === null || issue.at === at)
      .filter(({ field, ofValue }) => !isReported(field) && (ofValue || !reported.has(field)));
    return [...ofCells, ...others].map(({ field, message }) => ({
      kind: "problem",
      problem: this.#issue(line, field, message),
      account,
    }));
  }

  #warnings(
    { line, row, warnings = [] }: InputRow,
    at: number,
    found: readonly CheckedIssue[],
  ): Planned[] {
    const repeated = this.#repeats.warningFor(row, line);
    const issues = found
      .filter((issue) => (issue.at === null ? at === 0 : issue.at === at))
      .filter((issue) => issue.ofValue || this.#isNew(issue))
      .map(({ field, message, ofValue }) =>
        this.#issue(line, field, ofValue ? message : `${message} ${reportedOnce}`),
      );
    for (const { field, message } of warnings) issues.push(this.#issue(line, field, message));
    if (repeated !== null) issues.push(this.#issue(line, "", repeated));
    return issues.map((warning) => ({ kind: "warning", warning }));
  }

  /**
   * Returns true if a warning about an omitted field is new. Most rows omit the same fields, so
   * only the first row reports them.
   */
  #isNew({ field, message }: CheckedIssue): boolean {
    const key = `${field}: ${message}`;
    if (this.#reportedOmitted.has(key) || this.#reportedOmitted.size >= mostOmitted) return false;
    this.#reportedOmitted.add(key);
    return true;
  }

  #issue(line: number, field: string, message: string): RowIssue {
    const column = field === "" ? null : clipped(this.naming.fieldName(field));
    return { line, column, message };
  }
}

/**
 * Returns the account number or the supply point's identifier in a row, or undefined if neither is
 * a text.
 */
function accountIn(row: JsonObject): string | undefined {
  return (
    memberText(row, "external_account_number") ??
    memberText(memberOf(row, "supply_point"), "identifier")
  );
}

function isSameAccount(a: JsonObject, b: JsonObject): boolean {
  const isSame = (name: string) => {
    const said = memberText(a, name);
    return said !== undefined && said === memberText(b, name);
  };
  return isSame("import_supplier") && isSame("external_account_number");
}

function byLine(a: Planned, b: Planned): number {
  return lineOf(a) - lineOf(b);
}

function lineOf(planned: Planned): number {
  switch (planned.kind) {
    case "request":
      return planned.request.lines[0] ?? 0;
    case "problem":
      return planned.problem.line;
    case "warning":
      return planned.warning.line;
  }
}
