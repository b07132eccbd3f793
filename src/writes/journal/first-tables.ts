/** The SQL for the journal's tables as version 0.3.0 created them. */
import { retentionTable } from "../../sqlite/retention.ts";

/** The tables of entries, attempts, items and notes. */
const entryTables = `
CREATE TABLE intent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT,
  line INTEGER,
  parent INTEGER REFERENCES intent (id) ON DELETE SET NULL,
  profile TEXT NOT NULL,
  base_url TEXT NOT NULL,
  operation TEXT NOT NULL,
  import_supplier TEXT NOT NULL,
  external_account_number TEXT,
  external_identifier TEXT,
  path TEXT NOT NULL,
  query TEXT NOT NULL,
  body BLOB,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN (
    'intent', 'unsent', 'sending', 'confirmed', 'rejected', 'retryable', 'unknown', 'closed')),
  reason TEXT,
  doubt TEXT NOT NULL DEFAULT 'none' CHECK (doubt IN ('none', 'vendor', 'unknown')),
  looked_up TEXT,
  http_status INTEGER,
  code TEXT,
  owner TEXT,
  ended_at INTEGER,
  service TEXT NOT NULL
) STRICT;
CREATE INDEX intent_open ON intent (state) WHERE state IN ('intent', 'sending', 'unknown', 'retryable');
CREATE INDEX intent_created ON intent (created_at);
CREATE INDEX intent_bodies ON intent (created_at) WHERE body IS NOT NULL;
CREATE INDEX intent_owner ON intent (owner) WHERE owner IS NOT NULL;
CREATE INDEX intent_run ON intent (run, line) WHERE run IS NOT NULL;
CREATE INDEX intent_account ON intent (import_supplier, external_account_number, external_identifier);
CREATE INDEX intent_parent ON intent (parent) WHERE parent IS NOT NULL;
CREATE INDEX intent_service ON intent (service);
CREATE INDEX intent_left ON intent (service) WHERE (state = 'unsent' OR (state = 'rejected' AND run IS NULL));

CREATE TABLE attempt (
  intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  headers_sent_at INTEGER,
  ended_at INTEGER,
  outcome TEXT NOT NULL,
  http_status INTEGER,
  code TEXT,
  response TEXT,
  detail TEXT,
  PRIMARY KEY (intent, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE item (
  intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  label TEXT,
  outcome TEXT NOT NULL,
  status TEXT,
  PRIMARY KEY (intent, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE remark (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX remark_intent ON remark (intent);

CREATE TABLE claim (
  lane TEXT PRIMARY KEY,
  intent INTEGER NOT NULL,
  owner TEXT NOT NULL,
  renewed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * Returns SQL for the outcome of a row of a run, from the state of its entry and the outcome of its
 * item. `refused` is SQL for the outcome of a rejected item, or null for that of the entry.
 */
const rowOutcome = (state: string, intent: string, refused: string) => `CASE
    WHEN ${state} IN ('intent', 'unsent') THEN 'waiting'
    WHEN ${state} IN ('sending', 'retryable') THEN ${state}
    ELSE coalesce((
      SELECT CASE item.outcome WHEN 'created' THEN 'confirmed' WHEN 'exists' THEN 'exists'
        WHEN 'unknown' THEN NULL ELSE ${refused} END
      FROM item WHERE item.intent = ${intent} AND item.position = run_row.position), ${state})
    END`;

/** The outcomes of a row of a run, for SQL. */
const outcomes =
  "'waiting', 'sending', 'confirmed', 'exists', 'rejected', 'retryable', 'unknown', 'closed'";

/**
 * Returns the triggers that let the rows of runs follow their entries. `refused` returns SQL for the
 * outcome of a rejected item, from SQL for a column of its entry.
 */
export function rowTriggers(refused: (column: (name: string) => string) => string): string {
  const ofIntent = (name: string) => `NEW.${name}`;
  const ofItem = (name: string) => `(SELECT ${name} FROM intent WHERE id = NEW.intent)`;
  const byIntent = rowOutcome(ofIntent("state"), "NEW.id", refused(ofIntent));
  const byItem = rowOutcome(ofItem("state"), "NEW.intent", refused(ofItem));
  return `CREATE TRIGGER run_row_follows_intent AFTER UPDATE OF state ON intent
  WHEN NEW.run IS NOT NULL BEGIN
  UPDATE run_row SET outcome = ${byIntent} WHERE intent = NEW.id;
