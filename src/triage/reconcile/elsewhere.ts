import type { Sliced } from "../../accounts/slices.ts";
import { runSliced } from "../../accounts/slices.ts";
import { numberStart } from "../account-numbers.ts";
import type { Ages } from "../observations/observations.ts";
import type { Source } from "../source/source.ts";

export interface OtherLists {
  readonly suppliers: readonly string[];
  readonly agesOf: (supplier: string) => Promise<Ages | null>;
}

const rowsPerStep = 4096;

/**
 * Returns, for rows of a source that this supplier does not list, the other suppliers whose last
 * observed list has the account. Requests nothing. Rejects with the signal's reason.
 */
export async function findElsewhere(
  source: Source,
  rows: Uint32Array,
  { suppliers, agesOf }: OtherLists,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  if (rows.length === 0) return found;
  for (const supplier of suppliers) {
    const ages = await agesOf(supplier);
    signal.throwIfAborted();
    if (ages !== null) await runSliced(searching(source, rows, { supplier, ages, found }), signal);
  }
  return found;
}

function* searching(
  { text, ends }: Source,
  rows: Uint32Array,
  { supplier, ages, found }: { supplier: string; ages: Ages; found: Map<number, string> },
): Sliced<void> {
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerStep === 0) yield;
    const stored = ages.find(text, numberStart(ends, row), ends[row] as number);
    const state = stored === -1 ? null : (ages.observedStateOf(stored)?.state ?? null);
    if (state !== "pending" && state !== "imported") continue;
    const before = found.get(row);
    found.set(row, before === undefined ? supplier : `${before}, ${supplier}`);
  }
}
