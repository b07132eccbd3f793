/** Bodies and answers hold personal data: they are kept for a time, and can be purged at once. */
import type { Journal } from "./journal/open-journal.ts";
import type { Rows } from "./journal/rows.ts";

const dayMs = 86_400_000;

/** Bodies and answers of settled writes are kept for so long by default. */
export const keptBodiesMs = 90 * dayMs;

/** That a write was made, and what became of it, is kept for so long by default. */
export const keptEntriesMs = 730 * dayMs;

export interface Purged {
  /** Entries whose body, answers and labels were taken out. */
  readonly bodies: number;
  /** Entries that are gone altogether. */
  readonly entries: number;
}

/** Nobody has to do anything about these any more. */
const settled = "state IN ('unsent', 'confirmed', 'rejected', 'closed') AND owner IS NULL";

const old = `SELECT id FROM intent WHERE ${settled} AND body IS NOT NULL AND created_at < ?`;

/** Takes out what is older than the limits. What is unknown, retryable or under way stays. */
export function applyRetention(
  journal: Journal,
  now: number,
  limits: { readonly bodiesMs?: number; readonly entriesMs?: number } = {},
): Promise<Purged> {
  const { bodiesMs = keptBodiesMs, entriesMs = keptEntriesMs } = limits;
  const due = journal.read(
    (rows) =>
      rows.get(`SELECT 1 FROM (${old}) LIMIT 1`, now - bodiesMs) ??
      rows.get(`SELECT 1 FROM intent WHERE ${settled} AND created_at < ? LIMIT 1`, now - entriesMs),
  );
  if (due === undefined) return Promise.resolve({ bodies: 0, entries: 0 });
  return journal.commit((rows) => ({
    bodies: takeOutBodies(rows, now - bodiesMs, now),
    entries: rows.run(`DELETE FROM intent WHERE ${settled} AND created_at < ?`, now - entriesMs)
      .changes,
  }));
}

/**
 * Takes out the bodies, answers and labels of settled writes made before an instant (epoch
 * milliseconds), and makes sure that the file itself no longer holds them.
 */
export async function purge(journal: Journal, before: number, now: number): Promise<Purged> {
  const bodies = await journal.commit((rows) => takeOutBodies(rows, before, now));
  await journal.compact();
  return { bodies, entries: 0 };
}

function takeOutBodies(rows: Rows, before: number, now: number): number {
  rows.run(`UPDATE attempt SET response = NULL WHERE intent IN (${old})`, before);
  rows.run(`UPDATE item SET label = NULL WHERE intent IN (${old})`, before);
  rows.run(
    `INSERT INTO remark (intent, at, kind, text) SELECT id, ?, 'purged', '' FROM (${old})`,
    now,
    before,
  );
  return rows.run(`UPDATE intent SET body = NULL WHERE id IN (${old})`, before).changes;
}
