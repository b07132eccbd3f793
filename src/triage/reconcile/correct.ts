/** Corrects an operator's list by the result of its comparison. */
import { count, plural } from "../../text/numbers.ts";
import { editedList, type RowEdit } from "./corrected-list.ts";
import { type Reconciled, type ReconciledRow, rowsOfClasses } from "./reconciled.ts";

export interface Corrected {
  readonly bytes: Buffer;
  readonly replaced: number;
  readonly duplicates: number;
  readonly malformed: number;
}

/**
 * Returns the list of a comparison with the suggestions taken, and without its duplicate and
 * malformed rows. A suggestion that several rows share is not taken, because only one of them can
 * be right. `isTaken` selects the suggestions. Default: all. `bytes` are those that were compared.
 */
export function correctList(
  result: Reconciled,
  bytes: Uint8Array,
  column: string,
  isTaken: (row: ReconciledRow) => boolean = () => true,
): Corrected {
  const edits = new Map<number, RowEdit>();
  const rows = [...result.suggested()].filter(isTaken);
  const bySuggestion = Map.groupBy(rows, ({ suggestion }) => suggestion);
  for (const { line, external: from, suggestion: to } of rows)
    if (line !== null && from !== null && to !== null && bySuggestion.get(to)?.length === 1)
      edits.set(line, { kind: "replace", from, to });
  for (const { line } of rowsOfClasses(result, ["duplicate", "malformed"]))
    if (line !== null) edits.set(line, { kind: "remove" });
  const { layout } = result.source;
  const { duplicate: duplicates, malformed } = result.counts;
  return { ...editedList(bytes, { layout, column }, edits), duplicates, malformed };
}

export function correctedWords(corrected: Omit<Corrected, "bytes">): string {
  const { replaced, duplicates, malformed } = corrected;
  const left = [
    duplicates === 0 ? "" : plural(duplicates, "duplicate"),
    malformed === 0 ? "" : `${count(malformed)} malformed ${malformed === 1 ? "row" : "rows"}`,
  ].filter((part) => part !== "");
  const rest = left.length === 0 ? "no row left out" : `${left.join(" and ")} left out`;
  return `${plural(replaced, "number")} replaced, ${rest}`;
}
