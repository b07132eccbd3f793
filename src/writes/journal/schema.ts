/** Creates the journal's tables, one migration step for each change of the schema. */
import type { DatabaseSync } from "node:sqlite";
import { serviceKey } from "../../api/url.ts";
import type { FileKind } from "../../sqlite/file-error.ts";
import { retentionTable } from "../../sqlite/retention.ts";
import { maybeText, type Row, rowsOf, text, whole } from "../../sqlite/rows.ts";
import { effectiveState, itemKeys, wholeRequest } from "../item-keys.ts";
import { isOperation } from "../kinds/kinds.ts";
import { bodyFacts } from "../prepare.ts";
import { journalWords } from "./journal-file.ts";

/** The tables of entries, attempts, items and notes. */
const firstTables = `
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
  form TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN (
    'intent', 'unsent', 'sending', 'confirmed', 'rejected', 'retryable', 'unknown', 'closed')),
  reason TEXT,
  doubt TEXT NOT NULL DEFAULT 'none' CHECK (doubt IN ('none', 'vendor', 'unknown')),
  looked_up TEXT,
  http_status INTEGER,
  code TEXT,
  owner TEXT,
  ended_at INTEGER
) STRICT;
CREATE INDEX intent_open ON intent (state) WHERE state IN ('intent', 'sending', 'unknown', 'retryable');
CREATE INDEX intent_created ON intent (created_at);
CREATE INDEX intent_bodies ON intent (created_at) WHERE body IS NOT NULL;
CREATE INDEX intent_owner ON intent (owner) WHERE owner IS NOT NULL;
CREATE INDEX intent_run ON intent (run, line) WHERE run IS NOT NULL;
CREATE INDEX intent_account ON intent (import_supplier, external_account_number, external_identifier);
CREATE INDEX intent_parent ON intent (parent) WHERE parent IS NOT NULL;

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

CREATE TABLE blocked_form (
  base_url TEXT NOT NULL,
  form TEXT NOT NULL,
  intent INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (base_url, form)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (
  lane TEXT PRIMARY KEY,
  intent INTEGER NOT NULL,
  owner TEXT NOT NULL,
  renewed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * Returns SQL for the outcome of a row of a run, from the state of its entry and the outcome of its
 * item.
 */
const rowOutcome = (state: string, intent: string) => `CASE
    WHEN ${state} IN ('intent', 'unsent') THEN 'waiting'
    WHEN ${state} IN ('sending', 'retryable') THEN ${state}
    ELSE coalesce((
      SELECT CASE item.outcome WHEN 'created' THEN 'confirmed' WHEN 'exists' THEN 'exists'
        WHEN 'unknown' THEN NULL ELSE 'rejected' END
      FROM item WHERE item.intent = ${intent} AND item.position = run_row.position), ${state})
    END`;

/** The outcomes of a row of a run, for SQL. */
const outcomes =
  "'waiting', 'sending', 'confirmed', 'exists', 'rejected', 'retryable', 'unknown', 'closed'";

/**
 * The tables of bulk runs. The triggers update the rows and the counts of a run in the same commit
 * as its entries, so that reading counts is cheap.
 */
const runs = `
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
  renewed_at INTEGER NOT NULL
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

CREATE INDEX intent_profile ON intent (profile);
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
CREATE TRIGGER run_row_follows_intent AFTER UPDATE OF state ON intent
  WHEN NEW.run IS NOT NULL BEGIN
  UPDATE run_row SET outcome = ${rowOutcome("NEW.state", "NEW.id")} WHERE intent = NEW.id;
END;
CREATE TRIGGER run_row_follows_new_item AFTER INSERT ON item
  WHEN NEW.outcome NOT IN ('created', 'unknown') BEGIN
  UPDATE run_row SET outcome = ${rowOutcome("(SELECT state FROM intent WHERE id = NEW.intent)", "NEW.intent")}
    WHERE intent = NEW.intent AND position = NEW.position;
