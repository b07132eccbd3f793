/** The entries of the journal that are for one item, as conditions of SQL. */

/** SQL that is true if the entry `later` went to the account or supply point of the entry `of`. */
const sameTarget = `later.import_supplier = of.import_supplier
  AND later.external_account_number IS of.external_account_number
  AND later.external_identifier IS of.external_identifier
  AND later.service = of.service AND later.operation = of.operation`;

/** An entry that the guard kept back was confirmed before, each other one afterward. */
const inTime = `(later.id > of.id OR later.ended_at >= of.ended_at OR of.reason = 'sent-before')`;

const confirmed = `later.state = 'confirmed' AND later.id <> of.id AND ${sameTarget} AND ${inTime}`;

/**
 * SQL that is true if the items of the entry `of` were confirmed later by another entry. An item is
 * known by its label; entries of one form have the same items. `items` narrows down the items `mine`.
 */
export function confirmedLater(items: string = "true"): string {
  const mine = `SELECT 1 FROM item mine WHERE mine.intent = of.id AND mine.label <> '' AND ${items}`;
  return `(EXISTS (SELECT 1 FROM intent later WHERE ${confirmed} AND later.form = of.form)
    OR (EXISTS (${mine}) AND NOT EXISTS (${mine} AND NOT EXISTS (
      SELECT 1 FROM intent later JOIN item theirs ON theirs.intent = later.id
      WHERE ${confirmed} AND theirs.label = mine.label))))`;
}
