/**
 * Converts the cells of a CSV row to a JSON row, with a plan that is built once from the header.
 */
import type { Field, Leaf, Shape } from "../../forms/fields.ts";
import { withoutBlanks } from "../../forms/odd-characters.ts";
import { exactLeaf } from "../../forms/values-json.ts";
import type { Json, JsonObject } from "../../json/exact.ts";
import { formulaProblem, isFormula, quoted, withoutApostrophe } from "../../rows/record-text.ts";
import type { InputTime } from "../../text/loose-dates.ts";
import type { FieldIssue } from "./planner.ts";

/** The steps that convert the cells of a row to one JSON value. */
export type Plan =
  | { readonly kind: "leaf"; readonly leaf: Leaf; readonly name: string; readonly cell: number }
  | {
      readonly kind: "object";
      readonly members: ReadonlyMap<string, Plan>;
      /** True if the object is created even without values, to report each missing field. */
      readonly always: boolean;
      /** Texts that are sent empty if any part of the object has a value (INTERFACE 2). */
      readonly emptyTexts: readonly string[];
    }
  | {
      readonly kind: "several";
      readonly name: string;
      readonly entries: readonly (readonly [number, Plan])[];
    };

export interface PlacedCell {
  readonly steps: readonly string[];
  readonly cell: number;
}

/** Returns the plan for a row's cells. Each cell's steps must lead to a field with one value. */
export function planOf(shape: Shape, cells: readonly PlacedCell[]): Plan {
  return objectPlan(shape, cells, "", true);
}

function objectPlan(
  shape: Shape,
  cells: readonly PlacedCell[],
  prefix: string,
  always: boolean,
): Plan {
  const members = shape.fields.flatMap((field): [string, Plan][] => {
    const insideCells = cellsInside(cells, field.name);
    const needed = field.type === "object" && field.presence === "required";
    if (insideCells.length === 0 && !needed) return [];
    return [[field.name, fieldPlan(field, insideCells, `${prefix}${field.name}`)]];
  });
  const texts = shape.fields.filter(({ type }) => type === "text").map(({ name }) => name);
  const emptyTexts = shape.unusedParts === "empty" ? texts : [];
  return { kind: "object", members: new Map(members), always, emptyTexts };
}

function fieldPlan(field: Field, cells: readonly PlacedCell[], name: string): Plan {
  if (field.type === "object") {
    return objectPlan(field, cells, `${name}.`, field.presence === "required");
  }
  if (field.type !== "rows" && field.type !== "list") return leafPlan(field, cells, name);
  const numbers = [...new Set(cells.map(({ steps }) => Number(steps[0])))].sort((a, b) => a - b);
  const entries = numbers.map((number): [number, Plan] => {
    const insideCells = cellsInside(cells, String(number));
    const entry = `${name}.${number}`;
    return field.type === "list"
      ? [number, leafPlan(field.item, insideCells, entry)]
      : [number, objectPlan(field.item, insideCells, `${entry}.`, false)];
  });
  return { kind: "several", name, entries };
}

function leafPlan(leaf: Leaf, [first]: readonly PlacedCell[], name: string): Plan {
  return { kind: "leaf", leaf, name, cell: first?.cell ?? -1 };
}

function cellsInside(cells: readonly PlacedCell[], step: string): readonly PlacedCell[] {
  return cells
    .filter(({ steps }) => steps[0] === step)
    .map(({ steps, cell }) => ({ steps: steps.slice(1), cell }));
}

/**
 * Converts the cells of a row to an object. An empty cell is an absent field. An unreadable cell
 * stays as text and is reported to `issue`.
 */
export function rowOf(
  plan: Plan,
  cells: readonly string[],
  typedAt: InputTime,
  issue: (issue: FieldIssue) => void,
): JsonObject {
  return jsonOf(plan, { cells, typedAt, issue }) as JsonObject;
}

interface RowReading {
  readonly cells: readonly string[];
  readonly typedAt: InputTime;
  readonly issue: (issue: FieldIssue) => void;
}

function jsonOf(plan: Plan, reading: RowReading): Json | undefined {
  if (plan.kind === "leaf") return cellOf(plan, reading);
  if (plan.kind === "several") {
    const values: Json[] = [];
    for (const [number, entry] of plan.entries) {
      const value = jsonOf(entry, reading);
      if (value === undefined) continue;
      if (values.length !== number) {
        const missing = `${plan.name}.${values.length}`;
        const message = `${plan.name}.${number} is filled in while ${missing} is not.`;
        reading.issue({ field: plan.name, severity: "error", message });
      }
      values.push(value);
    }
    return values.length === 0 ? undefined : values;
  }
  const filled: Record<string, Json> = {};
  let isFilled = plan.always;
  for (const [name, member] of plan.members) {
    const value = jsonOf(member, reading);
    if (value === undefined) continue;
    filled[name] = value;
    isFilled = true;
  }
  if (!isFilled) return undefined;
  for (const name of plan.emptyTexts) filled[name] ??= "";
  return filled;
}

function cellOf(
  { leaf, name, cell }: Extract<Plan, { kind: "leaf" }>,
  { cells, typedAt, issue }: RowReading,
): Json | undefined {
  const text = cells[cell] ?? "";
  if (text === "") return undefined;
  const trimmed = withoutBlanks(text);
  if (text.trim() === "") {
    const message = "This cell has only blanks. Leave it empty to omit the field.";
    issue({ field: name, severity: "error", message });
    return text;
  }
  const formula = formulaIssue(leaf, trimmed);
  if (formula !== null) {
    const { severity, message } = formula;
    issue({ field: name, severity, message: `${message} Found: ${quoted(trimmed)}.` });
    if (severity === "error") return text;
  }
  // Dates in a file must be exact, which the check of the body ensures. A word like `tomorrow`
  // would be another day each time the file is read.
  if (leaf.type === "date" || leaf.type === "datetime") return trimmed;
  if (leaf.type === "text" && (leaf.identifier || leaf.reference))
    return withoutApostrophe(trimmed);
  const exact = exactLeaf(leaf, text, typedAt);
  if (exact.ok) return exact.value;
  issue({ field: name, severity: "error", message: `${exact.message} Found: ${quoted(text)}.` });
  return text;
}

const sentUnchanged = "This begins like a spreadsheet formula; it is sent unchanged.";

/** Returns the issue of a cell that looks like a formula, or null if there is none. */
function formulaIssue(
  leaf: Leaf,
  cell: string,
): { readonly severity: "error" | "warning"; readonly message: string } | null {
  const isFreeText =
    leaf.type === "multiline" || (leaf.type === "text" && !leaf.identifier && !leaf.reference);
  if (isFreeText) return isFormula(cell) ? { severity: "warning", message: sentUnchanged } : null;
  // A number or a date that begins with a sign is checked by its own type.
  const mustMatch = leaf.type === "text" || leaf.type === "enumeration";
  const message = mustMatch || cell.startsWith("=") ? formulaProblem(cell) : null;
  return message === null ? null : { severity: "error", message };
}
