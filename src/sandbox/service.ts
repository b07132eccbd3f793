/** The state that routes and rules share: store, suppliers, clock, tokens and fault settings. */
import type { HttpBindings } from "@hono/node-server";
import type { ErrorLayout } from "./checks.ts";
import type { Owner, Store } from "./store/store.ts";
import type { Supplier } from "./suppliers.ts";
import type { AuthForm, TokenForm, Tokens } from "./token.ts";
import type { Clock } from "./world/world.ts";

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Age of the list in the response, in ms. Faults set it. */
    lagMs: number;
    /** Maximum number of rows in the list of the response, or Infinity for all. Faults set it. */
    maxRows: number;
  };
}

/** Behavior that the interface leaves open. Faults change it. */
export interface FaultSettings {
  readonly authForm: AuthForm;
  readonly tokenForm: TokenForm;
  readonly tokenLifeMs: number;
  readonly statementsStatus: 200 | 201;
  readonly mirror: ErrorLayout;
  /** `kept` if transactions before a failing one stay on the account. */
  readonly batch: "kept" | "undone";
}

export interface Service {
  readonly store: Store;
  readonly suppliers: ReadonlyMap<string, Supplier>;
  readonly clock: Clock;
  /** The word in names such as `service_account_number`. */
  readonly brand: string;
  /** The behavior that the armed faults select. */
  readonly faults: { settings(): FaultSettings };
  readonly tokens: Tokens;
}

/** An account that exists, so that data can be posted to it. */
export interface ImportedAccount {
  readonly owner: Owner;
  readonly serviceNumber: string;
}

/**
 * Returns the account, or undefined for an unknown supplier, an account that was never staged, or
 * one that is still pending.
 */
export function importedAccount(
  service: Service,
  supplierCode: string,
  externalNumber: string,
): ImportedAccount | undefined {
  const world = service.suppliers.get(supplierCode)?.accounts;
  const row = world?.rowOf(externalNumber);
  if (world === undefined || row === undefined) return undefined;
  const now = service.clock.now();
  if (world.status(row, now) !== "COMPLETED") return undefined;
  return {
    owner: { supplier: supplierCode, identifier: externalNumber },
    serviceNumber: world.serviceNumber(row, now),
  };
}
