/** What the end of an entry means, in words; one source for the console and the commands. */

import { describeError, type ErrorContext } from "../../text/describe-error.ts";
import { safe } from "../../text/sanitise.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { PreparedWrite } from "../prepare.ts";
import type { WriteResult } from "../send/events.ts";

/** What the last attempt failed with, as sentences; empty when it did not fail. */
export function causeWords({ error }: WriteResult, context: ErrorContext): string {
  if (error === null) return "";
  const { what, why } = describeError(error, context);
  if (why === null) return what;
  return `${what} ${/[.!?…]$/.test(why) ? why : `${why}.`}`;
}

/** Whether it took effect, as far as that is known; which items, where they did not end alike. */
export function effectWords({
  outcome,
  items,
  operation,
  mayHaveTakenEffect,
}: WriteResult): string {
  if (outcome === "rejected") return "Nothing of it took effect.";
  if (!mayHaveTakenEffect) return "It had no effect.";
  const open = items.filter((item) => item.outcome === "unknown");
  if (items.length <= 1 || open.length === 0 || open.length === items.length) {
    return "It might have taken effect.";
  }
  const numbers = open.map((item) => item.position + 1).join(", ");
  return `These might have taken effect: ${kindOf(operation).item} ${numbers}.`;
}

type Sent = Pick<PreparedWrite, "operation"> & { readonly items: readonly unknown[] };

/**
 * What the answer shows of the transactions that were added with another date than the one sent
 * (INTERFACE 4.2), by their place in the request; null where it shows none.
 */
export function movedWords(
  sent: Sent,
  query: PreparedWrite["query"],
  response: string | null,
): readonly (string | null)[] {
  const { movedDates } = kindOf(sent.operation);
  if (movedDates === null || response === null) return [];
  return movedDates(sent.items, query, response).map((date) =>
    date === null
      ? null
      : `Added with the date ${safe(date)}, which is in the open statement period. The service pins a note to the account that explains it.`,
  );
}

/**
 * What a note or transaction that already existed means for what was sent with it. After several
 * attempts an earlier one might have added it, pin and all. `how` names the option of a face.
 */
export function existsWords(
  { operation, items }: Sent,
  position: number,
  { attempts, how = "" }: { readonly attempts: number; readonly how?: string },
): string {
  const earlier = attempts > 1 ? ", perhaps from an earlier attempt of this entry" : "";
  return `Already exists${earlier}${kindOf(operation).existing(items[position], attempts, how)}`;
}