END;
CREATE TRIGGER run_row_follows_item AFTER UPDATE OF outcome ON item
  WHEN NEW.outcome <> OLD.outcome BEGIN
  UPDATE run_row SET outcome = ${rowOutcome("(SELECT state FROM intent WHERE id = NEW.intent)", "NEW.intent")}
    WHERE intent = NEW.intent AND position = NEW.position;
END;
`;

/** Adds a column for a sentence about the end of an attempt. */
const endings = "ALTER TABLE attempt ADD COLUMN detail TEXT;";

/**
 * Adds a normalized service key to each entry and run. One service can have several spellings of
 * its URL and several profiles.
 */
function services(database: DatabaseSync): void {
  database.function("service_key", { deterministic: true }, (url) => serviceKey(String(url)));
  for (const table of ["intent", "run"]) {
    database.exec(`ALTER TABLE ${table} ADD COLUMN service TEXT NOT NULL DEFAULT '';
      UPDATE ${table} SET service = service_key(base_url);`);
  }
  database.exec("UPDATE OR REPLACE blocked_form SET base_url = service_key(base_url)");
}

/** SQL for the state of an item as version 0.3.0 stored it, before closed entries had an answer. */
const stateBeforeClosings = `CASE
    WHEN i.state = 'rejected' AND i.doubt <> 'none' THEN i.state
    WHEN t.outcome IN ('created', 'exists') THEN 'confirmed'
    WHEN t.outcome IN ('rejected', 'not-reached') THEN NULL
    WHEN i.state IN ('confirmed', 'unknown', 'sending') THEN i.state
    WHEN i.state IN ('retryable', 'closed') AND i.doubt <> 'none' THEN i.state
  END`;

/**
 * The table of the duplicate guard's keys. There is no foreign key, because a key outlives its
 * entry (see {@link closings}). `state` and `at` are null while the entry exists. The item outcomes
 * of an attempt before an interrupted one prove nothing, so they are deleted.
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
CREATE TRIGGER item_key_outlives_intent BEFORE DELETE ON intent BEGIN
  UPDATE item_key SET at = OLD.created_at, state = coalesce((
      SELECT ${stateBeforeClosings} FROM intent i
      LEFT JOIN item t ON t.intent = i.id AND t.position = item_key.position WHERE i.id = OLD.id
    ), CASE WHEN blocked THEN 'rejected' END)
    WHERE intent = OLD.id AND OLD.operation NOT IN ('notes create', 'supply-points create');
  DELETE FROM item_key WHERE intent = OLD.id AND state IS NULL;
END;
CREATE INDEX item_key_intent ON item_key (intent);
CREATE INDEX item_key_name ON item_key (name, service) WHERE name IS NOT NULL;
CREATE INDEX item_key_request ON item_key (service) WHERE position = ${wholeRequest};
DELETE FROM item WHERE outcome IN ('rejected', 'not-reached') AND (
  SELECT outcome FROM attempt WHERE attempt.intent = item.intent ORDER BY n DESC LIMIT 1
) IN ('no-answer', 'sending');
`;

/** Copies the blocks to the keys. A block remains after its entry is deleted. */
const blocks = `
UPDATE item_key SET blocked = 1 WHERE intent IN (SELECT intent FROM blocked_form);
INSERT INTO item_key (key, service, intent, position, blocked, state, at)
  SELECT form, base_url, intent, ${wholeRequest}, 1, 'rejected', at FROM blocked_form
  WHERE intent NOT IN (SELECT id FROM intent);
DROP TABLE blocked_form;
ALTER TABLE intent DROP COLUMN form;
`;

/**
 * Adds the keys of every entry of version 0.2.0, from its body. An entry whose body was purged or
 * is unreadable gets the hash of its whole request.
 */
