/**
 * Reads the header and the rows of a CSV input. Reports unknown, repeated and missing columns.
 */

import { isSeparatorHint } from "../../rows/layout.ts";
import { cellsOf, cellsProblem, clipped, quoted } from "../../rows/record-text.ts";
import type { ReadingOptions } from "../run-settings.ts";
import { type PlacedCell, type Plan, planOf, rowOf } from "./csv-row.ts";
import {
  type FieldIssue,
  finalError,
  type Planned,
  type Planner,
  plannedIssue,
} from "./planner.ts";
import { reasonColumn } from "./reason-column.ts";
import { leavesOf, placeIn, type RowShape, stepsOf, unknownName } from "./row-shape.ts";

export class CsvReader {
  /** The error that ends the reading, or null if reading continues. */
  stop: Planned | null = null;
  hasRows = false;
  readonly #planner: Planner;
  readonly #options: ReadingOptions;
  readonly #separator: string;
  #header: Extract<Header, { kind: "columns" }> | null = null;

  constructor(planner: Planner, options: ReadingOptions, separator: number) {
    this.#planner = planner;
    this.#options = options;
    this.#separator = String.fromCharCode(separator);
  }

  cellName(cell: number): string | null {
    return this.#header?.cellName(cell) ?? null;
  }

  record(line: number, text: string): readonly Planned[] {
    const cells = cellsOf(text, this.#separator);
    const header = this.#header;
    if (header === null) return this.#readHeader(line, cells);
    this.hasRows = true;
    if (cells.every((cell) => cell === "")) {
      const message = "This row is empty; it is skipped.";
      return this.#planner.issue({ severity: "warning", line, column: null, message });
    }
    if (cells.length !== header.width) {
      const message = cellsProblem(cells.length, header.width);
      return this.#planner.issue({ severity: "error", line, column: null, message });
    }
    const issues: FieldIssue[] = [];
    const row = rowOf(header.plan, cells, this.#options.typedAt, (issue) => issues.push(issue));
    return this.#planner.row({ line, row, issues });
  }

  #readHeader(line: number, cells: readonly string[]): readonly Planned[] {
    const header = headerOf(this.#planner.shape, cells, {
      separator: this.#separator,
      allowMissing: this.#options.allowMissing,
    });
    if (header.kind === "none") {
      this.stop = finalError(line, header.message);
      return [];
    }
    this.#header = header;
    this.#planner.fieldNames = header;
    return header.issues.map((issue) => plannedIssue({ severity: "error", line, ...issue }, true));
  }
}

/** An issue of the header. `column` is the name of the column, or null for several. */
interface HeaderIssue {
  readonly column: string | null;
  readonly message: string;
}

type Header =
  /** The header has no documented field, so the rows cannot be read. */
  | { readonly kind: "none"; readonly message: string }
  | {
      readonly kind: "columns";
      readonly plan: Plan;
      readonly width: number;
      readonly issues: readonly HeaderIssue[];
      /** Names of missing fields that the issues of the header report. */
      readonly reported: ReadonlySet<string>;
      readonly cellName: (cell: number) => string | null;
      readonly fieldName: (dotted: string) => string;
    };

const maxNames = 5;

function headerOf(
  row: RowShape,
  cells: readonly string[],
  { separator, allowMissing }: { readonly separator: string; readonly allowMissing: boolean },
): Header {
  const names = cells.map((cell) => cell.trim());
  const placed: PlacedCell[] = [];
  const unknown: string[] = [];
  const issues: HeaderIssue[] = [];
  const cellOfField = new Map<string, number>();
  for (const [cell, name] of names.entries()) {
    const steps = stepsOf(row, name);
    const dotted = steps.join(".");
    const earlier = cellOfField.get(dotted);
    if (name === "") {
      const message = `Column ${cell + 1} has no name. Name it, or remove it.`;
      issues.push({ column: null, message });
    } else if (name === reasonColumn && cell === names.length - 1) {
      // The reason of an earlier check is not part of the row.
    } else if (placeIn(row.shape, steps)?.kind !== "leaf") {
      unknown.push(name);
    } else if (earlier !== undefined) {
      const message = `Columns ${earlier + 1} and ${cell + 1} are both ${dotted}. Remove one.`;
      issues.push({ column: name, message });
    } else {
      cellOfField.set(dotted, cell);
      placed.push({ steps, cell });
    }
  }
  if (placed.length === 0) return { kind: "none", message: noHeader(row, names, separator) };
  const missing = missingFrom(row, placed, allowMissing);
  return {
    kind: "columns",
    plan: planOf(row.shape, placed),
    width: names.length,
    issues: [
      ...unknown.map((name) => ({ column: clipped(name), message: unknownName(row, name) })),
      ...issues,
      ...missing.issues,
    ],
    reported: missing.reported,
    cellName: (cell) => {
      const name = names[cell] ?? "";
      return name === "" ? null : clipped(name);
    },
    fieldName: (dotted) => names[cellOfField.get(dotted) ?? -1] ?? dotted,
  };
}

export const noColumnsStart = "The first row names the columns";

const separatorNames: Readonly<Record<string, string>> = {
  ",": "comma",
  ";": "semicolon",
  "\t": "tab",
};

function noHeader({ shape }: RowShape, names: readonly string[], separator: string): string {
  const [first = ""] = names;
  if (isSeparatorHint(first) && names.slice(1).every((name) => name === ""))
    return "The first line is sep=, a hint for Excel. Remove it.";
  const documented = leavesOf(shape).slice(0, maxNames);
  const examples = documented.map(({ name }) => name).join(", ");
  const words = `${noColumnsStart}, such as ${examples}. This one contains ${listed(names)}.`;
  // The most frequent separator is not always the right one.
  const hasOther = names.some((name) => /[,;\t]/.test(name));
  return hasOther ? `${words} It was cut at each ${separatorNames[separator]}.` : words;
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNames;
  const first = names.slice(0, maxNames).map(quoted).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

function missingFrom(
  { shape }: RowShape,
  placed: readonly PlacedCell[],
  allowMissing: boolean,
): { readonly issues: readonly HeaderIssue[]; readonly reported: ReadonlySet<string> } {
  const topNames = new Set(placed.map(({ steps }) => steps[0]));
  const dotted = new Set(placed.map(({ steps }) => steps.join(".")));
  const missing = leavesOf(shape).filter(
    ({ name, needed }) =>
      !dotted.has(name) && (needed === "always" || (needed === "unless-allowed" && !allowMissing)),
  );
  const reported = new Set(missing.map(({ name }) => name));
  const issues = missing.map(({ name, needed }) => ({
    column: name,
    message:
      needed === "always"
        ? `The column ${name} is missing; every row needs it.`
        : `The column ${name} is missing. supplyline expects it, but the interface does not say whether it is required.`,
  }));
  const { oneOf } = shape;
  if (oneOf === undefined || oneOf.some((name) => topNames.has(name))) return { issues, reported };
  const choices = leavesOf(shape).filter(({ name }) => oneOf.includes(name.split(".", 1)[0] ?? ""));
  const names = choices.map(({ name }) => name).join(", ");
  return {
    issues: [...issues, { column: null, message: `One of these columns is needed: ${names}.` }],
    // The rule's own issue names only the first field.
    reported: new Set([...reported, ...oneOf.slice(0, 1)]),
  };
}
