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

/** The code of each class, which fits into one byte per row. */
export const code = Object.fromEntries(rowClasses.map((name, at) => [name, at])) as Readonly<
  Record<RowClass, number>
>;

export type RowCounts = Readonly<Record<RowClass, number>>;
