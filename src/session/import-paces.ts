/** Computes the pace of each supplier's imports once per recorded list. */
import { type ImportPace, readImportPace } from "../triage/import-pace.ts";
import type { Observations } from "../triage/observations/observations.ts";
import { createStore, type ReadStore } from "./store.ts";

export function createImportPaces(
  observations: Pick<Observations, "importFigures" | "importTimes">,
) {
  const paces = new Map<string, ImportPace | null>();
  /** The reads in progress. A list that is recorded meanwhile drops its supplier. */
  const reading = new Map<string, symbol>();
  const version = createStore(0);
  const changed = () => version.set(version.get() + 1);
  const read = async (supplier: string, turn: symbol) => {
    let pace: ImportPace | null = null;
    try {
      pace = await readImportPace(observations, supplier);
    } catch {
      // The store reports its problem, and no pace is known then.
    }
    if (reading.get(supplier) !== turn) return;
    reading.delete(supplier);
    paces.set(supplier, pace);
    changed();
  };
  return {
    known: (supplier: string) => paces.get(supplier) ?? null,
    /** Reads the pace of a supplier, if it is not known. Never rejects. */
    read(supplier: string) {
      if (paces.has(supplier) || reading.has(supplier)) return;
      const turn = Symbol(supplier);
      reading.set(supplier, turn);
      void read(supplier, turn);
    },
    forget(supplier: string) {
      paces.delete(supplier);
      reading.delete(supplier);
      changed();
    },
    version: version as ReadStore<number>,
  };
}
