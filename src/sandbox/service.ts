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

/** An item that a request adds, or that the service adds because of a request. */
interface Effect {
  /** The kind of the stored record. */
  readonly kind: string;
  /** The name of the endpoint in the ledger. */
  readonly endpoint: string;
  /** The identity of the item. */
  readonly key: string;
  readonly record: unknown;
  /** Further data for the ledger. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The origin of the item. Default: `request`. */
  readonly cause?: "request" | "service";
}

/** Stores an item with its entry in the ledger. */
export function addEffect({ store, clock }: Service, owner: Owner, effect: Effect): void {
  const { kind, endpoint, key, record, detail, cause = "request" } = effect;
  store.add(kind, owner, key, record);
  store.append({ at: clock.now(), endpoint, ...owner, key, cause, detail });
}
