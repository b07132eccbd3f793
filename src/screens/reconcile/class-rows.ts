import { useEffect, useMemo, useState } from "react";
import { betweenEvents, inSlices, type Sliced } from "../../accounts/slices.ts";
import { type WordFilter, wordFilter } from "../../components/word-filter.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { Reconciled, ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { filterAnywhere, filterColumns } from "./row-columns.ts";

/** Rows compared between two yields. */
const rowsAtOnce = 256;

/** The rows of a class that match a filter, made when they are asked for. */
export interface ClassRows {
  readonly length: number;
  at(position: number): ReconciledRow;
  /** The position of a row by the one it has in its class; -1 where it does not match. */
  positionOf(row: number): number;
  /** The position in its class of a row that matches. */
  rowAt(position: number): number;
  /** The rows of this filter are still being found; those shown are of the one before. */
  readonly isFiltering: boolean;
  /** What is wrong with the filter; null where nothing is. */
  readonly problem: string | null;
}

interface Found {
  /** The filter that they match. */
  readonly of: WordFilter<ReconciledRow>;
  readonly result: Reconciled;
  readonly rows: Uint32Array;
}

/** Finds the rows of a class that match; a class may have a million. */
export function useClassRows(result: Reconciled, name: RowClass, filter: string): ClassRows {
  const words = useMemo(() => wordFilter(filter, filterColumns, filterAnywhere), [filter]);
  const [found, setFound] = useState<Found | null>(null);
  const isEverything = filter.trim() === "";
  useEffect(() => {
    if (isEverything) {
      setFound(null);
      return;
    }
    const stop = new AbortController();
    const find = async () => {
      const work = matching(result, name, words);
      const rows = await inSlices(work, betweenEvents, () => stop.signal.aborted);
      if (rows !== null && !stop.signal.aborted) setFound({ of: words, result, rows });
    };
    void find();
    return () => stop.abort();
  }, [result, name, words, isEverything]);
  return useMemo(() => {
    // Rows of an earlier comparison are others.
    const rows = !isEverything && found?.result === result ? found.rows : null;
    return {
      length: rows === null ? result.counts[name] : rows.length,
      at: (position) => result.rowIn(name, rows?.[position] ?? position),
      positionOf: (row) => (rows === null ? row : rows.indexOf(row)),
      rowAt: (position) => rows?.[position] ?? position,
      isFiltering: !isEverything && found?.of !== words,
      problem: words.problem,
    };
  }, [result, name, found, words, isEverything]);
}

/** The positions in its class of the rows that match. */
function* matching(
  result: Reconciled,
  name: RowClass,
  words: WordFilter<ReconciledRow>,
): Sliced<Uint32Array> {
  const total = result.counts[name];
  const rows = new Uint32Array(total);
  let count = 0;
  for (let at = 0; at < total; at++) {
    if (words.matches(result.rowIn(name, at))) rows[count++] = at;
    if (at % rowsAtOnce === 0) yield;
  }
  return rows.slice(0, count);
}
