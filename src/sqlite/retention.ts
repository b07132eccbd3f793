/**
 * The time up to which old rows may be deleted. A wrong clock would delete rows for good that a
 * right one would not.
 */
import { dayMs, hourMs } from "../text/durations.ts";
import { type Rows, whole } from "./rows.ts";

/** The step of a file's schema that adds the time of its last retention. */
export const retentionTable = `
CREATE TABLE retention (until INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
`;

/** Minimum time between two retentions of a file, for any number of processes. */
const restMs = hourMs;

/**
 * Returns the time by which rows have exceeded their limits, and stores it as that of the last
 * retention, inside a commit. Returns null if nothing may be deleted. Times are epoch milliseconds.
 *
 * `trusted` is the time on which the machine and the service agree, or null without one. Both can
 * be wrong together, so a retention deletes one day's worth: it advances one day beyond the one
 * before. A file without an earlier retention begins when its oldest row is due (`oldestDue`, null
 * if there is no row), and nothing is deleted then. If it began at the clock's time, a wrong clock
 * would delete everything with the next retention.
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
  // The time of a retention in the future was stored by a wrong clock.
  if (until > trusted) rows.run("UPDATE retention SET until = ?1, at = ?1", trusted);
  const isResting = at <= trusted && trusted - at < restMs;
  if (isResting || until + dayMs > trusted) return null;
  rows.run("UPDATE retention SET until = ?, at = ?", until + dayMs, trusted);
  return until + dayMs;
}
