/** Creates the import suppliers of the sandbox and their accounts. */

import { createdBy, historyTimes } from "./world/history.ts";
import { movingWorld } from "./world/moving-world.ts";
import { externalNumber, numberOf, serviceNumber } from "./world/numbers.ts";
import { waveWorld } from "./world/wave-world.ts";
import type { AccountWorld, Clock, WorldSettings } from "./world/world.ts";

type SupplierStatus = "Ongoing" | "Paused" | "Complete";

/** A supplier added for a test, with imported and staged accounts that do not move. */
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
  /** True if the supplier's day begins with its first list. */
  readonly beginsWithList: boolean;
}

interface SuppliersSettings {
  readonly accounts: number;
  readonly seed: number;
  readonly clock: Clock;
  readonly firstLook: (supplier: string, externalNumber: string) => number | undefined;
  /** Instant of the first list of a supplier, epoch ms. */
  readonly firstList: (supplier: string) => number | undefined;
  /** True if the day of NORTH is played from its morning. */
  readonly isWholeDay: boolean;
  readonly added: readonly SupplierSpec[];
}

const standing: readonly SupplierSpec[] = [
  { code: "PAUSED", status: "Paused", imported: 24, staged: 16 },
  { code: "DONE", status: "Complete", imported: 35, staged: 2 },
];

/**
 * Distance between the first service account numbers of two suppliers. ACME has the numbers below
 * it.
 */
const numbersApart = 0x0100_0000;
const waveNumbers = 0x7000_0000;

/**
 * Returns the four standard suppliers and the added ones. An added one replaces a supplier with the
 * same code.
 */
export function suppliers(settings: SuppliersSettings): ReadonlyMap<string, Supplier> {
  const { accounts: size, seed, clock, firstLook, firstList, isWholeDay, added } = settings;
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
    beginsWithList: false,
  };
  const north: Supplier = {
    code: "NORTH",
    status: "Ongoing",
    accounts: waveWorld({
      seed,
      clock,
      prefix: "NORTH",
      firstNumber: waveNumbers,
      isWholeDay,
      firstList: () => firstList("NORTH"),
    }),
    beginsWithList: true,
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
      beginsWithList: false,
    },
  ]);
  return new Map([["ACME", acme], ["NORTH", north], ...fixed]);
}

interface FixedWorldSettings extends WorldSettings {
  readonly size: number;
  /** Beginning of every external account number, for example `PAUSED`. */
  readonly prefix: string;
  /** Number of imported accounts. The rest of `size` is staged. */
  readonly imported: number;
}

/** Returns the accounts of a supplier whose migration is not in progress. */
function fixedWorld(settings: FixedWorldSettings): AccountWorld {
  const { size, seed, clock, firstNumber, prefix, imported } = settings;
  const created = historyTimes(clock.epoch, seed ^ firstNumber, imported);
  return {
    size,
    externalNumber: (row) => externalNumber(prefix, row + 1),
    rowOf: (text) => {
      const number = numberOf(prefix, text);
      return number !== undefined && number >= 1 && number <= size ? number - 1 : undefined;
    },
    status: (row, at) =>
      createdBy(clock, at, created[row]) === undefined ? "UNKNOWN" : "COMPLETED",
    createdAt: (row, at) => createdBy(clock, at, created[row]),
    serviceNumber: (row) => serviceNumber(seed, firstNumber + row),
  };
}
