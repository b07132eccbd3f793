/** Deletes observations: those past their retention time, and those that the user purges. */

import type { OpenFile } from "../../sqlite/open-file.ts";
import { nextRetention } from "../../sqlite/retention.ts";
import { maybeWhole, type Row, type Rows, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import { deleteDepartedBefore, fold } from "./fold.ts";
import type { PurgeSelection } from "./observations.ts";

/** Retention time, in milliseconds, of changes, and of timelines without a later check. */
const changeRetentionMs = 90 * dayMs;
/** Retention time, in milliseconds, of departed accounts after they were last seen. */
const departedRetentionMs = 730 * dayMs;

/**
 * Deletes the expired data of every list, inside a commit. `trusted` is as in {@link
 * nextRetention}.
 */
export function expire(rows: Rows, trusted: number | null): void {
  const until = nextRetention(rows, trusted, () => oldestDue(rows));
  if (until === null) return;
  rows.run("DELETE FROM sighting WHERE at < ?", until - changeRetentionMs);
  for (const list of rows.all("SELECT * FROM list")) expireList(rows, list, until);
}

/** Returns the time at which the oldest row expires, or null if there are no rows. */
function oldestDue(rows: Rows): number | null {
  const row = rows.get(
    `SELECT min(at) + ? AS due FROM
      (SELECT min(at) AS at FROM observation UNION ALL SELECT min(at) FROM sighting)`,
    changeRetentionMs,
  );
  return row === undefined ? null : maybeWhole(row, "due");
}

/**
 * Deletes the expired data of one list. Data older than `until` minus its retention time expires.
 */
function expireList(rows: Rows, list: Row, until: number): void {
  const id = whole(list, "id");
  const changesBefore = until - changeRetentionMs;
  // Only a list with history from before that time can have expired accounts.
  const canHaveExpired = whole(list, "first_at") < until - departedRetentionMs;
  const [unfoldedDelta] = rows.all(
    "SELECT 1 FROM observation WHERE list = ? AND at < ? AND seq > ? LIMIT 1",
    id,
    changesBefore,
    whole(list, "folded_seq"),
  );
  // A delta can be deleted only after it is folded into the stored blocks.
  if (unfoldedDelta !== undefined || canHaveExpired) fold(rows, list);
  rows.update("observation", { delta: null }, "list = ? AND at < ?", id, changesBefore);
  // Only the last counts of each day remain.
  rows.run(
    `DELETE FROM observation WHERE list = ?1 AND at < ?2 AND seq NOT IN
      (SELECT max(seq) FROM observation WHERE list = ?1 AND at < ?2 GROUP BY at / ${dayMs})`,
    id,
    changesBefore,
  );
  if (!canHaveExpired) return;
  deleteDepartedBefore(rows, list, until - departedRetentionMs);
  rows.run(
    "DELETE FROM observation WHERE list = ? AND at < ? AND seq < ?",
    id,
    until - departedRetentionMs,
    whole(list, "seq"),
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
 * origin. Returns the number of deleted lists, without timelines.
 */
export function purge(rows: Rows, origin: string, selection: PurgeSelection): number {
  if (selection === "all") {
    rows.run("DELETE FROM sighting");
    return rows.run("DELETE FROM list");
  }
  if ("supplier" in selection) {
    rows.run(
      "DELETE FROM sighting WHERE origin = ? AND json_extract(subject, '$[1]') = ?",
      origin,
      selection.supplier,
    );
    return rows.run(
      "DELETE FROM list WHERE origin = ? AND supplier = ?",
      origin,
      selection.supplier,
    );
  }
  rows.run("DELETE FROM sighting WHERE at < ?", selection.before);
  return rows.run("DELETE FROM list WHERE last_at < ?", selection.before);
}
