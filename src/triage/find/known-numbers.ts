/** Reads the known numbers and their shapes from the lists and the stored observations. */
import { runSliced, type Sliced } from "../../accounts/slices.ts";
import type { FindSources } from "./find.ts";
import { NumberShapes } from "./number-shapes.ts";
import type { KnownNumbers } from "./pasted-numbers.ts";
import type { SearchedAccounts } from "./searched-accounts.ts";

const maxSamples = 2_000;
const samplesPerStep = 64;

/**
 * Reads the numbers that the suppliers are known to have. A source that cannot be read adds none: the
 * search for the numbers reports it. Rejects with the signal's reason.
 */
export async function readKnownNumbers(
  { suppliers, list, stored }: Pick<FindSources, "suppliers" | "list" | "stored">,
  signal: AbortSignal,
): Promise<KnownNumbers> {
  const shapes = new NumberShapes();
  const sources: SearchedAccounts[] = [];
  for (const supplier of suppliers)
    for (const read of [() => list(supplier, [], signal), () => stored(supplier, signal)]) {
      try {
        for (const source of await read()) {
          await runSliced(learnNumbers(source, shapes), signal);
          sources.push(source);
        }
      } catch {
        signal.throwIfAborted();
      }
    }
  const has = (number: string) => sources.some(({ find }) => find(number) !== null);
  return { has, shapes, suppliers };
}

export function* learnNumbers(
  { prepare, rows }: SearchedAccounts,
  shapes: NumberShapes,
): Sliced<void> {
  if (prepare) yield* prepare();
  if (rows === null) return;
  const total = rows.numbers.reduce((sum, part) => sum + part.rows, 0);
  const half = Math.min(total, maxSamples / 2);
  const stride = Math.max(1, Math.floor((total - half) / half));
  for (let at = 0; at < 2 * half; at++) {
    const row = at < half ? at : half + (at - half) * stride;
    const account = row < total ? rows.account(row) : null;
    if (account !== null) shapes.learn(account.number);
    if (at % samplesPerStep === 0) yield;
  }
}
