/** The classes of the compared rows, and the words for them. */
import { count, plural } from "../../text/numbers.ts";

/**
 * The classes of a compared row. `extra` applies to rows of the service's list, all others to rows
 * of the source:
 * - `imported`, `pending`: listed
 * - `in-progress`, `failed`, `not-staged`: not listed, and the status is IN_PROGRESS, UNKNOWN, or a
 * 404 (INTERFACE 3, 4.8)
 * - `absent`: not listed and not looked up, or the lookup failed
 * - `duplicate`: the number appears earlier in the source
 * - `malformed`: the row has no number
 * - `extra`: listed, not in the source
 */
export const rowClasses = [
  "imported",
  "pending",
  "in-progress",
  "failed",
  "not-staged",
  "absent",
  "duplicate",
  "malformed",
  "extra",
] as const;

export type RowClass = (typeof rowClasses)[number];

export const code = Object.fromEntries(rowClasses.map((name, at) => [name, at])) as Readonly<
  Record<RowClass, number>
>;

export type RowCounts = Readonly<Record<RowClass, number>>;

interface ClassWords {
  readonly label: string;
  readonly meaning: string;
  readonly tone: "ok" | "waiting" | "busy" | "bad" | "muted";
}

export const classWords: Readonly<Record<RowClass, ClassWords>> = {
  imported: { label: "imported", meaning: "The account exists.", tone: "ok" },
  pending: { label: "pending", meaning: "Staged, and not imported yet.", tone: "waiting" },
  "in-progress": {
    label: "in progress",
    meaning: "On no list; a migration is creating it.",
    tone: "busy",
  },
  failed: {
    label: "failed",
    meaning: "On no list; an attempt failed or none was made.",
    tone: "bad",
  },
  "not-staged": {
    label: "not staged",
    meaning: "On no list; unknown to the service.",
    tone: "bad",
  },
  absent: {
    label: "on no list",
    meaning: "On no list; its status is not known.",
    tone: "bad",
  },
  duplicate: {
    label: "duplicate",
    meaning: "The same number is earlier in your list.",
    tone: "muted",
  },
  malformed: {
    label: "malformed",
    meaning: "The row has no readable account number.",
    tone: "bad",
  },
  extra: {
    label: "extra",
    meaning: "Listed by the service, and not in your list.",
    tone: "muted",
  },
};

export function classesOf(counts: RowCounts): readonly RowClass[] {
  return rowClasses.filter((name) => name !== "extra" && counts[name] > 0);
}

export function answerWords(counts: RowCounts, rows: number): string {
  const head =
    counts.imported === rows
      ? `All ${plural(rows, "row")} imported.`
      : `${count(counts.imported)} of ${count(rows)} imported.`;
  const others = classesOf(counts).filter((name) => name !== "imported");
  if (others.length === 0) return head;
  const parts = others.map((name) =>
    name === "duplicate"
      ? plural(counts[name], "duplicate")
      : `${count(counts[name])} ${classWords[name].label}`,
  );
  return `${head} ${parts.join(", ")}.`;
}
