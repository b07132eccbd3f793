/**
 * Creates the table of the duplicate guard's keys, fills it from a journal of version 0.2.0, and
 * has the SQL that finds other entries for the same item.
 */
import type { DatabaseSync } from "node:sqlite";
import { maybeText, type Row, rowsOf, text, whole } from "../../sqlite/rows.ts";
import { itemKeys } from "../item-keys.ts";
import { isOperation } from "../kinds/kinds.ts";
import { bodyFacts } from "../prepare.ts";

/** The value of `position` in a key that is for a whole request. */
export const wholeRequest = -1;

/**
 * SQL for the state of the key `k` of entry `i` with item `t`, or null if the item cannot have
 * taken effect. An item's outcome counts before the state of its entry. Exception: a conflict
 * rejects every item and leaves a doubt about each.
 */
export const effectiveState = `CASE
    WHEN i.state = 'rejected' AND i.doubt <> 'none' THEN i.state
    WHEN t.outcome IN ('created', 'exists') THEN 'confirmed'
    WHEN t.outcome IN ('rejected', 'not-reached') THEN NULL
    WHEN i.state IN ('confirmed', 'unknown', 'sending') THEN i.state
    WHEN i.state IN ('retryable', 'closed') AND i.doubt <> 'none' THEN i.state
  END`;

/**
 * There is no foreign key, because a key outlives its entry. `state` and `at` are null while the
 * entry exists. If the entry is deleted, the trigger stores the keys of items that might have taken
 * effect or are blocked. It deletes the keys of notes and supply points, because they move no money
 * and a short text can be guessed from its hash.
 */
const table = `
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
CREATE INDEX item_key_request ON item_key (service) WHERE position = ${wholeRequest};
CREATE TRIGGER item_key_outlives_intent BEFORE DELETE ON intent BEGIN
  UPDATE item_key SET at = OLD.created_at, state = coalesce((
      SELECT ${effectiveState} FROM intent i
      LEFT JOIN item t ON t.intent = i.id AND t.position = item_key.position WHERE i.id = OLD.id
    ), CASE WHEN blocked THEN 'rejected' END)
    WHERE intent = OLD.id AND OLD.operation NOT IN ('notes create', 'supply-points create');
  DELETE FROM item_key WHERE intent = OLD.id AND state IS NULL;
END;
`;

/**
 * Deletes the item outcomes of an earlier attempt if the process ended during a later attempt. They
 * prove nothing about the later attempt.
 */
const staleItems = `
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
 * Creates the keys of every entry from its body. An entry whose body was purged or is unreadable
 * gets the hash of its whole request.
 */
export function addItemKeys(database: DatabaseSync): void {
  database.exec(table);
  database.exec(staleItems);
  const rows = rowsOf(database);
  const add = (intent: Row, key: string, position: number, name: string | null) =>
    rows.run(
      "INSERT INTO item_key (key, service, intent, position, name) VALUES (?, ?, ?, ?, ?)",
      key,
      text(intent, "service"),
      whole(intent, "id"),
      position,
      name,
    );
  const entries = database.prepare("SELECT id, service, operation, body, form FROM intent");
  for (const entry of entries.iterate()) {
    const keys = keysFrom(entry);
    if (keys === null) add(entry, text(entry, "form"), wholeRequest, null);
    for (const [position, { content, name }] of keys?.entries() ?? [])
      add(entry, content, position, name);
  }
  database.exec(blocks);
}

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
 * The condition on time. The confirmation must be later, except for an entry that the duplicate
 * guard barred.
 */
const inTime = `i.id <> of.id
  AND (i.id > of.id OR i.ended_at >= of.ended_at OR of.reason = 'sent-before')`;

/** SQL that is true if another entry with the key `mine` confirmed its item. */
const sameContent = `EXISTS (SELECT 1 FROM item_key k JOIN intent i ON i.id = k.intent
  LEFT JOIN item t ON t.intent = k.intent AND t.position = k.position
  WHERE k.key = mine.key AND k.service = mine.service AND ${effectiveState} = 'confirmed' AND ${inTime})`;

/** SQL that is true if another entry confirmed an item with the label of the item `mine`. */
const sameLabel = `EXISTS (SELECT 1 FROM intent i JOIN item t ON t.intent = i.id
  WHERE i.import_supplier = of.import_supplier
    AND i.external_account_number IS of.external_account_number
    AND i.external_identifier IS of.external_identifier
    AND i.service = of.service AND i.operation = of.operation
    AND i.state = 'confirmed' AND t.label = mine.label AND ${inTime})`;

/**
 * Returns SQL that is true if another entry confirmed the items of the entry `of`: with the same
 * content, or after a correction with the same label. `items` is SQL that limits the compared items
 * `mine`. Default: all.
 */
export function confirmedLater(items: string = "true"): string {
  const all = (mine: string, confirmed: string) =>
    `(EXISTS (${mine}) AND NOT EXISTS (${mine} AND NOT ${confirmed}))`;
  const ofEntry = `mine.intent = of.id AND ${items}`;
  const byKey = all(`SELECT 1 FROM item_key mine WHERE ${ofEntry}`, sameContent);
  const byLabel = all(`SELECT 1 FROM item mine WHERE mine.label <> '' AND ${ofEntry}`, sameLabel);
  return `(${byKey} OR ${byLabel})`;
}
