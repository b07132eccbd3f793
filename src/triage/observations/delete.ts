/** Deletes observations: those past their retention time, and those that the user purges. */

import type { OpenFile } from "../../sqlite/open-file.ts";
import { nextRetention } from "../../sqlite/retention.ts";
import { maybeWhole, type Row, type Rows, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import { deleteLeftBefore, fold } from "./fold.ts";
import type { PurgeSelection } from "./observations.ts";

/** Retention time of changes, and of timelines that were not seen again. */
const changesMs = 90 * dayMs;
/** Retention time of accounts that left a list, after they were last seen. */
const leftMs = 730 * dayMs;

/**
 * Deletes the expired data of every list, inside a commit. `trusted` is as in {@link
 * nextRetention}.
 */
export function expire(rows: Rows, trusted: number | null): void {
  const until = nextRetention(rows, trusted, () => oldestDue(rows));
  if (until === null) return;
  rows.run("DELETE FROM sighting WHERE at < ?", until - changesMs);
  for (const list of rows.all("SELECT * FROM list")) expireList(rows, list, until);
}

/** Returns the time at which the oldest row expires, or null if there are no rows. */
function oldestDue(rows: Rows): number | null {
  const row = rows.get(
    `SELECT min(at) + ? AS due FROM
      (SELECT min(at) AS at FROM observation UNION ALL SELECT min(at) FROM sighting)`,
    changesMs,
  );
  return row === undefined ? null : maybeWhole(row, "due");
}

function expireList(rows: Rows, list: Row, until: number): void {
  const id = whole(list, "id");
  const changes = until - changesMs;
  const isOld = whole(list, "first_at") < until - leftMs;
  const [first] = rows.all(
    "SELECT 1 FROM observation WHERE list = ? AND at < ? AND seq > ? LIMIT 1",
    ...[id, changes, whole(list, "folded_seq")],
  );
  // Deltas can be deleted only if they are in the parts.
  if (first !== undefined || isOld) fold(rows, list);
  rows.update("observation", { delta: null }, "list = ? AND at < ?", id, changes);
  // Only the last counts of each day remain.
  rows.run(
    `DELETE FROM observation WHERE list = ?1 AND at < ?2 AND seq NOT IN
      (SELECT max(seq) FROM observation WHERE list = ?1 AND at < ?2 GROUP BY at / ${dayMs})`,
    ...[id, changes],
  );
  if (!isOld) return;
  deleteLeftBefore(rows, list, until - leftMs);
  rows.run(
    "DELETE FROM observation WHERE list = ? AND at < ? AND seq < ?",
    ...[id, until - leftMs, whole(list, "seq")],
  );
}

/** Removes deleted data from the file itself. */
export function compact(database: OpenFile["database"]): void {
  try {
    database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
  } catch {
    // The file is in use or the disk is full. Later data reuses the free space.
  }
}

/**
 * Deletes the selected observations, inside a commit. `before` and `all` delete those of every
 * origin. Returns the number of deleted lists; timelines do not count.
 */
export function purge(rows: Rows, origin: string, what: PurgeSelection): number {
  if (what === "all") {
    rows.run("DELETE FROM sighting");
    return rows.run("DELETE FROM list");
  }
  if ("supplier" in what) {
    rows.run(
      "DELETE FROM sighting WHERE origin = ? AND json_extract(subject, '$[1]') = ?",
      origin,
      what.supplier,
    );
    return rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", origin, what.supplier);
  }
  rows.run("DELETE FROM sighting WHERE at < ?", what.before);
  return rows.run("DELETE FROM list WHERE last_at < ?", what.before);
}
