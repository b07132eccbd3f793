/** Describes what entries did, in sentences. */
import { sumOfDecimals } from "../../forms/decimals.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Done } from "../done.ts";
import { isOperation, kindOf } from "../kinds/kinds.ts";

/** The parts of a summary in order: the start of the sentence, and the rows that it is about. */
const parts: readonly (readonly [start: string, has: (done: Done) => boolean])[] = [
  ["Took effect", ({ tookEffect, outcome }) => tookEffect === "yes" && outcome !== "exists"],
  ["Already existed", ({ outcome }) => outcome === "exists"],
  ["Might have taken effect", ({ tookEffect }) => tookEffect === "unknown"],
  ["Had no effect", ({ tookEffect }) => tookEffect === "no"],
];

/**
 * Returns sentences such as `Took effect: 482 notes, 34 transactions of 1204.50 in all. Might have
 * taken effect: 1 payment instruction.` Empty if nothing was sent.
 */
export function doneWords(all: readonly Done[]): string {
  return parts
    .flatMap(([start, has]) => {
      const operations = [...Map.groupBy(all.filter(has), ({ operation }) => operation)];
      const words = operations.map(([operation, rows]) => operationWords(operation, rows));
      return words.length === 0 ? [] : [`${start}: ${words.join(", ")}.`];
    })
    .join(" ");
}

/** Describes the rows of one operation: `34 transactions of 1204.50 in all`. */
function operationWords(operation: string, rows: readonly Done[]): string {
  if (!isOperation(operation)) return safe(operation);
  const { item, plural: items, isSummed } = kindOf(operation);
  const numbers = rows.map((row) => row.rows);
  const isCounted = !numbers.includes(null);
  const n = numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const counted = isCounted ? plural(n, item, items) : `at least ${count(n)} ${items}`;
  if (!isSummed) return counted;
  const sums = rows.map(({ sum }) => sum);
  return sums.includes(null)
    ? `${counted}, sum not known`
    : `${counted} of ${sumOfDecimals(sums.filter((sum) => sum !== null))} in all`;
}
