/** Decides what the user must confirm before a write, for the console and the commands. */
import type { Operation } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";

/** The environment of a profile. */
type Environment = "sandbox" | "test" | "production";

/** The properties of a write that the policy depends on. */
export interface Sending {
  readonly environment: Environment;
  readonly operation: Operation;
  /** The number of rows: `many` for a bulk run and for marked accounts, even if it is one row. */
  readonly rows: "one" | "many";
  /** True if the write might take effect a second time, or if the service refused it before. */
  readonly inDoubt: boolean;
}

type Confirmation =
  | { readonly kind: "none" }
  | { readonly kind: "yes" }
  /**
   * The text to type. `target`: the account's number or the supply point's identifier. `rows`: the
   * number of rows. `rows-and-sum`: the number of rows, and then the sum of their amounts.
   */
  | { readonly kind: "typed"; readonly what: "target" | "rows" | "rows-and-sum" };

/**
 * Returns the confirmation that a write needs. The sandbox needs none. A test environment needs a
 * yes for many rows, and a typed confirmation if the write is in doubt. Production always needs a
 * typed confirmation.
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
  // The user checks the sum of rows with amounts.
  return { kind: "typed", what: kindOf(operation).amounts === null ? "rows" : "rows-and-sum" };
}
