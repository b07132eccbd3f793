/** Puts the problems of a team's ledger into words, for `team status` and `doctor`. */
import { formatDuration } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";
import type { LedgerStatus } from "../../writes/team/ledger-status.ts";

/**
 * Tolerated difference between the clocks of the database and of this machine, in milliseconds. With
 * a larger one, retention deletes nothing.
 */
const toleratedMs = 5 * 60_000;

/** Returns a sentence about clocks that differ too much, or null. */
export function clockWords({ clockAheadMs }: Pick<LedgerStatus, "clockAheadMs">): string | null {
  if (Math.abs(clockAheadMs) <= toleratedMs) return null;
  const side = clockAheadMs > 0 ? "behind" : "ahead of";
  return `This machine's clock is ${formatDuration(Math.abs(clockAheadMs))} ${side} the team's database. Set the wrong one right.`;
}

/** Returns a sentence about machines that owe their entries to a restored ledger, or null. */
export function restoredWords({
  restoredAt,
  machines,
}: Pick<LedgerStatus, "restoredAt" | "machines">): string | null {
  if (restoredAt === null) return null;
  const owing = machines.filter(({ owes }) => owes).map(({ machine }) => machine);
  return `The ledger was restored from a backup. It bars writes until ${plural(owing.length, "machine")} reported back: ${[...new Set(owing)].join(", ")}.`;
}