function addItemKeys(database: DatabaseSync): void {
  database.exec(itemKeyTable);
  const rows = rowsOf(database);
  const entries = database.prepare("SELECT id, service, operation, body, form FROM intent");
  for (const entry of entries.iterate()) {
    const [intent, service] = [whole(entry, "id"), text(entry, "service")];
    const request = { content: text(entry, "form"), name: null };
    for (const [position, { content, name }] of keysFrom(entry)?.entries() ?? [
      [wholeRequest, request],
    ])
      rows.insert("item_key", { key: content, service, intent, position, name });
  }
  database.exec(blocks);
}

/** Returns the keys of an entry's items, or null if its body was purged or is unreadable. */
function keysFrom(entry: Row) {
  const operation = maybeText(entry, "operation") ?? "";
  if (!(entry.body instanceof Uint8Array) || !isOperation(operation)) return null;
  try {
    return itemKeys(operation, bodyFacts(operation, entry.body));
  } catch {
    return null;
  }
}

/** Adds indexes for look-ups by service and for entries that need attention. */
const lookups = `
DROP INDEX IF EXISTS intent_profile;
CREATE INDEX intent_service ON intent (service);
CREATE INDEX intent_left ON intent (service) WHERE (state = 'unsent' OR (state = 'rejected' AND run IS NULL));
`;

/**
 * The tables of overrides, each with the findings that it passes. An override of an earlier version
 * has only a reason, so it passes nothing. `earlier` is a number of the journal, or a text like `t7`
 * for an entry of the team's ledger. `barred_by` is the earlier entry that bars an entry.
 */
const overrides = `
CREATE TABLE override (
  intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('refused', 'in-doubt', 'confirmed')),
  earlier ANY NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (intent, item, kind, earlier)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_override (
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('refused', 'in-doubt', 'confirmed')),
  earlier ANY NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (run, item, kind, earlier)
) STRICT, WITHOUT ROWID;
ALTER TABLE intent ADD COLUMN barred_by INTEGER;
CREATE INDEX intent_held ON intent (run) WHERE run IS NOT NULL AND state = 'unsent' AND reason = 'sent-before';
`;

/**
 * Adds the operator's answer if a closed entry took effect. Earlier versions did not ask. The
 * trigger stores the state of each item if its entry is deleted, with null for an item without an
 * effect. The keys of items that move money always stay. The keys of notes and supply points are
 * deleted, because a short text can be guessed from its hash, and so are those of statements
 * without an effect.
 */
const closings = `
ALTER TABLE intent ADD COLUMN took_effect TEXT CHECK (took_effect IN ('yes', 'no', 'unknown'));
UPDATE intent SET took_effect = 'unknown' WHERE state = 'closed' AND reason = 'closed-by-operator';
DROP TRIGGER item_key_outlives_intent;
CREATE TRIGGER item_key_outlives_intent BEFORE DELETE ON intent BEGIN
  UPDATE item_key SET at = OLD.created_at, state = coalesce((
      SELECT ${effectiveState} FROM intent i
      LEFT JOIN item t ON t.intent = i.id AND t.position = item_key.position WHERE i.id = OLD.id
    ), CASE WHEN blocked THEN 'rejected' END)
    WHERE intent = OLD.id AND OLD.operation NOT IN ('notes create', 'supply-points create');
  DELETE FROM item_key WHERE intent = OLD.id AND state IS NULL
    AND OLD.operation NOT IN ('transactions create', 'payment-instructions create');
END;
`;

/**
 * Renews the keys of services and of items that version 0.3.0 recorded. A key of an item whose body
 * was purged stays, and is found by `earlierContent`.
 */
function renewKeys(database: DatabaseSync): void {
  database.function("service_key", { deterministic: true }, (url) => serviceKey(String(url)));
  for (const table of ["intent", "run", "item_key"]) {
    const address = table === "item_key" ? "service" : "base_url";
    database.exec(`UPDATE ${table} SET service = service_key(${address})
      WHERE service <> service_key(${address})`);
  }
  const rows = rowsOf(database);
  const entries = database.prepare("SELECT id, operation, body FROM intent WHERE body IS NOT NULL");
  for (const entry of entries.iterate())
    for (const [position, { content, name }] of keysFrom(entry)?.entries() ?? []) {
      const isItem = "intent = ? AND position = ? AND (key <> ? OR name IS NOT ?)";
      const keys = { key: content, name };
      rows.update("item_key", keys, isItem, whole(entry, "id"), position, content, name);
    }
}

