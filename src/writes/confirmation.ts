/**
 * The confirmation policy: decides what the user must confirm before a write. The console and the
 * commands share it.
 */
import type { Operation } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";

/** The environment of a profile. */
type Environment = "sandbox" | "test" | "production";

/** The properties of a write that the policy depends on. */
export interface Sending {
  readonly environment: Environment;
  readonly operation: Operation;
  /** `many` for a bulk run and for marked accounts, whatever their number. */
  readonly rows: "one" | "many";
  /**
   * True if it might take effect a second time, or was refused before, according to the guard or a
   * resend.
   */
  readonly inDoubt: boolean;
}

type Confirmation =
  | { readonly kind: "none" }
  | { readonly kind: "yes" }
  /**
   * - `target`: the account's number or the supply point's identifier
   * - `rows`: the number of rows
   * - `rows-and-sum`: the number of rows, and the sum of their amounts
   */
  | { readonly kind: "typed"; readonly what: "target" | "rows" | "rows-and-sum" };

/**
 * Returns the confirmation of a write. The sandbox needs none. Elsewhere a write in doubt is typed.
 * On test many rows need a yes, on production everything is typed.
 */
export function confirmationOf({ environment, operation, rows, inDoubt }: Sending): Confirmation {
  switch (environment) {
    case "sandbox":
      return { kind: "none" };
    case "test":
      if (inDoubt) return typed(operation, rows);
      return { kind: rows === "many" ? "yes" : "none" };
    case "production":
      return typed(operation, rows);
  }
}

function typed(operation: Operation, rows: Sending["rows"]): Confirmation {
  if (rows === "one") return { kind: "typed", what: "target" };
  // Rows with amounts have a sum to check.
  return { kind: "typed", what: kindOf(operation).amounts === null ? "rows" : "rows-and-sum" };
}
