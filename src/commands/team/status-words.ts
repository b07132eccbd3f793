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

export function restoredWords({
  restoredAt,
  machines,
}: Pick<LedgerStatus, "restoredAt" | "machines">): string | null {
  if (restoredAt === null) return null;
  const owing = machines.filter(({ owes }) => owes).map(({ machine }) => machine);
  return `The ledger was restored from a backup. It bars writes until ${plural(owing.length, "machine")} reported back: ${[...new Set(owing)].join(", ")}.`;
}

/** Returns a sentence about machines whose profile left the team, or null. */
export function leftWords({ machines }: Pick<LedgerStatus, "machines">): string | null {
  const left = machines.filter(({ leftAt }) => leftAt !== null).map(({ machine }) => machine);
  if (left.length === 0) return null;
  const names = [...new Set(left)].join(", ");
  return `${names} left the team: the ledger does not have what ${left.length === 1 ? "it sends" : "they send"}.`;
}
