/** The tables of stored observations: one snapshot per list, and one change per load since then. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FileKind } from "../../sqlite/file-error.ts";
import { retentionTable } from "../../sqlite/retention.ts";

const seenTables = `
CREATE TABLE sighting (
  origin TEXT NOT NULL,
  subject TEXT NOT NULL,
  at INTEGER NOT NULL,
  timeline TEXT NOT NULL,
  PRIMARY KEY (origin, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX sighting_at ON sighting (at);
CREATE TABLE whole_check (at INTEGER NOT NULL) STRICT;
`;

/** The lists of the first version had other tables: their ages start again. */
const listTables = `
DROP TABLE IF EXISTS shared;
DROP TABLE IF EXISTS held_part;
DROP TABLE IF EXISTS held;
DROP TABLE IF EXISTS part;
DROP TABLE IF EXISTS observation;
DROP TABLE IF EXISTS list;
CREATE TABLE list (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  origin TEXT NOT NULL,
  supplier TEXT NOT NULL,
  observations INTEGER NOT NULL,
  -- Accounts that are known, listed or not.
  rows INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  -- The observation that the snapshot contains.
  base_seq INTEGER NOT NULL,
  base_at INTEGER NOT NULL,
  -- Changed accounts since the snapshot.
  entries INTEGER NOT NULL,
  -- Accounts that retention has deleted.
  forgotten INTEGER NOT NULL DEFAULT 0,
  UNIQUE (origin, supplier)
) STRICT;
CREATE TABLE snapshot (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (list, name)
) STRICT;
-- seq is 0 while the list is held back.
CREATE TABLE observation (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  newest_created_at INTEGER,
  -- JSON: changes by kind; listed accounts before and now; pending accounts by the time since when.
  tally TEXT NOT NULL,
  listed TEXT NOT NULL,
  pending_since TEXT,
  -- The changed accounts and their moves; their data in the list, until a snapshot contains it.
  moves BLOB,
  contents BLOB,
  -- Earlier dates of accounts, from a history that joined the team.
  dates BLOB,
  -- With a team: the time before which accounts that left are forgotten from here on.
  forget_before INTEGER,
  UNIQUE (list, seq)
) STRICT;
CREATE INDEX observation_at ON observation (list, at);
-- The part of a list that is a team's: its observations up to a number, with the numbers of the team.
CREATE TABLE shared (
  list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
  ledger TEXT NOT NULL,
  number INTEGER NOT NULL,
  token TEXT NOT NULL,
  machines INTEGER NOT NULL,
  -- The machine and the person of the newest observation.
  machine TEXT NOT NULL,
  person TEXT NOT NULL,
  -- The list that is held back for the team.
  held TEXT,
  -- True if every observation of the team before the oldest one here is here, too.
  is_whole INTEGER NOT NULL,
  -- Lists of this machine that the team does not have, because a later one was faster.
  dropped INTEGER NOT NULL
) STRICT;
`;

export const observationsKind: FileKind = {
  file: "observations.sqlite",
  applicationId: 0x53504c4f,
  firstVersion: 1,
  steps: [seenTables, retentionTable, listTables],
  about: "file",
  noun: "observations file",
  holds: "observations hold account numbers",
  row: "A row",
  onDamage: "The ages of accounts start again from there.",
  opensReadOnly: true,
};

export function hasObservations(folder: string): boolean {
  return existsSync(join(folder, observationsKind.file));
}
