/** Builds SQL that finds other journal entries for the same item. */
import { effectiveState } from "./journal/item-key-table.ts";

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
