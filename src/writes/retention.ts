/**
 * Deletes old entries, bodies and responses of the journal, because they contain personal data. A
 * purge deletes bodies and responses immediately.
 */

import { nextRetention } from "../sqlite/retention.ts";
import { maybeWhole, type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { dayMs } from "../text/durations.ts";
import { addRemark } from "./journal/changes.ts";
import type { Journal } from "./journal/open-journal.ts";

/** Time for which bodies and responses of settled entries are stored, in milliseconds. */
export const bodyRetentionMs = 90 * dayMs;

export const entryRetentionMs = 730 * dayMs;

interface RemovedCounts {
  /** Number of entries whose body, responses and labels were removed. */
  readonly bodies: number;
  readonly entries: number;
}

/**
 * SQL for entries that need no attention. A single unsent entry is excluded at any age, because its
 * body is the only copy of the data. A waiting row of a run is excluded while a process owns the
 * run.
 */
const settled = `owner IS NULL AND (state IN ('confirmed', 'rejected', 'closed')
    OR (state = 'unsent' AND run IS NOT NULL)
    OR (state = 'intent' AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = intent.run
      AND run.owner IS NOT NULL)))`;

/**
 * SQL for settled entries without the waiting rows of a run that has not ended, because those might
 * still be sent. Retention deletes the bodies of such rows, a purge does not.
 */
const settledForGood = `${settled} AND NOT (state IN ('intent', 'unsent') AND EXISTS (SELECT 1 FROM run
    WHERE run.id = intent.run AND run.state <> 'ended'))`;

const purgeable = `FROM intent WHERE body IS NOT NULL AND created_at < ? AND ${settledForGood}`;

const oldBodies = `SELECT id FROM intent WHERE body IS NOT NULL AND created_at < ? AND ${settled}`;
const oldEntries = `SELECT id FROM intent WHERE created_at < ? AND ${settled}`;
const oldRuns = "SELECT id FROM run WHERE created_at < ? AND owner IS NULL";

/** Number of rows in one commit, so that other processes can use the journal in between. */
const rowsPerCommit = 250;

/**
 * Removes old data. Does nothing if `trusted` is null, because the clock cannot be trusted. See
 * {@link nextRetention}. Rejects with a journal error.
 */
export async function retain(journal: Journal, trusted: number | null): Promise<void> {
  if (trusted === null) return;
  const until = await journal.commit((rows) => nextRetention(rows, trusted, () => oldestDue(rows)));
  if (until !== null) await applyRetention(journal, until);
}

function oldestDue(rows: Rows): number | null {
  const row = rows.get(
    `SELECT min(due) AS due FROM (
      SELECT min(created_at) + ?1 AS due FROM intent WHERE body IS NOT NULL
      UNION ALL SELECT min(created_at) + ?1 FROM run
      UNION ALL SELECT min(created_at) + ?2 FROM intent)`,
    ...[bodyRetentionMs, entryRetentionMs],
  );
  return row === undefined ? null : maybeWhole(row, "due");
}

/**
 * Removes data that is older than the limits at `now`. Unknown, retryable, unsent and running
 * entries are not removed.
 */
export async function applyRetention(journal: Journal, now: number): Promise<RemovedCounts> {
  const bodies = await removeBodies(journal, now - bodyRetentionMs, now);
  const entries = await eachOf(journal, oldEntries, now - entryRetentionMs, (rows, row) => {
    rows.run("DELETE FROM intent WHERE id = ?", whole(row, "id"));
  });
  const old = journal.read((rows) => rows.all(oldRuns, now - entryRetentionMs));
  for (const run of old) await removeRun(journal, text(run, "id"));
  return { bodies, entries };
}

/** The number of bodies that a purge removes, and of those of the same age that it keeps. */
export interface PurgePlan {
  /** Number of settled entries whose body is removed. The entries and their outcomes remain. */
  readonly bodies: number;
  /** Number of bodies that are kept, because the outcome is open or the entry might be sent. */
  readonly kept: number;
}

/** Returns the effect of {@link purge} without a change. Throws a journal error. */
export function planPurge(journal: Journal, before: number): PurgePlan {
  const countOf = (selection: string) =>
    journal.read((rows) => rows.number(`SELECT count(*) ${selection}`, before));
  const bodies = countOf(purgeable);
  const all = countOf("FROM intent WHERE body IS NOT NULL AND created_at < ?");
  return { bodies, kept: all - bodies };
}

/**
 * Removes the bodies, responses and labels of settled entries recorded before an instant (epoch
 * milliseconds), and removes that data from the file itself. Unknown, retryable, unsent and running
 * entries, and waiting rows of a run that has not ended, are not changed. Resolves with the number
 * of these entries. Rejects with a journal error.
 */
export async function purge(journal: Journal, before: number, now: number): Promise<number> {
  const bodies = await removeBodies(journal, before, now, `SELECT id ${purgeable}`);
  await journal.compact();
  return bodies;
}

async function removeBodies(
  journal: Journal,
  before: number,
  now: number,
  selection: string = oldBodies,
): Promise<number> {
  return eachOf(journal, selection, before, (rows, row) => {
    const id = whole(row, "id");
    rows.update("attempt", { response: null }, "intent = ?", id);
    rows.update("item", { label: null }, "intent = ?", id);
    rows.update("intent", { body: null }, "id = ?", id);
    addRemark(rows, id, { at: now, kind: "purged", text: "" });
  });
}

async function removeRun(journal: Journal, id: string): Promise<void> {
  const rowsOfRun = "SELECT line FROM run_row WHERE run = ?";
  await eachOf(journal, rowsOfRun, id, (rows, row) => {
    rows.run("DELETE FROM run_row WHERE run = ? AND line = ?", id, whole(row, "line"));
  });
  await journal.commit((rows) => rows.run("DELETE FROM run WHERE id = ?", id));
}

/** Calls `change` for each row of `query` until there are none. Resolves with their number. */
async function eachOf(
  journal: Journal,
  query: string,
  value: number | string,
  change: (rows: Rows, row: Row) => void,
): Promise<number> {
  let done = 0;
  const page = `${query} LIMIT ${rowsPerCommit}`;
  // The file is not written if there is nothing to remove.
  while (journal.read((rows) => rows.get(page, value)) !== undefined) {
    done += await journal.commit((rows) => {
      const matching = rows.all(page, value);
      for (const row of matching) change(rows, row);
      return matching.length;
    });
  }
  return done;
}
