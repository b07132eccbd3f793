/** Deletes observations and accounts that are past their retention, or that the user deletes. */
import { nextRetention } from "../../sqlite/retention.ts";
import { maybeWhole, type Rows, text, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import type { PurgeSelection } from "./observations.ts";
import { asideKinds, asideOrigin } from "./store.ts";

const changeRetentionMs = 90 * dayMs;
/** Milliseconds after which an account that left is forgotten. */
export const departedRetentionMs = 730 * dayMs;

/**
 * Deletes changes and timelines of more than 90 days. Returns the lists of which a new snapshot is
 * needed first, and the time before which accounts that left are forgotten.
 */
export function expire(rows: Rows, trusted: number | null): readonly ExpiringList[] {
  const due = () => {
    const row = rows.get(
      `SELECT min(at) + ? AS due FROM
        (SELECT min(at) AS at FROM observation UNION ALL SELECT min(at) FROM sighting)`,
      changeRetentionMs,
    );
    return row === undefined ? null : maybeWhole(row, "due");
  };
  const until = nextRetention(rows, trusted, due);
  if (until === null) return [];
  rows.run("DELETE FROM sighting WHERE at < ?", until - changeRetentionMs);
  return rows.all("SELECT * FROM list").map((row) => ({
    id: whole(row, "id"),
    origin: text(row, "origin"),
    supplier: text(row, "supplier"),
    changesBefore: until - changeRetentionMs,
    departedBefore: until - departedRetentionMs,
    isShared: rows.get("SELECT 1 FROM shared WHERE list = ?", whole(row, "id")) !== undefined,
    needsSnapshot:
      whole(row, "first_at") < until - departedRetentionMs ||
      rows.get(
        "SELECT 1 FROM observation WHERE list = ? AND at < ? AND seq > ?",
        whole(row, "id"),
        until - changeRetentionMs,
        whole(row, "base_seq"),
      ) !== undefined,
  }));
}

export interface ExpiringList {
  readonly id: number;
  readonly origin: string;
  readonly supplier: string;
  readonly changesBefore: number;
  readonly departedBefore: number;
  /** True if a team has it: then its accounts are forgotten by all machines at once. */
  readonly isShared: boolean;
  readonly needsSnapshot: boolean;
}

/** Keeps one observation a day of those before the retention, without its changes. */
export function thin(rows: Rows, { id, changesBefore, departedBefore }: ExpiringList): void {
  rows.run("UPDATE observation SET moves = NULL WHERE list = ? AND at < ?", id, changesBefore);
  rows.run(
    `DELETE FROM observation WHERE list = ?1 AND at < ?2 AND seq NOT IN
      (SELECT max(seq) FROM observation WHERE list = ?1 AND at < ?2 GROUP BY at / ${dayMs})`,
    ...[id, changesBefore],
  );
  rows.run(
    "DELETE FROM observation WHERE list = ?1 AND at < ?2 AND seq < (SELECT seq FROM list WHERE id = ?1)",
    ...[id, departedBefore],
  );
}

/** Deletes lists, also those that wait for a team. Returns the number of the others. */
export function purge(rows: Rows, origin: string, selection: PurgeSelection): number {
  if (selection === "all") {
    rows.run("DELETE FROM sighting");
    rows.run("DELETE FROM list WHERE origin LIKE 'aside %'");
    return rows.run("DELETE FROM list");
  }
  if ("supplier" in selection) {
    const { supplier } = selection;
    rows.run(
      "DELETE FROM sighting WHERE origin = ? AND json_extract(subject, '$[1]') = ?",
      origin,
      supplier,
    );
    const remove = (from: string) =>
      rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", from, supplier);
    for (const kind of asideKinds) remove(asideOrigin(kind, origin));
    return remove(origin);
  }
  rows.run("DELETE FROM sighting WHERE at < ?", selection.before);
  rows.run("DELETE FROM list WHERE origin LIKE 'aside %' AND last_at < ?", selection.before);
  return rows.run("DELETE FROM list WHERE last_at < ?", selection.before);
}
