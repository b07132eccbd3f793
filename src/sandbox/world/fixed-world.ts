/** A supplier whose migration stands still: so many accounts imported, the rest staged. */
import { pastInstants } from "./history.ts";
import { externalNumber, numberOf, serviceNumber } from "./numbers.ts";
import type { AccountWorld, WorldSettings } from "./world.ts";

export interface FixedWorldSettings extends WorldSettings {
  /** Beginning of every external account number, for example `PAUSED`. */
  readonly prefix: string;
  /** The first so many of `size` are imported. */
  readonly imported: number;
}

export function fixedWorld(settings: FixedWorldSettings): AccountWorld {
  const { size, seed, clock, firstNumber, prefix, imported } = settings;
  const created = pastInstants(clock.epoch, seed ^ firstNumber, imported);
  return {
    size,
    externalNumber: (row) => externalNumber(prefix, row + 1),
    rowOf: (text) => {
      const number = numberOf(prefix, text);
      return number !== undefined && number >= 1 && number <= size ? number - 1 : undefined;
    },
    status: (row) => (row < imported ? "COMPLETED" : "UNKNOWN"),
    createdAt: (row) => created[row],
    serviceNumber: (row) => serviceNumber(seed, firstNumber + row),
  };
}
