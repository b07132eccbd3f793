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
  readonly brand: string;
  readonly faults: { settings(): FaultSettings };
  readonly tokens: Tokens;
}

interface Effect {
  readonly kind: string;
  readonly endpoint: string;
  readonly key: string;
  readonly record: unknown;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly cause?: "request" | "service";
}

export function addEffect({ store, clock }: Service, owner: Owner, effect: Effect): void {
  const { kind, endpoint, key, record, detail, cause = "request" } = effect;
  store.add(kind, owner, key, record);
  store.append({ at: clock.now(), endpoint, ...owner, key, cause, detail });
}
