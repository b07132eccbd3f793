/** Compares the summary of what took effect with the ledger of effects. */
import type { LedgerEntry } from "../../src/sandbox/index.ts";
import { type Done, doneBy } from "../../src/writes/done.ts";
import type { Journal } from "../../src/writes/journal/open-journal.ts";
import { landings, placeOf } from "../evidence.ts";
import type { Violation } from "./invariant.ts";

/** The endpoint of each operation, as the ledger names it. */
const endpoints: Readonly<Record<string, string>> = {
  "notes create": "notes",
  "transactions create": "transactions",
  "statements create": "statements",
  "payment-instructions create": "payment-instructions",
  "supply-points create": "supply-points-create",
};

/** The operation whose amounts are added up. */
const summed = "transactions create";

/** A number of rows, and the sum of their amounts in cents, or null if it is not exact. */
interface Amounts {
  readonly rows: number;
  readonly cents: bigint | null;
}

/** The unit of the ledger: items, each once, or effects, if an item was sent again on purpose. */
export type Counted = "items" | "effects";

/** Returns the {@link doneViolations | differences} between a journal and the effects of its service. */
export async function summaryViolations(
  journal: Journal,
  effects: readonly LedgerEntry[],
  counted?: Counted,
): Promise<readonly Violation[]> {
  return doneViolations(await doneBy(journal, {}, new AbortController().signal), effects, counted);
}

/**
 * Returns the differences between the summary of a journal and the effects of its service, by
 * operation and supplier: rows at the service are in the ledger, and an effect is a row at the service
 * or one that might be. The sums are those of the ledger to the cent, if the number of rows shows which
 * rows they are of, and otherwise between the sums of both. The journal has one entry for each item
 * or effect that is counted, beside entries that were not sent, and no amount is negative.
 */
export function doneViolations(
  done: readonly Done[],
  effects: readonly LedgerEntry[],
  counted: Counted = "items",
): readonly Violation[] {
  const suppliers = new Set([
    ...done.map(({ importSupplier }) => importSupplier),
    ...effects.map(({ supplier }) => supplier),
  ]);
  return [...suppliers].flatMap((supplier) =>
    Object.entries(endpoints).flatMap(([operation, endpoint]) => {
      const landed = amountsOf(
        effects.filter((effect) => effect.endpoint === endpoint && effect.supplier === supplier),
        counted,
      );
      const rows = done.filter(
        (row) => row.operation === operation && row.importSupplier === supplier,
      );
      const yes = sumOf(rows.filter(({ tookEffect }) => tookEffect === "yes"));
      const most = sumOf(rows.filter(({ tookEffect }) => tookEffect !== "no"));
      const at = `${operation}, ${supplier}`;
      return [
        ...(yes.rows <= landed.rows && landed.rows <= most.rows
          ? []
          : [`${at}: ${yes.rows} to ${most.rows} rows took effect, ${landed.rows} in the ledger`]),
        ...(operation !== summed || areSums(yes, most, landed)
          ? []
          : [`${at}: ${yes.cents} to ${most.cents} cents, ${landed.cents} in the ledger`]),
      ].map((what) => ({ invariant: "the summary is the ledger", what }));
    }),
  );
}

/** Returns true if the sums of a summary agree with that of the ledger. */
function areSums(yes: Amounts, most: Amounts, landed: Amounts): boolean {
  if (yes.cents === null || most.cents === null || landed.cents === null) return false;
  if (yes.rows === landed.rows) return yes.cents === landed.cents;
  if (most.rows === landed.rows) return most.cents === landed.cents;
  return yes.cents <= landed.cents && landed.cents <= most.cents;
}

/** Adds up the items that took effect, each once, or each effect. */
function amountsOf(effects: readonly LedgerEntry[], counted: Counted): Amounts {
  if (counted === "effects") {
    const cents = total(effects.map(({ detail }) => String(detail.amount)));
    return { rows: effects.length, cents };
  }
  const places = landings(effects);
  const amounts = new Map(
    effects.map(({ identifier, key, detail }) => [placeOf(identifier, key), String(detail.amount)]),
  );
  return { rows: places.size, cents: total([...places.keys()].map((at) => amounts.get(at) ?? "")) };
}

function sumOf(done: readonly Done[]): Amounts {
  return {
    rows: done.reduce((sum, { rows }) => sum + (rows ?? Number.NaN), 0),
    cents: total(done.map(({ sum }) => sum ?? "")),
  };
}

/** Returns the sum of decimal texts in cents, or null if one is no number of cents. */
function total(texts: readonly string[]): bigint | null {
  return texts.reduce<bigint | null>((sum, text) => {
    const [, sign, whole, cents = ""] = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
    if (sum === null || whole === undefined) return null;
    return sum + BigInt(`${sign}${whole}${cents.padEnd(2, "0")}`);
  }, 0n);
}
