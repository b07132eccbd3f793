/** Reads the header of a CSV input, and reports unknown, repeated and missing columns. */
import { type PlacedCell, type Plan, planOf } from "./csv-plan.ts";
import { isSeparatorHint } from "./layout.ts";
import { clipped, quoted } from "./quoted.ts";
import { leavesOf, placeIn, type RowShape } from "./row-shape.ts";
import { stepsOf, unknownName } from "./unknown-name.ts";

/**
 * An issue of the header. `column` is the name of the column, or null for an issue about several.
 */
interface HeaderIssue {
  readonly column: string | null;
  readonly message: string;
}

/** The result of reading the header. */
export type Header =
  /** The header has no documented field, so the rows cannot be read. */
  | { readonly kind: "none"; readonly message: string }
  | {
      readonly kind: "columns";
      readonly plan: Plan;
      /** Number of cells in each row. */
      readonly width: number;
      readonly problems: readonly HeaderIssue[];
      /** Names of missing fields that the issues of the header report. */
      readonly reported: ReadonlySet<string>;
      /** Returns the header's name of a cell by its index, or null if it has none. */
      readonly cellName: (cell: number) => string | null;
      readonly fieldName: (dotted: string) => string;
    };

/** Maximum number of names in one message. */
const mostNames = 5;

/** Reads the names in a header, and reports each issue once. */
export function headerOf(row: RowShape, cells: readonly string[], allowMissing: boolean): Header {
  const names = cells.map((cell) => cell.trim());
  const placed: PlacedCell[] = [];
  const unknown: string[] = [];
  const problems: HeaderIssue[] = [];
  const known = new Map<string, number>();
  for (const [cell, name] of names.entries()) {
    const steps = stepsOf(row, name);
    const dotted = steps.join(".");
    const earlier = known.get(dotted);
    if (name === "") {
      const message = `Column ${cell + 1} has no name. Name it, or remove it.`;
      problems.push({ column: null, message });
    } else if (placeIn(row.shape, steps)?.kind !== "leaf") {
      unknown.push(name);
    } else if (earlier !== undefined) {
      const message = `Columns ${earlier + 1} and ${cell + 1} are both ${dotted}. Remove one.`;
      problems.push({ column: name, message });
    } else {
      known.set(dotted, cell);
      placed.push({ steps, cell });
    }
  }
  if (placed.length === 0) return { kind: "none", message: noHeader(row, names) };
  const missing = missingFrom(row, placed, allowMissing);
  return {
    kind: "columns",
    plan: planOf(row.shape, placed),
    width: names.length,
    problems: [
      ...unknown.map((name) => ({ column: clipped(name), message: unknownName(row, name) })),
      ...problems,
      ...missing.issues,
    ],
    reported: missing.reported,
    cellName: (cell) => {
      const name = names[cell] ?? "";
      return name === "" ? null : clipped(name);
    },
    fieldName: (dotted) => names[known.get(dotted) ?? -1] ?? dotted,
  };
}

/** The start of the message for a header without a documented name. */
export const noColumns = "The first row names the columns";

function noHeader({ shape }: RowShape, names: readonly string[]): string {
  const [first = ""] = names;
  if (isSeparatorHint(first) && names.slice(1).every((name) => name === ""))
    return "The first line is sep=, a hint for Excel. Remove it.";
  const some = leavesOf(shape).slice(0, mostNames);
  const such = some.map(({ name }) => name).join(", ");
  return `${noColumns}, such as ${such}. This one contains ${listed(names)}.`;
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  const first = names.slice(0, mostNames).map(quoted).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/** Returns the issues about columns that every row needs and the header lacks. */
function missingFrom(
  { shape }: RowShape,
  placed: readonly PlacedCell[],
  allowMissing: boolean,
): { readonly issues: readonly HeaderIssue[]; readonly reported: ReadonlySet<string> } {
  const tops = new Set(placed.map(({ steps }) => steps[0]));
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
  if (oneOf === undefined || oneOf.some((name) => tops.has(name))) return { issues, reported };
  const choices = leavesOf(shape).filter(({ name }) => oneOf.includes(name.split(".", 1)[0] ?? ""));
  const names = choices.map(({ name }) => name).join(", ");
  return {
    issues: [...issues, { column: null, message: `One of these columns is needed: ${names}.` }],
    // The rule's own issue names only the first field.
    reported: new Set([...reported, ...oneOf.slice(0, 1)]),
  };
}
