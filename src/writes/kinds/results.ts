/** Reading bodies and answers: what every kind has, and answers unlike the documented ones. */

import { boundedCode } from "../../api/error-body.ts";
import { isJsonNumber, isRecord, jsonOf } from "../../json/exact.ts";
import { WriteError } from "../write-error.ts";
import type { BodyFacts, Confirmation, Item, ItemOutcome, Payload, Refusal } from "./kind.ts";

export const unreadable: Confirmation = { kind: "unreadable" };

export function other(difference: string): Confirmation {
  return { kind: "other-item", difference };
}

export function allCreated(facts: BodyFacts): Confirmation {
  return { kind: "confirmed", items: allItems(facts, "created") };
}

/** As many results as items were sent, or null. */
export function listed(facts: BodyFacts, results: unknown): readonly unknown[] | null {
  return Array.isArray(results) && results.length === facts.items.length ? results : null;
}

/** Confirms each item by its documented status. */
export function byItem(
  facts: BodyFacts,
  results: readonly unknown[],
  statuses: Readonly<Record<string, ItemOutcome>>,
): Confirmation {
  const items: Item[] = [];
  for (const [position, label] of facts.labels.entries()) {
    const status = textAt(results[position], "status");
    if (status === null || !Object.hasOwn(statuses, status)) return unreadable;
    items.push({ position, label, outcome: statuses[status] ?? "unknown", status });
  }
  return { kind: "confirmed", items };
}

/** Every item with the same outcome. */
export function allItems(facts: BodyFacts, outcome: ItemOutcome): Item[] {
  return facts.labels.map((label, position) => ({ position, label, outcome, status: null }));
}

/** A 400 that leaves nothing behind. */
export function refusedWhole(facts: BodyFacts): Refusal {
  return { partly: false, items: allItems(facts, "rejected") };
}

export function isSuccess(httpStatus: number): boolean {
  return httpStatus === 200 || httpStatus === 201;
}

/** The account that a row of a bulk run is for. */
export function accountOf(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [row.import_supplier, row.external_account_number];
}

/** The account of a row with the ID that the row gives its item; null for a row without one. */
export function withId(
  row: Readonly<Record<string, unknown>>,
  field: string,
): readonly unknown[] | null {
  return row[field] === undefined ? null : [...accountOf(row), row[field]];
}

/** The end of the sentence about an item that already exists. */
export function skipped(): string {
  return "; the service skipped it.";
}

const longestLabel = 120;

/** The body of a write to an account; without `itemsField` the body is the one item. */
export function accountBody(
  payload: Payload,
  itemsField: string | null,
  nameOf: (item: Payload) => unknown,
): BodyFacts {
  const importSupplier = requiredText(payload.import_supplier, "import_supplier");
  const externalAccountNumber = requiredText(
    payload.external_account_number,
    "external_account_number",
  );
  const items = itemsField === null ? [payload] : payload[itemsField];
  if (!Array.isArray(items) || items.length === 0) {
    throw new WriteError("invalid", `${itemsField} must be an array with at least one item.`);
  }
  return {
    target: { kind: "account", importSupplier, externalAccountNumber },
    items,
    labels: items.map((item) => label(isRecord(item) ? nameOf(item) : undefined)),
    payload,
  };
}

export function requiredText(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new WriteError("invalid", `${field} must be a text that is not empty.`);
}

export function label(name: unknown): string {
  const text = typeof name === "string" ? name : "";
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
}

export function textAt(value: unknown, field: string): string | null {
  const found = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof found === "string" ? found : null;
}

/** The machine-readable code of a refusal, wherever its shape carries one (INTERFACE 7.1, 7.3). */
export function codeOf(body: string): string | null {
  const answer = jsonOf(body);
  if (!isRecord(answer)) return null;
  const said = [answer.non_field_errors].flat()[0];
  const status = textAt(answer, "status");
  const code =
    textAt(said, "code") ??
    textAt(answer, "code") ??
    (status === importError ? status : null) ??
    textAt([answer.errors].flat()[0], "code");
  return code === null ? null : boundedCode(code);
}

/** INTERFACE 4.2, 400. */
export const importError = "TRANSACTION_IMPORT_ERROR";

// An answer that names another item than the one that was sent belongs to some other request, for
// example on a connection that has lost its place, and confirms nothing. A field that is absent is no
// difference.

/** How the results of an answer are recognized: the field that names each, and the item in words. */
interface Naming {
  readonly field: string;
  readonly item: string;
  /** What an item that was sent without a name stands for; null when any name may come back. */
  readonly unnamed: string | null;
  /** Where the fields of the item stand in a result. */
  readonly itemIn: (result: unknown) => unknown;
}

/**
 * Results in the order of what was sent, because the interface does not document their order; a
 * result that names nothing stands for the item in its place. Where a result names an item that was
 * not sent, says so instead.
 */
