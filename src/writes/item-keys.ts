/**
 * Computes the keys by which the duplicate guard recognizes items in any request, and has the SQL
 * for the state of an item with a stored key.
 */
import { createHash, hash } from "node:crypto";
import { formOf } from "../forms/forms.ts";
import { canonicalJson, comparableJson } from "../json/exact.ts";
import { textAt } from "./kinds/bodies.ts";
import type { BodyFacts, Operation, Query } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";

/** The hashes of one item. The journal stores them with the service. */
export interface ItemKey {
  /**
   * The hash of the content. Equal items of one kind for the same account or supply point have the
   * same hash.
   */
  readonly content: string;
  /**
   * The hash of the ID, which is equal for items of one kind and account with the same ID, or null
   * if the item has no ID.
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
  const { idField } = kindOf(operation);
  const number =
    target.kind === "account" ? target.externalAccountNumber : target.externalIdentifier;
  const prefix = JSON.stringify([operation, target.importSupplier, number]);
  return items.map((item) => {
    const id = idField === null ? null : textAt(item, idField);
    return {
      content: digest(`${prefix} ${comparableJson(item)}`),
      name: id === null || id === "" ? null : digest(`${prefix} ${JSON.stringify(id)}`),
    };
  });
}

function digest(text: string): string {
  return hash("sha256", text, "base64url");
}

/**
 * Returns the hashes of a whole request as version 0.2.0 stored them, one for each form of its
 * query. They are the only way to recognize an entry of that version whose body was purged.
 */
export function requestKeys(
  operation: Operation,
  { payload }: Pick<BodyFacts, "payload">,
): readonly string[] {
  const body = canonicalJson(payload);
  return queriesOf(formOf(operation).query.map(({ name }) => name)).map((query) =>
    createHash("sha256")
      .update(JSON.stringify([operation, query]))
      .update(body)
      .digest("hex"),
  );
}

/** Returns every query that the parameters can form, each absent, true or false. */
function queriesOf([name, ...others]: readonly string[]): readonly Query[] {
  if (name === undefined) return [{}];
  const rest = queriesOf(others);
  return [
    ...rest,
    ...["true", "false"].flatMap((value) => rest.map((query) => ({ [name]: value, ...query }))),
  ];
}

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
