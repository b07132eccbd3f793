/** Describes what entries did, in sentences. */
import { sumOfDecimals } from "../../forms/decimals.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Done } from "../done.ts";
import { isOperation, kindOf } from "../kinds/kinds.ts";

const parts: readonly (readonly [start: string, has: (done: Done) => boolean])[] = [
  ["Took effect", ({ tookEffect, outcome }) => tookEffect === "yes" && outcome !== "exists"],
  ["Already existed", ({ outcome }) => outcome === "exists"],
  ["Might have taken effect", ({ tookEffect }) => tookEffect === "unknown"],
  ["Had no effect", ({ tookEffect, outcome }) => tookEffect === "no" && outcome !== "unsent"],
  ["Not sent", ({ outcome }) => outcome === "unsent"],
];

const maxSuppliers = 3;

/**
 * Returns sentences such as `Took effect: 482 notes (470 ACME, 12 NORTH), 34 transactions of 1204.50
 * in all. Might have taken effect: 1 payment instruction.` The suppliers are named if the summary has
 * several. Empty if nothing was sent.
 */
export function doneWords(all: readonly Done[]): string {
  const areSeveral = new Set(all.map(({ importSupplier }) => importSupplier)).size > 1;
  return parts
    .flatMap(([start, has]) => {
      const operations = [...Map.groupBy(all.filter(has), ({ operation }) => operation)];
      const words = operations.map(
        ([operation, rows]) =>
          operationWords(operation, rows) + (areSeveral ? suppliersWords(operation, rows) : ""),
      );
      return words.length === 0 ? [] : [`${start}: ${words.join(", ")}.`];
    })
    .join(" ");
}

/** Describes what this machine did, and then what the colleagues of its team did. */
export function doneOfTeamWords(own: readonly Done[], theirs: readonly Done[]): string {
  const byColleagues = theirs.length === 0 ? [] : [`By colleagues: ${doneWords(theirs)}`];
  return [...(own.length === 0 ? [] : [doneWords(own)]), ...byColleagues].join(" ");
}

/** Describes the rows of one operation: `34 transactions of 1204.50 in all`. */
function operationWords(operation: string, rows: readonly Done[]): string {
  if (!isOperation(operation)) return safe(operation);
  const { item, isSummed } = kindOf(operation);
  const counted = plural(numberOf(rows), item);
  if (!isSummed) return counted;
  const sum = sumOf(rows);
  return sum === null ? `${counted}, sum not known` : `${counted} of ${sum} in all`;
}

/** Describes the rows of each supplier: ` (30 ACME of 1200.00, 4 NORTH of 4.50)`. */
function suppliersWords(operation: string, rows: readonly Done[]): string {
  const isSummed = isOperation(operation) && kindOf(operation).isSummed;
  const suppliers = [...Map.groupBy(rows, ({ importSupplier }) => importSupplier)];
  const [only] = suppliers;
  if (suppliers.length === 1 && only !== undefined) return ` (${safe(only[0])})`;
  const named = suppliers.slice(0, maxSuppliers).map(([supplier, ofSupplier]) => {
    const amount = isSummed ? ` of ${sumOf(ofSupplier) ?? "a sum that is not known"}` : "";
    return `${count(numberOf(ofSupplier))} ${safe(supplier)}${amount}`;
  });
  const more = suppliers.length - named.length;
  return ` (${named.join(", ")}${more === 0 ? "" : ` and ${count(more)} more suppliers`})`;
}

function numberOf(done: readonly Done[]): number {
  return done.reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the exact sum of the amounts, or null if it is not known. */
function sumOf(done: readonly Done[]): string | null {
  const sums = done.map(({ sum }) => sum);
  return sums.includes(null) ? null : sumOfDecimals(sums.filter((sum) => sum !== null));
}
