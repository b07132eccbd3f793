/**
 * Deletes bodies and responses, which contain personal data, after a time, or at once by a purge.
 */

import { nextRetention } from "../sqlite/retention.ts";
import { maybeWhole, type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { dayMs } from "../text/durations.ts";
import { addRemark } from "./journal/changes.ts";
import type { Journal } from "./journal/open-journal.ts";

/**
 * Time for which bodies and responses of settled entries are stored by default, in milliseconds.
 */
export const keptBodiesMs = 90 * dayMs;

/** Milliseconds for which an entry and its outcome are stored by default. */
export const keptEntriesMs = 730 * dayMs;

interface PurgeResult {
  /** Number of entries whose body, responses and labels were removed. */
  readonly bodies: number;
  /** Entries that were removed altogether. */
  readonly entries: number;
}

/**
 * Entries that need no attention any more. A single entry that was never sent is not among them,
 * however old it is, because its body is the only copy of the data. A waiting row of a run belongs
 * to its run while a process runs that.
 */
const settled = `owner IS NULL AND (state IN ('confirmed', 'rejected', 'closed')
    OR (state = 'unsent' AND run IS NOT NULL)
    OR (state = 'intent' AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = intent.run
      AND run.owner IS NOT NULL)))`;

/**
 * Settled entries without those that might still be sent: rows of a run that has not ended.
 * Retention deletes the body of such a row in the end, a purge does not.
 */
const settledForGood = `${settled} AND NOT (state IN ('intent', 'unsent') AND EXISTS (SELECT 1 FROM run
    WHERE run.id = intent.run AND run.state <> 'ended'))`;

const purgeable = `FROM intent WHERE body IS NOT NULL AND created_at < ? AND ${settledForGood}`;

const oldBodies = `SELECT id FROM intent WHERE body IS NOT NULL AND created_at < ? AND ${settled}`;
const oldEntries = `SELECT id FROM intent WHERE created_at < ? AND ${settled}`;
const oldRuns = "SELECT id FROM run WHERE created_at < ? AND owner IS NULL";

/** The answers about accounts that runs of earlier versions stored (INTERFACE 4.8). */
const oldAnswers = `SELECT run, line FROM run_row WHERE detail IS NOT NULL AND run IN (${oldRuns})`;

/**
 * Number of rows that are deleted at a time, so that neither the disk nor other processes wait for
 * all of them.
 */
const together = 250;

/**
 * Removes old data, if the clock can be trusted: see `nextRetention`. Rejects with a journal error.
 */
export async function retain(journal: Journal, trusted: number | null): Promise<PurgeResult> {
  const nothing = { bodies: 0, entries: 0 };
  if (trusted === null) return nothing;
  const until = await journal.commit((rows) => nextRetention(rows, trusted, () => oldestDue(rows)));
  return until === null ? nothing : applyRetention(journal, until);
}

/** Returns the time at which the first row becomes too old, or null if there is no row. */
function oldestDue(rows: Rows): number | null {
  const row = rows.get(
    `SELECT min(due) AS due FROM (
      SELECT min(created_at) + ?1 AS due FROM intent WHERE body IS NOT NULL
      UNION ALL SELECT min(created_at) + ?1 FROM run
      UNION ALL SELECT min(created_at) + ?2 FROM intent)`,
    ...[keptBodiesMs, keptEntriesMs],
  );
  return row === undefined ? null : maybeWhole(row, "due");
}

/**
 * Removes data that is older than the limits at `now`. Entries that are unknown, retryable, unsent
 * or in progress stay.
 */
export async function applyRetention(journal: Journal, now: number): Promise<PurgeResult> {
  const bodies = await removeBodies(journal, now - keptBodiesMs, now);
  const entries = await eachOf(journal, oldEntries, now - keptEntriesMs, (rows, row) => {
    rows.run("DELETE FROM intent WHERE id = ?", whole(row, "id"));
  });
  const old = journal.read((rows) => rows.all(oldRuns, now - keptEntriesMs));
  for (const run of old) await removeRun(journal, text(run, "id"));
  return { bodies, entries };
}

/** Number of bodies that a purge would remove, and of bodies of the same age that it would keep. */
export interface PurgePlan {
  /** Settled entries: that they were made, and their outcomes, stay on record. */
  readonly bodies: number;
  /**
   * Number of writes that stay with their bodies, because their outcome is open or they might still
   * be sent.
   */
  readonly kept: number;
}

/** Returns the plan of {@link purge} for the journal as it is. Throws a journal error. */
export function planPurge(journal: Journal, before: number): PurgePlan {
  const counted = (what: string) =>
    journal.read((rows) => rows.number(`SELECT count(*) ${what}`, before));
  const bodies = counted(purgeable);
  const all = counted("FROM intent WHERE body IS NOT NULL AND created_at < ?");
  return { bodies, kept: all - bodies };
}

/**
 * Removes the bodies, answers and labels of settled writes made before an instant (epoch
 * milliseconds), and makes sure that the file itself no longer contains them. Entries that are
 * unknown, retryable, unsent, in progress, or rows of a run that has not ended keep their data.
 */
export async function purge(journal: Journal, before: number, now: number): Promise<PurgeResult> {
  const bodies = await removeBodies(journal, before, now, `SELECT id ${purgeable}`);
  await journal.compact();
  return { bodies, entries: 0 };
}

async function removeBodies(
  journal: Journal,
  before: number,
  now: number,
  which: string = oldBodies,
): Promise<number> {
  await eachOf(journal, oldAnswers, before, (rows, row) => {
    const [run, line] = [text(row, "run"), whole(row, "line")];
    rows.update("run_row", { detail: null }, "run = ? AND line = ?", run, line);
  });
  return eachOf(journal, which, before, (rows, row) => {
    const id = whole(row, "id");
    rows.update("attempt", { response: null }, "intent = ?", id);
    rows.update("item", { label: null }, "intent = ?", id);
    rows.update("intent", { body: null }, "id = ?", id);
    addRemark(rows, id, { at: now, kind: "purged", text: "" });
  });
}

async function removeRun(journal: Journal, id: string): Promise<void> {
  const mine = "SELECT line FROM run_row WHERE run = ?";
  await eachOf(journal, mine, id, (rows, row) => {
    rows.run("DELETE FROM run_row WHERE run = ? AND line = ?", id, whole(row, "line"));
  });
  await journal.commit((rows) => rows.run("DELETE FROM run WHERE id = ?", id));
}

/** Does something with every row that a query finds until it finds none, and counts them. */
async function eachOf(
  journal: Journal,
  find: string,
  of: number | string,
  change: (rows: Rows, row: Row) => void,
): Promise<number> {
  let done = 0;
  const some = `${find} LIMIT ${together}`;
  // The file is not written if there is nothing to remove.
  while (journal.read((rows) => rows.get(some, of)) !== undefined) {
    done += await journal.commit((rows) => {
      const found = rows.all(some, of);
      for (const row of found) change(rows, row);
      return found.length;
    });
  }
  return done;
}
