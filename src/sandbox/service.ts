/** What the routes and rules work on. */
import type { HttpBindings } from "@hono/node-server";
import type { MirrorForm } from "./answers.ts";
import type { Owner, Store } from "./store/store.ts";
import type { Supplier } from "./suppliers.ts";
import type { AuthForm, TokenForm, Tokens } from "./token.ts";
import type { Clock } from "./world/clock.ts";

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    /** How old the list to answer with is, in ms; set by the faults. */
    lagMs: number;
    /** How many rows of it are answered; Infinity for all. */
    mostRows: number;
  };
}

/** How the service behaves where the interface leaves room; faults change it. */
export interface FaultSettings {
  readonly authForm: AuthForm;
  readonly tokenForm: TokenForm;
  readonly tokenLifeMs: number;
  readonly statementsStatus: 200 | 201;
  readonly mirror: MirrorForm;
  /** Whether transactions before a failing one stay on the account. */
  readonly batch: "kept" | "undone";
}

export interface Service {
  readonly store: Store;
  readonly suppliers: ReadonlyMap<string, Supplier>;
  readonly clock: Clock;
  /** The word in names such as `service_account_number`. */
  readonly brand: string;
  /** What the armed faults change in the answers of the rules. */
  readonly faults: { settings(): FaultSettings };
  readonly tokens: Tokens;
}

/** An account that exists, and so can be posted to. */
export interface ImportedAccount {
  readonly owner: Owner;
  readonly serviceNumber: string;
}

/** Undefined for an unknown supplier, an account never staged, and one that is still pending. */
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
