/** Computes the keys by which the duplicate guard recognizes items in any request. */
import { createHash, hash } from "node:crypto";
import { formOf } from "../forms/forms.ts";
import { canonicalJson, comparableJson } from "../json/print.ts";
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
  const about = JSON.stringify([operation, target.importSupplier, number]);
  return items.map((item) => {
    const id = idField === null ? null : textAt(item, idField);
    return {
      content: digest(`${about} ${comparableJson(item)}`),
      name: id === null || id === "" ? null : digest(`${about} ${JSON.stringify(id)}`),
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

function queriesOf([name, ...others]: readonly string[]): readonly Query[] {
  if (name === undefined) return [{}];
  const rest = queriesOf(others);
  return [
    ...rest,
    ...["true", "false"].flatMap((value) => rest.map((query) => ({ [name]: value, ...query }))),
  ];
}
