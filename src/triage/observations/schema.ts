/** The tables of the observations, and the words for their file in messages. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FileKind } from "../../sqlite/file-error.ts";
import { retentionTable } from "../../sqlite/retention.ts";

/**
 * The first version of the tables. A list that is held back is stored like an observation, in
 * `held` and `held_part`, until it is confirmed or another list is recorded.
 */
const firstVersion = `
CREATE TABLE list (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  origin TEXT NOT NULL,
  supplier TEXT NOT NULL,
  observations INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  folded_seq INTEGER NOT NULL,
  folded_at INTEGER NOT NULL,
  unfolded INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  newest_created_at INTEGER,
  UNIQUE (origin, supplier)
) STRICT;

CREATE TABLE part (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  kind INTEGER NOT NULL,
  block INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (list, kind, block)
) STRICT;

CREATE TABLE observation (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  tally TEXT NOT NULL,
  delta BLOB,
  UNIQUE (list, seq)
) STRICT;
CREATE INDEX observation_at ON observation (list, at);

CREATE TABLE held (
  list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  before INTEGER NOT NULL,
  now INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  tally TEXT NOT NULL,
  entries INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  newest_created_at INTEGER,
  delta BLOB NOT NULL
) STRICT;

CREATE TABLE held_part (
  list INTEGER NOT NULL REFERENCES held (list) ON DELETE CASCADE,
  kind INTEGER NOT NULL,
  block INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

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

/** The file of the observations, and its words in messages. */
export const observationsKind: FileKind = {
  file: "observations.sqlite",
  // "SPLO".
  applicationId: 0x53504c4f,
  steps: [firstVersion, retentionTable],
  about: "file",
  noun: "observations file",
  holds: "observations hold account numbers",
  row: "A row",
  onDamage: "The ages of accounts start again from there.",
  opensReadOnly: true,
};

/** Returns true if a state folder has a file of observations. */
export function hasObservations(folder: string): boolean {
  return existsSync(join(folder, observationsKind.file));
}
