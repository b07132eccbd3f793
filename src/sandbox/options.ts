/** What a sandbox can be started with. */
import type { Observer } from "./observer.ts";
import type { SupplierSpec } from "./suppliers.ts";

/** What a sandbox can play. */
export const scenarios = ["migration-day"] as const;

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Accounts of ACME, 120 by default. A million cost no memory: rows are derived when asked for. */
  readonly accounts?: number;
  /** 1 by default; the same seed gives the same world. */
  readonly seed?: number;
  /** Folder that stores the state across restarts; without one the state ends with the sandbox. */
  readonly dataDir?: string;
  /** Fault specs, as docs/sandbox.md describes them. */
  readonly faults?: readonly string[];
  /** Word in the names of fields such as `service_account_number`; "service" by default. */
  readonly brand?: string;
  /** Plays the whole migration day of NORTH, instead of its afternoon. */
  readonly scenario?: (typeof scenarios)[number];
  /** Pace of the moving processes: 1 is natural, 0 stops them. */
  readonly speed?: number;
  /** The time, epoch ms; Date.now by default. */
  readonly now?: () => number;
  /** Suppliers beside ACME, NORTH, PAUSED and DONE. */
  readonly suppliers?: readonly SupplierSpec[];
  /** Called for every request; not in a worker. */
  readonly observer?: Observer;
}

export type ResolvedOptions = Required<
  Omit<SandboxOptions, "dataDir" | "observer" | "scenario">
> & {
  readonly scenario: SandboxOptions["scenario"];
  readonly dataDir: string | undefined;
  readonly observer: Observer | undefined;
};

/** Fills in the defaults. Throws an Error that names an option which is out of its range. */
export function resolveOptions(options: SandboxOptions): ResolvedOptions {
  const {
    port = 0,
    accounts = 120,
    seed = 1,
    dataDir,
    faults = [],
    brand = "service",
    scenario,
    speed = 1,
    now = Date.now,
    suppliers = [],
    observer,
  } = options;
  wholeNumber("port", port, 65_535);
  wholeNumber("accounts", accounts, 100_000_000);
  wholeNumber("seed", seed, 0xffff_ffff);
  if (!(speed >= 0 && speed <= 1e6)) {
    throw new Error(`Sandbox speed ${speed}: a number from 0 to 1000000 is expected.`);
  }
  if (scenario !== undefined && !scenarios.includes(scenario)) {
    throw new Error(`Sandbox scenario "${scenario}": expected ${scenarios.join(" or ")}.`);
  }
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(brand)) {
    throw new Error(`Sandbox brand "${brand}": lower-case letters, digits and _ are expected.`);
  }
  for (const { code, imported, staged } of suppliers) {
    wholeNumber(`supplier ${code} imported`, imported, 1_000_000);
    wholeNumber(`supplier ${code} staged`, staged, 1_000_000);
  }
  return {
    port,
    accounts,
    seed,
    dataDir,
    faults,
    brand,
    scenario,
    speed,
    now,
    suppliers,
    observer,
  };
}

function wholeNumber(option: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  throw new Error(`Sandbox ${option} ${value}: a whole number from 0 to ${most} is expected.`);
}
