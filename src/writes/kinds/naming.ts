/**
 * Compares the names in a response with the request. A response that names something else belongs
 * to another request, for example on a connection that is out of step, and proves nothing about
 * this request. A field that is absent, or neither text nor a number, is no difference.
 */

import { isRecord } from "../../json/exact.ts";
import { textAt } from "./bodies.ts";
import type { BodyFacts, KindFacts, ResultKey } from "./kind.ts";

export type Comparison =
  /** The response names something else. `difference` is a sentence with untrusted text. */
  | { readonly kind: "other"; readonly difference: string }
  /**
   * The response matches. `results` are in the order of the request, or null if there is not one
   * result for each item.
   */
  | { readonly kind: "same"; readonly results: readonly unknown[] | null };

/**
 * Compares a response of any status with the request: the target, the names of items, then their
 * other fields. The interface does not document the order of results. A result without a name is
 * for the item at its position.
 */
export function compareNames(
  { item, naming }: Pick<KindFacts, "item" | "naming">,
  facts: BodyFacts,
  answer: unknown,
): Comparison {
  const results = naming.results(answer);
  const target = mismatchedTarget(facts, [answer, ...results].flatMap(partsOf));
  if (target !== null) return { kind: "other", difference: target };

  const ours = facts.items.map((sent) => plain(naming.sent(sent)));
  const namesIn = (result: unknown) =>
    partsOf(result).flatMap((part) =>
      naming.fields.flatMap((field) => plain(textAt(part, field)) ?? []),
    );
  const names = results.map(namesIn);
  const strange = [namesIn(answer), ...names].find((some) => !ours.some((one) => fits(some, one)));
  if (strange !== undefined) {
    const name = strange.find((one) => !ours.includes(one)) ?? "";
    return { kind: "other", difference: otherName(item, name, ours[0] ?? "") };
  }

  const places = results.length === ours.length ? placesOf(ours, names) : null;
  for (const [at, result] of results.entries()) {
    const differences = facts.items.flatMap((sent, position) => {
      const isOf = places === null ? fits(names[at], ours[position]) : places[position] === at;
      return isOf ? [otherField(item, naming, sent, partsOf(result).at(-1))] : [];
    });
    // A result without a known position can be for any item that matches it.
    const difference = differences.includes(null) ? null : differences[0];
    if (difference) return { kind: "other", difference };
  }
  return { kind: "same", results: places?.map((place) => results[place]) ?? null };
}

/** Returns the elements of an array response, or of the array in `field`. */
export function listIn(answer: unknown, field: string): readonly unknown[] {
  const list = isRecord(answer) ? answer[field] : answer;
  return Array.isArray(list) ? list : [];
}

/** Returns a result and the submitted item in it, if any (INTERFACE 4.2). */
export function partsOf(result: unknown): readonly unknown[] {
  return isRecord(result) && isRecord(result.transaction_data)
    ? [result, result.transaction_data]
    : [result];
}

/** Returns the index of each item's result, or null if the names do not identify it. */
function placesOf(
  ours: readonly (string | null)[],
  names: readonly (readonly string[])[],
): readonly number[] | null {
  if (names.every((named, at) => fits(named, ours[at]))) return ours.map((_, at) => at);
  const places = ours.map((name) =>
    names.findIndex((named) => (name === null ? named.length === 0 : named.includes(name))),
  );
  return places.includes(-1) || new Set(places).size < places.length ? null : places;
}

function fits(named: readonly string[] = [], name: string | null = null): boolean {
  return name === null || named.every((one) => one === name);
}

function mismatchedTarget({ target }: BodyFacts, parts: readonly unknown[]): string | null {
  const { importSupplier } = target;
  const supplier = otherAt(parts, "import supplier", "import_supplier", importSupplier);
  if (target.kind === "supply-point") return supplier;
  const { externalAccountNumber } = target;
  return otherAt(parts, "account", "external_account_number", externalAccountNumber) ?? supplier;
}

function otherAt(parts: readonly unknown[], what: string, field: string, sent: string) {
  const named = parts.map((part) => textAt(part, field));
  const other = named.find((one) => one !== null && plain(one) !== plain(sent));
  return typeof other === "string" ? otherName(what, other, sent) : null;
}

function otherField(item: string, naming: ResultKey, sent: unknown, named: unknown): string | null {
  for (const [field, isSame] of Object.entries(naming.compared ?? {})) {
    const ours = textAt(sent, field)?.trim();
    const theirs = textAt(named, field)?.trim();
    if (ours === undefined || theirs === undefined || isSame(ours, theirs)) continue;
    const name = naming.sent(sent);
    const which = name === null ? `the ${item}` : `${item} ${shortened(name)}`;
    return `The response gives the ${field} ${shortened(theirs)} for ${which}, not ${shortened(ours)}.`;
  }
  return null;
}

/**
 * Removes differences that the service can cause: line ends, spaces before line ends, and the
 * encoding of letters.
 */
function plain(text: string | null): string | null {
  if (text === null) return null;
  return text
    .normalize("NFC")
    .replace(/[ \t]*(?:\r\n|\r|\n)/g, "\n")
    .trim();
}

function otherName(item: string, named: string, sent: string): string {
  return `The response names ${item} ${shortened(named)}, not ${shortened(sent)}.`;
}

const longestName = 80;

/** Shortens a name to one line, because it is part of a sentence. */
function shortened(name: string): string {
  const line = name.replace(/\s+/g, " ");
  const characters = [...line];
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : line;
}
