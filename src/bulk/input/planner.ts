/**
 * Groups the rows of an input into requests, and reports the issues of rows that cannot be sent.
 */
import { bytesOf, type JsonObject, memberOf, memberText } from "../../json/exact.ts";
import { clipped } from "../../rows/record-text.ts";
import { numberOf, type Target } from "../../writes/kinds/kind.ts";
import { operationOf } from "../../writes/kinds/kinds.ts";
import type { WriteRequest } from "../../writes/prepare.ts";
import type { ReadingOptions } from "../run-settings.ts";
import type { InputIssue, RowSubject } from "./issues.ts";
import { Repeats } from "./repeated-rows.ts";
import { type CheckedIssue, checkBody } from "./request-body.ts";
import { type RowShape, rowShapeOf } from "./row-shape.ts";

export interface PlannedRequest {
  /** The line of each item, from 1, in the order of the items. */
  readonly lines: readonly number[];
  readonly target: Target;
  /** The checked write. Its bytes are created only once. */
  readonly write: WriteRequest;
}

/** One result of reading an input. The results have the order of the rows. */
export type Planned =
  | { readonly kind: "request"; readonly request: PlannedRequest }
  /**
   * A row with an error cannot be sent. Reading continues, so that one reading reports all issues.
   * `ofInput` is true if the issue is about the input or its header, and not about a row.
   */
  | { readonly kind: "issue"; readonly issue: InputIssue; readonly ofInput: boolean };

/** An issue before its account is known. `column` is null for the row as a whole. */
type RecordIssue = Pick<InputIssue, "severity" | "line" | "column" | "message">;

const unreadable: RowSubject = { supplier: null, account: null };

export function plannedIssue(issue: RecordIssue, ofInput = false): Planned {
  return { kind: "issue", issue: { ...issue, ...unreadable, about: null }, ofInput };
}

export function finalError(line: number, message: string): Planned {
  return plannedIssue({ severity: "error", line, column: null, message }, true);
}

/** An issue of a field in a row. `field` is the dotted name, or empty for the row as a whole. */
export interface FieldIssue {
  readonly severity: "error" | "warning";
  readonly field: string;
  readonly message: string;
}

export interface InputRow {
  readonly line: number;
  readonly row: JsonObject;
  readonly issues: readonly FieldIssue[];
}

export interface FieldNames {
  readonly reported: ReadonlySet<string>;
  readonly fieldName: (dotted: string) => string;
}

const maxItems = 100;

const reportedOnce = "Reported once, for the first such row.";

/** Maximum different warnings about omitted fields. Only the first row of each reports it. */
const maxOmitted = 200;

