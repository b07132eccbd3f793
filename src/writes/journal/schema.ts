/** Creates the journal's tables, one migration step for each change of the schema. */
import type { DatabaseSync } from "node:sqlite";
import { serviceKey } from "../../api/url.ts";
import type { FileKind } from "../../sqlite/file-error.ts";
import { maybeText, type Row, rowsOf, whole } from "../../sqlite/rows.ts";
import { effectiveState, itemKeys } from "../item-keys.ts";
import { isOperation } from "../kinds/kinds.ts";
import { bodyFacts } from "../prepare.ts";
import { firstTables, rowTriggers } from "./first-tables.ts";
import { journalWords } from "./journal-file.ts";

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
DROP TRIGGER IF EXISTS item_key_outlives_intent;
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
 * that do not know yet that a person took them from a profile. `entry` is the ID of an entry in the
 * ledger. `number` counts the claims of this folder, and `recognized` has a digit for each item. `dirty`
 * counts the changes of an entry that the ledger does not have: the triggers count each, whatever code
 * made it. `team_bar` has the entries of colleagues that barred an entry when it was last claimed.
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
      number INTEGER NOT NULL,
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

/** SQL that is true if an operator closed an entry, from SQL for a column of it. */
const isClosed = (column: (name: string) => string) =>
  `${column("state")} = 'closed' AND ${column("took_effect")} IS NOT NULL`;

/**
 * Lets a rejected row of a run become closed with its entry, as the entry is in Activity. A rejected
 * item of an entry that was settled by its items stays rejected.
 */
const closedRows = `
DROP TRIGGER run_row_follows_intent;
DROP TRIGGER run_row_follows_new_item;
DROP TRIGGER run_row_follows_item;
${rowTriggers((column) => `CASE WHEN ${isClosed(column)} THEN NULL ELSE 'rejected' END`)}
UPDATE run_row SET outcome = 'closed' WHERE outcome = 'rejected'
  AND intent IN (SELECT id FROM intent WHERE ${isClosed((name) => name)});
`;

/**
 * Adds the address of the ledger at which an entry was claimed. Versions before had one ledger for each
 * service.
 */
const claimAddresses = `
ALTER TABLE team_claim ADD COLUMN address TEXT NOT NULL DEFAULT '';
UPDATE team_claim SET address = coalesce(
  (SELECT address FROM team_ledger l WHERE l.service = team_claim.service),
  (SELECT address FROM team_joined j WHERE j.service = team_claim.service), '');
`;

export const journalKind: FileKind = {
  ...journalWords,
  // Versions 1 to 6 were never published.
  firstVersion: 7,
  steps: [
    firstTables,
    renewKeys,
    identity,
    overrides,
    closings,
    teamClaims,
    closedRows,
    claimAddresses,
  ],
};
