import { isRecord } from "../json/exact.ts";

/** A way of looking at the account lists of any supplier. */
export interface SavedView {
  readonly name: string;
  readonly list: "all" | "pending" | "imported" | "gone";
  /** As typed; empty for none. */
  readonly filter: string;
  readonly sort: { readonly column: string; readonly descending: boolean };
  /** Column ids, left to right; null for the built-in choice. */
  readonly columns: readonly string[] | null;
}

/** Longer names do not fit where they are chosen. */
const longestName = 40;

/** What is wrong with a view's name, in words; null when it can be used. */
export function viewNameProblem(name: string): string | null {
  if (name.trim() === "") return "Give it a name.";
  if (name.length > longestName) return `A name has at most ${longestName} characters.`;
  if (name.endsWith("…")) return "A name does not end in an ellipsis.";
  return null;
}

/** What is wrong with kept views, after "must"; null when they can be used. */
export function viewsProblem(value: unknown): string | null {
  if (!Array.isArray(value)) return "must be a list of views";
  const wrong = value.findIndex((one) => !isView(one));
  if (wrong >= 0) {
    return `must hold views with name, list, filter, sort and columns; number ${wrong + 1} is none`;
  }
  const names = value.map(({ name }) => name);
  return new Set(names).size === names.length ? null : "must name each view once";
}

function isView(value: unknown): value is SavedView {
  if (!isRecord(value)) return false;
  const { name, list, filter, sort, columns } = value;
  return (
    typeof name === "string" &&
    viewNameProblem(name) === null &&
    ["all", "pending", "imported", "gone"].some((one) => one === list) &&
    typeof filter === "string" &&
    isRecord(sort) &&
    typeof sort.column === "string" &&
    typeof sort.descending === "boolean" &&
    (columns === null ||
      (Array.isArray(columns) && columns.every((column) => typeof column === "string")))
  );
}
