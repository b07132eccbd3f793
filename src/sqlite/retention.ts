/** When old rows may be deleted: a wrong clock deletes for good what a right one would have kept. */
import { dayMs, hourMs } from "../text/durations.ts";
import { type Rows, whole } from "./rows.ts";

/** The step of a file's schema that adds the time of its last retention. */
export const retentionTable = `
CREATE TABLE retention (until INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
`;

/** A file takes another day's worth out at most this often, however many processes use it. */
const restMs = hourMs;

/**
 * Returns the time by which rows are too old for their limits now, and stores it as that of the last
 * retention, inside a commit; null if nothing may be deleted. Times are epoch milliseconds.
 *
 * `trusted` is the time that the machine and the service agree about, null without one. Both can be
 * wrong together, so a retention takes out one day's worth: it goes one day beyond the one before.
 * A file that never had one begins where its oldest row is due (`oldestDue`; null if there is no row),
 * and nothing is deleted then. From the clock alone it would begin at that clock's time, and a wrong
 * one would take everything out with the next retention.
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
  // A retention that is still to come was stored by a wrong clock.
  if (until > trusted) rows.run("UPDATE retention SET until = ?1, at = ?1", trusted);
  const isResting = at <= trusted && trusted - at < restMs;
  if (isResting || until + dayMs > trusted) return null;
  rows.run("UPDATE retention SET until = ?, at = ?", until + dayMs, trusted);
  return until + dayMs;
}
