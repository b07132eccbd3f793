import type { Operation } from "./operations.ts";

/**
 * Why sending the same bytes again cannot tell what became of a write, and where to look instead;
 * null when it can. `deduplicated` as in PreparedWrite; `refused` when the service has answered the
 * whole form with 400 since.
 */
export function noCheckedResend(
  operation: Operation,
  { deduplicated, refused }: { readonly deduplicated: boolean; readonly refused: boolean },
): string | null {
  const isNote = operation === "notes create";
  if (!deduplicated)
    return isNote
      ? "A note without a body would be added again: look at the account's notes."
      : "Without check_previously_added, or without a transaction ID, it would be added again: look at the account's transactions.";
  return refused
    ? "The service has refused this form since, and it must not be sent again unchanged. Look at the account."
    : null;
}