export function placedByName(
  items: readonly unknown[],
  results: readonly unknown[],
  { field, item, unnamed, itemIn }: Naming,
): readonly unknown[] | { readonly difference: string } {
  const named = (one: unknown) => nameOf(textAt(one, field));
  const names = results.map((result) => named(itemIn(result)));
  const ours = items.map((one) => named(one) ?? unnamed);
  const fits = (name: string | null, at: number) =>
    name === null || ours[at] === null || name === ours[at];
  if (names.every(fits)) return results;
  const places = ours.map((name) => names.indexOf(name));
  const each = new Set(places).size === places.length && !places.includes(-1);
  if (each) return places.map((place) => results[place]);
  const strange = names.findIndex((name) => name !== null && !ours.includes(name));
  const at = strange === -1 ? names.findIndex((name, position) => !fits(name, position)) : strange;
  return { difference: otherName(item, names[at] ?? "", ours[at] ?? "") };
}

/** Another account or import supplier than the one sent to; null where the answer names no other. */
export function otherTarget({ target }: BodyFacts, answer: unknown): string | null {
  if (target.kind !== "account") return null;
  const account = textAt(answer, "external_account_number");
  if (account !== null && account !== target.externalAccountNumber) {
    return otherName("account", account, target.externalAccountNumber);
  }
  const supplier = textAt(answer, "import_supplier");
  return supplier !== null && supplier !== target.importSupplier
    ? otherName("import supplier", supplier, target.importSupplier)
    : null;
}

/** Another `reference` than the payment instruction that was sent (INTERFACE 4.4); null for none. */
export function otherReference({ payload }: BodyFacts, answer: unknown): string | null {
  const sent = nameOf(textAt(payload, "reference"));
  const named = nameOf(textAt(answer, "reference"));
  return named === null || sent === null || named === sent
    ? null
    : otherName("payment", named, sent);
}

/** Another amount than the transaction that was sent (INTERFACE 4.2); null for none. */
export function otherAmount(sent: unknown, added: unknown): string | null {
  const ours = decimalAt(sent, "amount");
  const theirs = decimalAt(added, "amount");
  if (ours === null || theirs === null || sameAmount(ours, theirs)) return null;
  const id = textAt(sent, "transaction_id");
  const which = id === null ? "the transaction" : `transaction ${shortened(id)}`;
  return `The answer gives the amount ${shortened(theirs)} for ${which}, not ${shortened(ours)}.`;
}

/** Line ends and the spaces before them are the service's to choose; letters are not. */
function nameOf(text: string | null): string | null {
  if (text === null) return null;
  return text
    .normalize("NFC")
    .replace(/[ \t]*(?:\r\n|\r|\n)/g, "\n")
    .trim();
}

function otherName(item: string, named: string, sent: string): string {
  return `The answer names ${item} ${shortened(named)}, not ${shortened(sent)}.`;
}

const longestName = 80;

/** On one line, because the words stand in a sentence. */
function shortened(name: string): string {
  const line = name.replace(/\s+/g, " ");
  const characters = [...line];
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : line;
}

function decimalAt(value: unknown, field: string): string | null {
  const found = isRecord(value) ? value[field] : undefined;
  if (isJsonNumber(found)) return found.rawJSON;
  return typeof found === "string" ? found.trim() : null;
}

/**
 * Whether two decimal texts are the same amount. The interface returns two places: an amount that was
 * sent with more is the same when it comes back rounded or cut to two.
 */
function sameAmount(sent: string, returned: string): boolean {
  const [ours, theirs] = [unitsOf(sent), unitsOf(returned)];
  if (ours === null || theirs === null) return sent === returned;
  const places = Math.max(ours.places, theirs.places);
  const difference = scaled(ours, places) - scaled(theirs, places);
  if (difference === 0n) return true;
  if (ours.places <= 2 || theirs.places > 2) return false;
  const cent = 10n ** BigInt(places - 2);
  return -cent < difference && difference < cent;
}

interface Units {
  readonly units: bigint;
  readonly places: number;
}

/** More places, or a larger exponent, is no amount of money. */
const mostDigits = 400;

function unitsOf(text: string): Units | null {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null || text.length > mostDigits) return null;
  const [, sign, whole = "", rest = "", exponent = "0"] = match;
  const digits = BigInt(whole + rest) * (sign === "-" ? -1n : 1n);
  const places = rest.replace(/0+$/, "").length - Number(exponent);
  const cut = digits / 10n ** BigInt(rest.length - rest.replace(/0+$/, "").length);
  return places < 0 ? { units: cut * 10n ** BigInt(-places), places: 0 } : { units: cut, places };
}

function scaled({ units, places }: Units, to: number): bigint {
  return units * 10n ** BigInt(to - places);
}
