/**
 * Computes the keys by which the duplicate guard recognizes items in any request, and has the SQL
 * for the state of an item with a stored key.
 */
import { hash } from "node:crypto";
import { comparableJson, normalJson } from "../json/normal-form.ts";
import { type BodyFacts, numberOf, type Operation } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";

/** The hashes of one item. The journal stores them with the service. */
export interface ItemKey {
  /** The content's hash. Equal items of one kind for one account or supply point share it. */
  readonly content: string;
  /**
   * The hash of the content as version 0.3.0 stored it. It is the only way to recognize an entry of
   * that version whose body was purged. Null if it is the same as `content`.
   */
  readonly earlierContent: string | null;
  /**
   * The hash of the name, which is equal for items of one kind and account with the same name, or
   * null if the item has no name.
   */
  readonly name: string | null;
}

/**
 * Returns the key of each item, in order. The query is not part of a key, because an option does
 * not change the identity of an item. A change to the keys needs a migration step of the journal
 * file, because stored keys are compared with new keys.
 */
export function itemKeys(
  operation: Operation,
  { target, items }: Pick<BodyFacts, "target" | "items">,
): readonly ItemKey[] {
  const { identityOf, nameOf } = kindOf(operation);
  const number = numberOf(target);
  const prefix = normalJson([operation, target.importSupplier, number]);
  const earlierPrefix = JSON.stringify([operation, target.importSupplier, number]);
  return items.map((item) => {
    const name = nameOf(item);
    const content = digest(`${prefix} ${normalJson(identityOf(item))}`);
    const earlier = digest(`${earlierPrefix} ${comparableJson(item)}`);
    return {
      content,
      earlierContent: earlier === content ? null : earlier,
      name: name === null ? null : digest(`${prefix} ${normalJson(name)}`),
    };
  });
}

function digest(text: string): string {
  return hash("sha256", text, "base64url");
}

/**
 * SQL for the state of the key `k` of entry `i` with item `t`, or null if the item cannot have
 * taken effect. An item's outcome counts before the state of its entry. Exceptions: a conflict
 * rejects every item and leaves a doubt about each. An operator who saw the effect knows more than
 * a rejection says, but no operator's `no` frees an item that the service confirmed.
 */
export const effectiveState = `CASE
    WHEN i.state = 'rejected' AND i.doubt <> 'none' THEN i.state
    WHEN t.outcome IN ('created', 'exists') THEN 'confirmed'
    WHEN i.state = 'closed' AND i.took_effect = 'yes' THEN 'confirmed'
    WHEN t.outcome IN ('rejected', 'not-reached') THEN NULL
    WHEN i.state = 'closed' AND i.took_effect = 'no' THEN NULL
    WHEN i.state IN ('confirmed', 'unknown', 'sending') THEN i.state
    WHEN i.state IN ('retryable', 'closed') AND i.doubt <> 'none' THEN i.state
  END`;

/** The condition on time: confirmed later, except for an entry that the duplicate guard barred. */
const inTime = `i.id <> of.id
  AND (i.id > of.id OR i.ended_at >= of.ended_at OR of.reason = 'sent-before')`;

const confirmedItem = (same: string) => `EXISTS (
  SELECT 1 FROM item_key k JOIN intent i ON i.id = k.intent
  LEFT JOIN item t ON t.intent = k.intent AND t.position = k.position
  WHERE ${same} AND k.service = mine.service AND ${effectiveState} = 'confirmed' AND ${inTime})`;

/**
 * Returns SQL that is true if another entry confirmed each item of the entry `of`: with the same
 * content, or after a correction with the same name. `items` is SQL that limits the compared items
 * `mine`. Default: all.
 */
export function confirmedLater(items: string = "true"): string {
  const mine = `SELECT 1 FROM item_key mine WHERE mine.intent = of.id AND ${items}`;
  const isConfirmed = `(${confirmedItem("k.key = mine.key")} OR ${confirmedItem("k.name = mine.name")})`;
  return `(EXISTS (${mine}) AND NOT EXISTS (${mine} AND NOT ${isConfirmed}))`;
}
