/** Collects the accounts of a list that have been pending longest. */

export interface PendingRow {
  readonly row: number;
  readonly since: number;
}

export function addIfLongest(
  longest: PendingRow[],
  row: number,
  since: number,
  limit: number,
): void {
  if (longest.length === limit && since >= (longest.at(-1)?.since ?? 0)) return;
  const index = longest.findIndex((other) => other.since > since);
  longest.splice(index < 0 ? longest.length : index, 0, { row, since });
  if (longest.length > limit) longest.pop();
}
