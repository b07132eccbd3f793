/**
 * Computes the time before which old rows can be deleted. A wrong clock must not cause the deletion
 * of too many rows.
 */
import { dayMs, hourMs } from "../text/durations.ts";
import { type Rows, whole } from "./rows.ts";

export const retentionTable = `
CREATE TABLE retention (until INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
`;

/** Minimum time between two retentions of a file, in all processes together. */
const minIntervalMs = hourMs;

/**
 * Returns the time before which rows have expired, and stores that time as the last retention. Call
 * this inside a commit. Returns null if nothing can be deleted. Times are epoch milliseconds.
 *
 * `trusted` is the time on which the machine and the service agree, or null if there is none. Both
 * clocks can be wrong, so each retention advances by only one day. The first retention of a file
 * stores the time at which its oldest row expires (`oldestDue`, or null if there is no row), and
 * deletes nothing. If the time of the clock were stored instead, a wrong clock would delete every
 * row at the next retention.
 */
export function nextRetention(
  rows: Rows,
  trusted: number | null,
  oldestDue: () => number | null,
): number | null {
  if (trusted === null) return null;
  const last = rows.get("SELECT until, at FROM retention");
  if (last === undefined) {
    const due = oldestDue();
    if (due !== null) rows.insert("retention", { until: Math.min(due, trusted), at: trusted });
    return null;
  }
  const [until, at] = [whole(last, "until"), whole(last, "at")];
  // A retention time in the future was stored by a wrong clock.
  if (until > trusted) rows.run("UPDATE retention SET until = ?1, at = ?1", trusted);
  const isTooSoon = at <= trusted && trusted - at < minIntervalMs;
  if (isTooSoon || until + dayMs > trusted) return null;
  rows.run("UPDATE retention SET until = ?, at = ?", until + dayMs, trusted);
  return until + dayMs;
}
