/** Creates the sources of `find`: current lists, stored lists and status lookups. */
import { isServiceError } from "../../api/errors.ts";
import type { FindSources } from "../../triage/find/find.ts";
import type { FoundAccount } from "../../triage/find/found.ts";
import { type SearchedAccounts, storedAccounts } from "../../triage/find/searched-accounts.ts";
import { Matching } from "../../triage/reconcile/matching.ts";
import { takeList, type WholeListRows } from "../../triage/reconcile/take-list.ts";
import { type Source, SourceBuilder } from "../../triage/source/source.ts";
import { readWholeList } from "../../triage/whole-list.ts";
import { createBudget } from "../../watch/budget.ts";
import { isRefusal } from "../../watch/poll.ts";
import type { Invocation } from "../invocation.ts";
import type { Observing } from "../observing.ts";
import type { Target } from "../target.ts";

/** Returns the sources of a search. Current lists are recorded as observations. */
export function sourcesFor(options: {
  readonly invocation: Invocation;
  readonly target: Target;
  readonly observing: Observing;
  readonly suppliers: readonly string[];
  readonly isAsking: boolean;
  readonly onListing: (supplier: string, rows: number) => void;
}): FindSources {
  const { invocation, target, observing, suppliers, isAsking, onListing } = options;
  const { service } = target;
  const { clock } = invocation.io;
  const { timeoutMs } = invocation.globals;
  let refused: unknown = null;
  /**
   * Sends a request, unless the service refused the credentials before: it would refuse them again.
   */
  const unlessRefused = async <T>(request: () => Promise<T>): Promise<T> => {
    if (refused !== null) throw refused;
    try {
      return await request();
    } catch (error) {
      if (isRefusal(error)) refused = error;
      throw error;
    }
  };
  return {
    suppliers,
    list: (supplier, wanted, signal) =>
      unlessRefused(async () => {
        const about = { clock, signal, timeoutMs, observations: observing.observations };
        const list = readWholeList(service, supplier, about);
        const onRows = (rows: number) => onListing(supplier, rows);
        const startedAt = clock.now();
        try {
          const { accounts, end } = await readMatched(wanted, list, { signal, onRows });
          await end.recorded;
          // Converts to the service's time, which stored lists have, too, if this clock is wrong.
          return [{ ...accounts, at: end.listedAt - service.wrongByMs() }];
        } catch (error) {
          if (!isServiceError(error, "not-found")) throw error;
          invocation.warn(`${supplier}: there is no such supplier, or nothing to list (404).`);
          return [fewAccounts(new Map(), startedAt)];
        }
      }),
    async stored(supplier, signal) {
      const ages = await observing.read((known) => known.ages(supplier, signal));
      return ages ? [storedAccounts(ages)] : [];
    },
    asks: isAsking
      ? {
          status: (supplier, number, signal) =>
            unlessRefused(async () => {
              const { value } = await service.accounts.status(supplier, number, {
                signal,
                timeoutMs,
              });
              return value;
            }),
          budget: createBudget(clock),
        }
      : null,
  };
}

/**
 * Reads a complete list and keeps only the rows with a wanted number in memory. Similar numbers are
 * therefore not found in it. Rejects with the error of the list, or with the signal's reason.
 */
async function readMatched<End extends { rows: number; listedAt: number }>(
  wanted: readonly string[],
  list: WholeListRows<End>,
  options: { readonly signal: AbortSignal; readonly onRows?: (listed: number) => void },
): Promise<{ readonly accounts: SearchedAccounts; readonly end: End }> {
  const matching = new Matching(sourceOf(wanted), false);
  const end = await takeList(matching, list, options);
  const found = new Map<string, FoundAccount>();
  for (const [row, number] of wanted.entries()) {
    const state = matching.classOf(row);
    if (state !== "imported" && state !== "pending") continue;
    const { service, created } = matching.facts.of(matching.linkOf(row));
    const createdAt = Date.parse(created ?? "");
    const since = state === "pending" || Number.isNaN(createdAt) ? null : createdAt;
    found.set(number, { number, state, serviceNumber: service, since });
  }
  return { accounts: fewAccounts(found, end.listedAt), end };
}

/** Returns a source of accounts that were picked from a whole list. */
function fewAccounts(found: ReadonlyMap<string, FoundAccount>, at: number): SearchedAccounts {
  return { at, isWhole: true, find: (number) => found.get(number) ?? null, rows: null };
}

function sourceOf(numbers: readonly string[]): Source {
  const bytes = numbers.reduce((sum, number) => sum + Buffer.byteLength(number), 0);
  const builder = new SourceBuilder(bytes);
  for (const [at, number] of numbers.entries()) builder.addText(at + 1, number);
  return builder.finish("numbers", "text");
}