END;
CREATE TRIGGER run_row_follows_new_item AFTER INSERT ON item
  WHEN NEW.outcome NOT IN ('created', 'unknown') BEGIN
  UPDATE run_row SET outcome = ${byItem}
    WHERE intent = NEW.intent AND position = NEW.position;
END;
CREATE TRIGGER run_row_follows_item AFTER UPDATE OF outcome ON item
  WHEN NEW.outcome <> OLD.outcome BEGIN
  UPDATE run_row SET outcome = ${byItem}
    WHERE intent = NEW.intent AND position = NEW.position;
END;`;
}

/**
 * The tables of bulk runs. The triggers update the rows and the counts of a run in the same commit
 * as its entries, so that reading counts is cheap.
 */
const runTables = `
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  profile TEXT NOT NULL,
  base_url TEXT NOT NULL,
  source TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  results TEXT,
  reading TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  request_count INTEGER NOT NULL,
  recorded INTEGER NOT NULL DEFAULT 0,
  chain TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  state TEXT NOT NULL CHECK (state IN ('recording', 'void', 'running', 'stopped', 'ended')),
  stopped_by TEXT,
  stopped_because TEXT,
  owner TEXT,
  renewed_at INTEGER NOT NULL,
  service TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_created ON run (created_at);

CREATE TABLE run_row (
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  intent INTEGER REFERENCES intent (id) ON DELETE SET NULL,
  position INTEGER NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT 'waiting' CHECK (outcome IN (${outcomes})),
  import_supplier TEXT,
  external_account_number TEXT,
  status TEXT,
  http_status INTEGER,
  code TEXT,
  detail TEXT,
  PRIMARY KEY (run, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_row_outcome ON run_row (run, outcome, line);
CREATE INDEX run_row_intent ON run_row (intent) WHERE intent IS NOT NULL;

CREATE TABLE whole_check (at INTEGER NOT NULL) STRICT;

CREATE TABLE run_count (
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  outcome TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (run, outcome)
) STRICT, WITHOUT ROWID;

CREATE INDEX intent_run_open ON intent (run, line)
  WHERE run IS NOT NULL AND state IN ('intent', 'unsent', 'unknown', 'retryable');

CREATE TRIGGER run_row_added AFTER INSERT ON run_row BEGIN
  INSERT INTO run_count (run, outcome, n) VALUES (NEW.run, NEW.outcome, 1)
    ON CONFLICT (run, outcome) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER run_row_turned AFTER UPDATE OF outcome ON run_row
  WHEN NEW.outcome <> OLD.outcome BEGIN
  UPDATE run_count SET n = n - 1 WHERE run = OLD.run AND outcome = OLD.outcome;
  INSERT INTO run_count (run, outcome, n) VALUES (NEW.run, NEW.outcome, 1)
    ON CONFLICT (run, outcome) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER run_row_taken_out AFTER DELETE ON run_row BEGIN
  UPDATE run_count SET n = n - 1 WHERE run = OLD.run AND outcome = OLD.outcome;
END;
${rowTriggers(() => "'rejected'")}`;

/**
 * The table of the duplicate guard's keys. There is no foreign key, because a key outlives its
 * entry. `state` and `at` are null while the entry exists.
 */
const itemKeyTable = `
CREATE TABLE item_key (
  key TEXT NOT NULL,
  service TEXT NOT NULL,
  intent INTEGER NOT NULL,
  position INTEGER NOT NULL,
  name TEXT,
  blocked INTEGER NOT NULL DEFAULT 0,
  state TEXT,
  at INTEGER,
  PRIMARY KEY (key, service, intent, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_key_intent ON item_key (intent);
CREATE INDEX item_key_name ON item_key (name, service) WHERE name IS NOT NULL;
`;

/** The tables of version 0.3.0, the first that was published. */
export const firstTables = `${entryTables}${runTables}${itemKeyTable}${retentionTable}`;
