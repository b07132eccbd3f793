import type { ErrorContext } from "../../errors/app-error.ts";
import { plural } from "../../text/numbers.ts";
import type { Operation, Target as WriteTarget } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";

/** Describes a write and its target, with the number of items if there can be several. */
export function describeWrite(operation: Operation, target: WriteTarget, items: number): string {
  const id = idOf(target);
  if (target.kind === "supply-point") return `creating supply point ${id}`;
  const { item, itemsField } = kindOf(operation);
  return `adding ${itemsField === null ? `a ${item}` : plural(items, item)} to ${id}`;
}

/** Returns the external account number, or the identifier of a supply point. */
export function idOf(target: WriteTarget): string {
  return target.kind === "account" ? target.externalAccountNumber : target.externalIdentifier;
}

export function subjectOf(target: WriteTarget): NonNullable<ErrorContext["subject"]> {
  const { kind, importSupplier: supplier } = target;
  return { kind, supplier, id: idOf(target) };
}
