/** The import suppliers of the sandbox and their accounts. */
import type { Clock } from "./world/clock.ts";
import { fixedWorld } from "./world/fixed-world.ts";
import { movingWorld } from "./world/moving-world.ts";
import type { AccountWorld } from "./world/world.ts";

export type SupplierStatus = "Ongoing" | "Paused" | "Complete";

/** A supplier added for a test: so many accounts imported, so many staged, none of them moving. */
export interface SupplierSpec {
  readonly code: string;
  readonly status: SupplierStatus;
  readonly imported: number;
  readonly staged: number;
}

export interface Supplier {
  readonly code: string;
  readonly status: SupplierStatus;
  readonly accounts: AccountWorld;
}

export interface SuppliersSettings {
  readonly accounts: number;
  readonly seed: number;
  readonly clock: Clock;
  readonly firstLook: (supplier: string, externalNumber: string) => number | undefined;
  readonly added: readonly SupplierSpec[];
}

const standing: readonly SupplierSpec[] = [
  { code: "PAUSED", status: "Paused", imported: 24, staged: 16 },
  { code: "DONE", status: "Complete", imported: 35, staged: 2 },
];

/** Room for each supplier's service account numbers; ACME has what is below. */
const numbersApart = 0x0100_0000;

/** ACME, PAUSED and DONE, and the added ones, which take the place of one with the same code. */
export function suppliers(settings: SuppliersSettings): ReadonlyMap<string, Supplier> {
  const { accounts: size, seed, clock, firstLook, added } = settings;
  const acme: Supplier = {
    code: "ACME",
    status: "Ongoing",
    accounts: movingWorld({
      size,
      seed,
      clock,
      firstNumber: 0,
      firstLook: (externalNumber) => firstLook("ACME", externalNumber),
    }),
  };
  const fixed = [...standing, ...added].map((spec, index): [string, Supplier] => [
    spec.code,
    {
      code: spec.code,
      status: spec.status,
      accounts: fixedWorld({
        size: spec.imported + spec.staged,
        imported: spec.imported,
        prefix: spec.code,
        seed,
        clock,
        firstNumber: 0x8000_0000 + index * numbersApart,
      }),
    },
  ]);
  return new Map([["ACME", acme], ...fixed]);
}
