/** Returns the facts of stored lists about one account. */
import type { ListedAccount } from "../verdict.ts";
import type { Ages } from "./observations.ts";

/** `machines` is the number of the team's machines that made the lists, or null without a team. */
export function listedIn(
  ages: Ages,
  external: string,
  machines: number | null,
): ListedAccount | null {
  const row = ages.rowOf(external);
  return row < 0 ? null : listedAt(ages, row, machines);
}

/** Returns the facts about the account of a row, or null for a deleted row. */
export function listedAt(ages: Ages, row: number, machines: number | null): ListedAccount | null {
  const observed = ages.observedStateOf(row);
  if (observed === null) return null;
  const { state, since } = observed;
  const isGone = state === "gone";
  return {
    state,
    at: ages.observedAt,
    leftAt: isGone || state === "removed" ? timeOrNull(since) : null,
    pendingSince: timeOrNull(ages.firstPending(row)),
    pendingUntil: isGone ? timeOrNull(ages.lastSeen(row)) : null,
    createdAt: timeOrNull(ages.createdAt(row)),
    machines,
  };
}

export function timeOrNull(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}
