/** Creates the import suppliers of the sandbox and their accounts. */
import { createdBy, historyTimes } from "./world/history.ts";
import { movingWorld } from "./world/moving-world.ts";
import { externalNumber, rowNumbered, serviceNumber } from "./world/numbers.ts";
import { waveWorld } from "./world/wave-world.ts";
import type { AccountWorld, Clock, WorldSettings } from "./world/world.ts";

type SupplierStatus = "Ongoing" | "Paused" | "Complete";

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
  /** True if the timeline of the supplier begins with the first request for a list. */
  readonly beginsWithList: boolean;
}

interface SuppliersSettings {
  readonly accounts: number;
  readonly seed: number;
  readonly clock: Clock;
  /** Returns the instant of the first status request for an account, epoch ms. */
  readonly firstStatus: (supplier: string, externalNumber: string) => number | undefined;
  /** Returns the instant of the first request for a list of a supplier, epoch ms. */
  readonly firstList: (supplier: string) => number | undefined;
  /** True if the day of NORTH begins in the morning, false if it begins in the afternoon. */
  readonly isWholeDay: boolean;
  readonly added: readonly SupplierSpec[];
}

const standardSpecs: readonly SupplierSpec[] = [
  { code: "PAUSED", status: "Paused", imported: 24, staged: 16 },
  { code: "DONE", status: "Complete", imported: 35, staged: 2 },
];

const firstNumbers = { north: 0x7000_0000, fixed: 0x8000_0000 } as const;
const numbersPerSupplier = 0x0100_0000;

/** Returns the four standard suppliers and the added ones, which replace one of the same code. */
export function suppliers(settings: SuppliersSettings): ReadonlyMap<string, Supplier> {
  const { accounts: size, seed, clock, firstStatus, firstList, isWholeDay, added } = settings;
  const acme: Supplier = {
    code: "ACME",
    status: "Ongoing",
    accounts: movingWorld({
      size,
      seed,
      clock,
      firstNumber: 0,
      firstStatus: (externalNumber) => firstStatus("ACME", externalNumber),
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
      firstNumber: firstNumbers.north,
      isWholeDay,
      firstList: () => firstList("NORTH"),
    }),
    beginsWithList: true,
  };
  const fixed = [...standardSpecs, ...added].map((spec, index): [string, Supplier] => [
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
        firstNumber: firstNumbers.fixed + index * numbersPerSupplier,
      }),
      beginsWithList: false,
    },
  ]);
  return new Map([["ACME", acme], ["NORTH", north], ...fixed]);
}

interface FixedWorldSettings extends WorldSettings {
  readonly size: number;
  readonly prefix: string;
  /** Number of imported accounts. The rest of `size` is staged. */
  readonly imported: number;
}

function fixedWorld(settings: FixedWorldSettings): AccountWorld {
  const { size, seed, clock, firstNumber, prefix, imported } = settings;
  const created = historyTimes(clock.epoch, seed ^ firstNumber, imported);
  return {
    size,
    externalNumber: (row) => externalNumber(prefix, row + 1),
    rowOf: (text) => rowNumbered(prefix, text, size),
    status: (row, at) =>
      createdBy(clock, at, created[row]) === undefined ? "UNKNOWN" : "COMPLETED",
    createdAt: (row, at) => createdBy(clock, at, created[row]),
    serviceNumber: (row) => serviceNumber(seed, firstNumber + row),
  };
}
