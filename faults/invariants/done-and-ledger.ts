/** Compares the summary of what took effect with the ledger of effects. */
import type { LedgerEntry } from "../../src/sandbox/index.ts";
import { type Done, doneBy } from "../../src/writes/done.ts";
import type { Journal } from "../../src/writes/journal/open-journal.ts";
import { landings } from "../evidence.ts";
import type { Violation } from "./invariant.ts";

/** The endpoint of each operation, as the ledger names it. */
const endpoints: Readonly<Record<string, string>> = {
  "notes create": "notes",
  "transactions create": "transactions",
  "statements create": "statements",
  "payment-instructions create": "payment-instructions",
  "supply-points create": "supply-points-create",
};

/** Twice the amount of every transaction of the campaign, which is a whole number. */
const twiceTheAmount = 25;

/**
 * Returns the differences between the summary of a journal and the effects of its service: rows at
 * the service are in the ledger, and an effect is a row at the service or one that might be. The
 * journal has one entry for each item.
 */
export async function doneViolations(
  journal: Journal,
  effects: readonly LedgerEntry[],
): Promise<readonly Violation[]> {
  const done = await doneBy(journal, {}, new AbortController().signal);
  return Object.entries(endpoints).flatMap(([operation, endpoint]) => {
    const ofOperation = done.filter((row) => row.operation === operation);
    const rowsWith = (tookEffect: Done["tookEffect"]) =>
      ofOperation
        .filter((row) => row.tookEffect === tookEffect)
        .reduce((sum, { rows }) => sum + (rows ?? Number.NaN), 0);
    const landed = landings(effects.filter((effect) => effect.endpoint === endpoint)).size;
    const [least, most] = [rowsWith("yes"), rowsWith("yes") + rowsWith("unknown")];
    const words = `${operation}: ${least} to ${most} rows took effect, ${landed} in the ledger`;
    const counts = least <= landed && landed <= most ? [] : [words];
    const sums = ofOperation.filter(
      ({ rows, sum }) =>
        operation === "transactions create" && Number(sum) * 2 !== (rows ?? 0) * twiceTheAmount,
    );
    return [...counts, ...sums.map(({ outcome, sum }) => `${operation}, ${outcome}: ${sum}`)].map(
      (what) => ({ invariant: "the summary is the ledger", what }),
    );
  });
}