export class Planner {
  readonly shape: RowShape;
  /** The input's names of the fields. Default: the dotted names. */
  fieldNames: FieldNames = { reported: new Set(), fieldName: (dotted) => dotted };
  readonly #options: ReadingOptions;
  readonly #repeats: Repeats;
  readonly #maxItems: number;
  readonly #reportedOmitted = new Set<string>();
  /** Rows of one account that wait for the next row. `#between` has the issues found in between. */
  #waiting: InputRow[] = [];
  #between: Planned[] = [];

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.shape = rowShapeOf(options.kind);
    this.#repeats = new Repeats(options.kind, options.query);
    const isGrouped = options.group === "account" && this.shape.itemsField !== null;
    this.#maxItems = isGrouped ? maxItems : 1;
  }

  row(row: InputRow): readonly Planned[] {
    const [first] = this.#waiting;
    const isJoined = first !== undefined && isSameAccount(first.row, row.row);
    const completed = isJoined ? [] : this.end();
    this.#waiting.push(row);
    return this.#waiting.length < this.#maxItems ? completed : [...completed, ...this.end()];
  }

  /** Adds the issue of an unreadable record. Returns the requests and issues that it completes. */
  issue(issue: RecordIssue): readonly Planned[] {
    const planned = plannedIssue(issue);
    if (this.#waiting.length === 0) return [planned];
    this.#between.push(planned);
    return this.#between.length < maxItems ? [] : this.end();
  }

  end(): readonly Planned[] {
    if (this.#waiting.length === 0) return [];
    const [rows, between] = [this.#waiting, this.#between];
    this.#waiting = [];
    this.#between = [];
    const planned = this.#plan(rows);
    return between.length === 0 ? planned : [...planned, ...between].sort(byLine);
  }

  /** Plans one request for the rows. Reports those with errors, and plans the others. */
  #plan(rows: readonly InputRow[]): readonly Planned[] {
    const lines = rows.map(({ line }) => line);
    const joined = { rows: rows.map(({ row }) => row), lines };
    const checked = checkBody(this.shape, joined, this.#options);
    const issues = checked.ok ? this.#repeats.issuesOf(checked.body, lines) : checked.issues;
    const invalid = new Set(issues.flatMap(({ at }) => (at === null ? [...rows.keys()] : [at])));
    for (const [at, row] of rows.entries()) if (row.issues.some(isError)) invalid.add(at);
    if (checked.ok && invalid.size === 0) {
      const warnings = rows.flatMap((row, at) => this.#warnings(row, at, checked.warnings));
      const request = this.#request(lines, checked.body);
      return [...warnings, { kind: "request", request }];
    }
    const errors = rows.flatMap((row, at) => this.#errors(row, at, issues));
    const valid = rows.filter((_, at) => !invalid.has(at));
    return valid.length === 0 ? errors : [...errors, ...this.#plan(valid)].sort(byLine);
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
    const queryPart = Object.keys(query).length === 0 ? {} : { query };
    return {
      lines,
      target,
      write: { operation: operationOf(kind), ...queryPart, body: bytesOf(body) },
    };
  }

  #errors(
    { line, row, issues: issuesOfCells }: InputRow,
    at: number,
    issues: readonly CheckedIssue[],
  ): Planned[] {
    const ofCells = issuesOfCells.filter(isError);
    const isReported = (field: string) =>
      ofCells.some((cell) => cell.field === field || field.startsWith(`${cell.field}.`));
    const { reported } = this.fieldNames;
    const subject = subjectIn(row);
    const others = issues
      .filter((issue) => issue.at === null || issue.at === at)
      .filter(({ field, ofValue }) => !isReported(field) && (ofValue || !reported.has(field)));
    return [...ofCells, ...others].map(({ field, message }) =>
      this.#issue({ severity: "error", line, ...subject, field, message }),
    );
  }

  #warnings(
    { line, row, issues }: InputRow,
    at: number,
    warnings: readonly CheckedIssue[],
  ): Planned[] {
    const subject = subjectIn(row);
    const repeated = this.#repeats.warningFor(row, line);
    const ofBody = warnings
      .filter((issue) => (issue.at === null ? at === 0 : issue.at === at))
      .filter((issue) => issue.ofValue || this.#isNew(issue))
      .map(({ field, message, ofValue }) => ({
        field,
        message: ofValue ? message : `${message} ${reportedOnce}`,
      }));
    const ofRow = repeated === null ? [] : [{ field: "", message: repeated }];
    return [...ofBody, ...issues, ...ofRow].map(({ field, message }) =>
      this.#issue({ severity: "warning", line, ...subject, field, message }),
    );
  }

  /**
   * Returns true if a warning about an omitted field is new. Most rows omit the same fields, so
   * only the first row reports them.
   */
  #isNew({ field, message }: CheckedIssue): boolean {
    const key = `${field}: ${message}`;
    if (this.#reportedOmitted.has(key) || this.#reportedOmitted.size >= maxOmitted) return false;
    this.#reportedOmitted.add(key);
    return true;
  }

  #issue({ field, ...issue }: FieldIssue & Pick<InputIssue, "line"> & RowSubject): Planned {
    const column = field === "" ? null : clipped(this.fieldNames.fieldName(field));
    return { kind: "issue", issue: { ...issue, column, about: null }, ofInput: false };
  }
}

function isError({ severity }: FieldIssue): boolean {
  return severity === "error";
}

function subjectIn(row: JsonObject): RowSubject {
  const account =
    memberText(row, "external_account_number") ??
    memberText(memberOf(row, "supply_point"), "identifier");
  return { supplier: memberText(row, "import_supplier") ?? null, account: account ?? null };
}

export function subjectOf(target: Target): RowSubject & { readonly supplier: string } {
  return { supplier: target.importSupplier, account: numberOf(target) };
}

function isSameAccount(a: JsonObject, b: JsonObject): boolean {
  const isSame = (name: string) => {
    const value = memberText(a, name);
    return value !== undefined && value === memberText(b, name);
  };
  return isSame("import_supplier") && isSame("external_account_number");
}

function byLine(a: Planned, b: Planned): number {
  return lineOf(a) - lineOf(b);
}

function lineOf(planned: Planned): number {
  return planned.kind === "request" ? (planned.request.lines[0] ?? 0) : planned.issue.line;
}
