/** The keys by which the duplicate guard recognizes items in any request. */
import { createHash, hash } from "node:crypto";
import { formOf } from "../forms/forms.ts";
import { comparableJson } from "../json/comparable.ts";
import { canonicalJson } from "../json/print.ts";
import { textAt } from "./kinds/bodies.ts";
import type { BodyFacts, Operation, Query } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";

/** Hashes of one item; the journal stores them beside the service. */
export interface ItemKey {
  /**
   * The hash of the content. It is equal for equal items of one kind for the same account or supply
   * point.
   */
  readonly content: string;
  /**
   * The hash of the ID. It is equal for items of one kind and account with the same ID, or null for
   * an item without one.
   */
  readonly name: string | null;
}

/**
 * Returns the key of each item, in their order. The query is left out, because an option changes
 * how the service handles an item, not which item it is. Stored keys are compared with new ones, so
 * another way of creating them needs a step of the journal's file.
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
 * Returns the hashes of a whole request as version 0.2.0 stored them, one for each way of writing
 * its query. An entry of that version whose body was purged is recognized by nothing else.
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
