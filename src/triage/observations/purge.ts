import type { OpenFile } from "../../sqlite/open-file.ts";
import type { Rows } from "../../sqlite/rows.ts";

/** A supplier of this origin, what was last observed before a time, or everything. */
export type Purged = { readonly supplier: string } | { readonly before: number } | "all";

/** Takes what was deleted out of the file itself. */
export function compact(database: OpenFile["database"]): void {
  try {
    database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
  } catch {
    // Another process reads it, or the disk is full: the room is used again by what is recorded next.
  }
}

/** Deletes what is asked for, inside a commit; returns how many suppliers are gone. */
export function purge(rows: Rows, origin: string, what: Purged): number {
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
