/** The options of a sandbox, with their defaults and limits. */
import type { Observer } from "./observer.ts";
import type { SupplierSpec } from "./suppliers.ts";

export const scenarios = ["migration-day"] as const;

export interface SandboxOptions {
  /** The port. Default: 0, which selects any free port. */
  readonly port?: number;
  /** Number of accounts of ACME, whose rows need no memory. Default: 120. */
  readonly accounts?: number;
  /** Seed of the world: the same seed results in the same world. Default: 1. */
  readonly seed?: number;
  /** Folder that stores the state across restarts. Default: none, so it ends with the sandbox. */
  readonly dataDir?: string;
  readonly faults?: readonly string[];
  /** Word in the names of fields such as `service_account_number`. Default: "service". */
  readonly brand?: string;
  /** The scenario: the whole migration day of NORTH. Default: only the afternoon of that day. */
  readonly scenario?: (typeof scenarios)[number];
  /** Seconds of the sandbox per real second. 0 stops all changes. Default: 1. */
  readonly speed?: number;
  /** Returns the time in epoch ms. Default: Date.now. */
  readonly now?: () => number;
  /** Suppliers in addition to ACME, NORTH, PAUSED and DONE. One with the same code replaces it. */
  readonly suppliers?: readonly SupplierSpec[];
  /** Called for every request, but not in a worker. */
  readonly observer?: Observer;
}

export type ResolvedOptions = SandboxOptions & ReturnType<typeof defaults>;

function defaults() {
  return {
    port: 0,
    accounts: 120,
    seed: 1,
    faults: [] as readonly string[],
    brand: "service",
    speed: 1,
    now: Date.now,
    suppliers: [] as readonly SupplierSpec[],
  };
}

/** Adds the defaults. Throws an Error that names an option that is out of range. */
export function resolveOptions(options: SandboxOptions): ResolvedOptions {
  const resolved = { ...defaults(), ...options };
  const { port, accounts, seed, brand, scenario, speed, suppliers } = resolved;
  checkWholeNumber("port", port, 65_535);
  checkWholeNumber("accounts", accounts, 100_000_000);
  checkWholeNumber("seed", seed, 0xffff_ffff);
  if (!(speed >= 0 && speed <= 1e6)) {
    throw new Error(`Sandbox speed ${speed}: a number from 0 to 1000000 is expected.`);
  }
  if (scenario !== undefined && !scenarios.includes(scenario)) {
    throw new Error(`Sandbox scenario "${scenario}": ${scenarios.join(" or ")} is expected.`);
  }
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(brand)) {
    throw new Error(`Sandbox brand "${brand}": lower-case letters, digits and _ are expected.`);
  }
  for (const { code, imported, staged } of suppliers) {
    checkWholeNumber(`supplier ${code} imported`, imported, 1_000_000);
    checkWholeNumber(`supplier ${code} staged`, staged, 1_000_000);
  }
  return resolved;
}

function checkWholeNumber(option: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return;
  throw new Error(`Sandbox ${option} ${value}: a whole number from 0 to ${max} is expected.`);
}
