import { jsonOf } from "../../json/parse.ts";
import { isRecord } from "../../json/value.ts";
import type { PreparedWrite } from "../prepare.ts";
import { textAt } from "./answer-json.ts";

/** Whether a transaction outside the open statement period may have been moved into it (INTERFACE 4.2). */
export function mayMoveDates({
  operation,
  query,
}: Pick<PreparedWrite, "operation" | "query">): boolean {
  return operation === "transactions create" && query.force_add_to_current_statement !== "false";
}

/**
 * The dates that transactions were moved to, by their place in the request; null where the answer
 * names no other date. That proves nothing: the interface lets it give the transaction as submitted.
 */
export function movedDates(
  { operation, items }: Pick<PreparedWrite, "operation"> & { readonly items: readonly unknown[] },
  response: string | null,
): readonly (string | null)[] {
  if (operation !== "transactions create" || response === null) return [];
  const answer = jsonOf(response);
  const results = isRecord(answer) && Array.isArray(answer.results) ? answer.results : [];
  const added = results.map((one: unknown) => (isRecord(one) ? one.transaction_data : undefined));
  return items.map((sent, at) => {
    const id = textAt(sent, "transaction_id");
    const named = added.filter((one) => id !== null && textAt(one, "transaction_id") === id);
    // Results stand in any order; where they name nothing, in the order of what was sent.
    const mine = named.length === 1 ? named[0] : added[at];
    const date = textAt(mine, "transaction_date");
    return date === textAt(sent, "transaction_date") ? null : date;
  });
}
