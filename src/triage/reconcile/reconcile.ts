import { runSliced, type Sliced } from "../../accounts/slices.ts";
import type { Lookup } from "../lookups.ts";
import type { Ages } from "../observations/observations.ts";
import type { Source } from "../source/source.ts";
import { suggestionsFor } from "../suggestions.ts";
import { code, type RowCounts } from "./classes.ts";
import { findElsewhere, type OtherLists } from "./elsewhere.ts";
import { Matching } from "./matching.ts";
import { Reconciled, rowsWithCode } from "./reconciled.ts";
import { lookUpRows, type RowLookupOptions, takeList, type WholeListRows } from "./take-list.ts";

/**
 * The progress of a comparison, with the counts so far. A row counts as absent until it is found.
 */
export type ReconcileProgress = { readonly counts: RowCounts } & (
  | { readonly phase: "listing"; readonly listed: number }
  | { readonly phase: "looking-up"; readonly done: number; readonly total: number }
  | { readonly phase: "suggesting" }
);

interface ReconcileOptions {
  readonly source: Source;
  /**
   * A complete list of the supplier. Its error ends the comparison, because an incomplete list does
   * not show which accounts are missing.
   */
  readonly list: WholeListRows;
  /** The options for looking up rows on no list, or null to leave those rows absent. */
  readonly lookups: RowLookupOptions | null;
  /**
   * Returns the stored ages, with the times at which accounts were first seen pending. Called after
   * the list is complete.
   */
  readonly ages: () => Promise<Ages | null>;
  readonly others: OtherLists;
  readonly extraFacts: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReconcileProgress) => void;
}

/**
 * Compares a source with a list of the service while the list arrives, looks up the rows on no
 * list, and suggests corrections. Rejects with the error of the list, or with the signal's reason.
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  const { source, list, lookups, signal, onProgress } = options;
  const matching = new Matching(source, options.extraFacts);
  const { rows: listed, listedAt } = await takeList(matching, list, {
    signal,
    onRows: (listed) => onProgress?.({ phase: "listing", listed, counts: matching.counts }),
  });
  const unlisted = rowsWithCode(matching.codes, code.absent, matching.counts.absent);
  const results: ReadonlyMap<number, Lookup> =
    lookups === null
      ? new Map()
      : await lookUpRows(matching, unlisted, { ...lookups, signal }, (done, total) =>
          onProgress?.({ phase: "looking-up", done, total, counts: matching.counts }),
        );
  onProgress?.({ phase: "suggesting", counts: matching.counts });
  const suggestions = await runSliced(suggesting(matching, unlisted), signal);
  const elsewhere = await findElsewhere(source, unlisted, options.others, signal);
  const ages = await options.ages();
  signal.throwIfAborted();
  const found = { lookups: results, suggestions, elsewhere, ages };
  return new Reconciled({ matching, listed, listedAt, ...found });
}

function* suggesting(
  matching: Matching,
  unlisted: Uint32Array,
): Sliced<ReadonlyMap<number, number>> {
  const rows = unlisted.filter((row) =>
    ["failed", "not-staged", "absent"].includes(matching.classOf(row)),
  );
  const { text, ends, count } = matching.extras;
  const parts = [{ text, ends, rows: count, fields: 1 }];
  const found = yield* suggestionsFor(matching.source, rows, { parts });
  const suggestions = new Map<number, number>();
  for (const [at, extra] of found.entries())
    if (extra !== -1) suggestions.set(rows[at] as number, extra);
  return suggestions;
}