/**
 * Adds the identity of the journal, and its position: the number of attempts that were ever begun.
 * A restored or copied journal has an earlier position than the remembered one. `lacks` is null, or
 * the number of attempts that such a journal lacks.
 */
function identity(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE identity (id TEXT NOT NULL, position INTEGER NOT NULL, lacks INTEGER) STRICT;
    CREATE TABLE repair (at INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
    CREATE TRIGGER attempt_raises_position AFTER INSERT ON attempt BEGIN
      UPDATE identity SET position = position + 1;
    END;`);
  const attempts = rowsOf(database).number("SELECT count(*) FROM attempt");
  rowsOf(database).insert("identity", { id: crypto.randomUUID(), position: attempts });
}

/**
 * Adds the claims of entries at the ledger of a team. `team_self` has the random ID of this state
 * folder and the number of its latest claim. `team_ledger` has the ledger of each service, as it was
 * last seen. `team_joined` has the ledgers that have this folder's earlier entries, and `team_left` those
 * that do not know yet that a person took them from a profile. `entry` is the ID
 * of an entry in the ledger. `recognized` has a digit for each item. `dirty` counts the changes of an
 * entry that the ledger does not have: the triggers count each, whatever code made it. `team_bar` has
 * the entries of colleagues that barred an entry when it was last claimed.
 */
function teamClaims(database: DatabaseSync): void {
  const changed = (intent: string) =>
    `BEGIN UPDATE team_claim SET dirty = dirty + 1 WHERE intent = ${intent}; END`;
  database.exec(`
    CREATE TABLE team_self (id TEXT NOT NULL, seq INTEGER NOT NULL) STRICT;
    CREATE TABLE team_ledger (
      service TEXT PRIMARY KEY,
      address TEXT NOT NULL,
      epoch TEXT NOT NULL,
      newest INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE team_joined (
      service TEXT NOT NULL,
      address TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (service, address)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE team_left (
      service TEXT NOT NULL,
      address TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (service, address)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE team_claim (
      intent INTEGER PRIMARY KEY REFERENCES intent (id) ON DELETE CASCADE,
      service TEXT NOT NULL,
      token TEXT NOT NULL,
      recognized TEXT NOT NULL,
      entry INTEGER,
      dirty INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE team_bar (
      intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
      item TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('refused', 'in-doubt', 'confirmed')),
      earlier TEXT NOT NULL,
      PRIMARY KEY (intent, item, kind, earlier)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX team_claim_dirty ON team_claim (service, intent) WHERE dirty > 0;
    CREATE TRIGGER team_claim_follows_intent
      AFTER UPDATE OF state, reason, doubt, http_status, code ON intent ${changed("NEW.id")};
    CREATE TRIGGER team_claim_follows_new_item AFTER INSERT ON item ${changed("NEW.intent")};
    CREATE TRIGGER team_claim_follows_item AFTER UPDATE OF outcome ON item ${changed("NEW.intent")};
    CREATE TRIGGER team_claim_follows_block
      AFTER UPDATE OF blocked ON item_key ${changed("NEW.intent")};`);
  rowsOf(database).insert("team_self", { id: crypto.randomUUID(), seq: 0 });
}

/** The kind of the journal's file, with its migration steps in order. */
export const journalKind: FileKind = {
  ...journalWords,
  steps: [
    firstTables,
    runs,
    endings,
    services,
    addItemKeys,
    lookups,
    retentionTable,
    renewKeys,
    identity,
    overrides,
    closings,
    teamClaims,
  ],
};
