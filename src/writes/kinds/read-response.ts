/**
 * Reads a response to a write, compares its names with the request, and returns the proof about the
 * sent items.
 */

import type * as z from "zod/mini";
import { readErrorBody } from "../../api/error-body.ts";
import { boundedCode } from "../../api/errors.ts";
import {
  noteResults,
  paymentInstructionResult,
  statementResults,
  transactionError,
  transactionResults,
  validationError,
} from "../../api/response-schemas.ts";
import { decimalProblem } from "../../forms/decimals.ts";
import type { FormKind } from "../../forms/forms.ts";
import { exactJsonOf, isJsonNumber, isRecord } from "../../json/exact.ts";
import { normalText } from "../../json/normal-form.ts";
import { repeatedField } from "../../json/scan.ts";
import { partsOf, textAt } from "./bodies.ts";
import type { BodyFacts, Item, KindFacts, Refusal, Refused, ResultKey } from "./kind.ts";

export type Proof =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  /** The service rejected the request with a 400. */
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** Only the status of the response is proof. */
  | { readonly kind: "status" }
  /** A success that does not name every item. It might be incomplete. `why` is a sentence. */
  | { readonly kind: "incomplete"; readonly why: string }
  /**
   * The response proves nothing, whatever its status, because it names another item or contradicts
   * itself. `why` is a sentence with untrusted text.
   */
  | {
      readonly kind: "nothing";
      readonly because: "other-item" | "unreadable";
      readonly why: string;
    };

/** The schemas of successes (INTERFACE 4.1–4.4), or null for a kind without a body (4.6). */
const successes: Readonly<Record<FormKind, z.ZodMiniType | null>> = {
  notes: noteResults,
  transactions: transactionResults,
  statements: statementResults,
  "payment-instructions": paymentInstructionResult,
  "supply-points": null,
};

export function isDocumentedSuccess(form: FormKind, body: unknown): boolean {
  const schema = successes[form];
  return schema === null || schema.safeParse(body).success;
}

/** Returns the proof in any response to a write (INTERFACE 4, 7). */
export function readResponse(
  kind: KindFacts,
  facts: BodyFacts,
  httpStatus: number,
  body: string,
): Proof {
  const repeated = repeatedField(body);
  if (repeated !== null)
    return contradiction(`The response has the field ${repeated.join(".")} twice.`);
  const response = exactJsonOf(body);
  const compared = compareNames(kind, facts, response);
  if (compared.kind === "other") {
    return { kind: "nothing", because: "other-item", why: compared.difference };
  }
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  const parts = [response, ...kind.naming.results(response)].flatMap(partsOf);
  const items = isDocumentedSuccess(kind.form, response)
    ? kind.confirmed(facts, { httpStatus, body, results: compared.results })
    : null;
  if (isSuccess) {
    const error = errorIn(parts);
    if (error !== null) return contradiction(error);
    return items === null || (httpStatus !== 200 && httpStatus !== 201)
      ? { kind: "incomplete", why: incompleteWords(body, response) }
      : { kind: "confirmed", items };
  }
  const success = successIn(kind, parts);
  if (success !== null) return contradiction(success);
  if (items !== null && namesEveryItem(kind, response) && errorIn(parts) === null)
    return contradiction("The response contradicts itself: a refusal has the body of a success.");
  return httpStatus === 400
    ? { kind: "refused", refusal: kind.refusal(facts, refusedAs(response)) }
    : { kind: "status" };
}

function incompleteWords(body: string, response: unknown): string {
  return response === undefined && body.trim() !== ""
    ? "The response is not JSON."
    : "The response does not include every item that was sent.";
}

/**
 * Returns true if each result has the name of its item. A refusal that mirrors the payload has
 * messages there (INTERFACE 7.3).
 */
function namesEveryItem({ naming }: KindFacts, response: unknown): boolean {
  const results = naming.results(response);
  return (results.length === 0 ? [response] : results).every((result) =>
    partsOf(result).some((part) => naming.fields.some((field) => textAt(part, field) !== null)),
  );
}

/**
 * Returns a sentence about another item or target that a response names, or null if it names none.
 * The sentence has untrusted text.
 */
export function otherItemIn(kind: KindFacts, facts: BodyFacts, response: unknown): string | null {
  const compared = compareNames(kind, facts, response);
  return compared.kind === "other" ? compared.difference : null;
}

/**
 * Returns the amount that a response names for each item, as decimal text, or null where it names
 * none. The service returns two places (INTERFACE 2).
 */
export function amountsNamed(
  kind: KindFacts,
  facts: BodyFacts,
  response: string,
): readonly (string | null)[] {
  const compared = compareNames(kind, facts, exactJsonOf(response));
  const results = compared.kind === "same" ? compared.results : null;
  return facts.items.map((_item, position) => {
    const { amount } = kind.contents;
    const named = amount === null ? null : textAt(partsOf(results?.[position]).at(-1), amount);
    return named !== null && decimalProblem(named) === null ? named : null;
  });
}

function refusedAs(response: unknown): Refused {
  const failed = transactionError.safeParse(response).data;
  if (failed !== undefined) {
    return { kind: "transaction", transactionId: failed.transaction_data?.transaction_id ?? null };
  }
  return { kind: validationError.safeParse(response).success ? "validation" : "other" };
}

/** Returns the machine-readable code of a refusal, or null if it has none (INTERFACE 7.1, 7.3). */
export function codeOf(body: string): string | null {
  const { code, errors } = readErrorBody(body);
  const first = code ?? errors[0]?.code ?? null;
  return first === null ? null : boundedCode(first);
}

function contradiction(why: string): Proof {
  return { kind: "nothing", because: "unreadable", why };
}

/**
 * The fields that only errors have (INTERFACE 7.1, 7.3, 4.2 and 4.7), beside those whose name
 * contains `error` or `exception`. No field of a success has such a name.
 */
const errorFields: ReadonlySet<string> = new Set(["detail", "code", "messages"]);

/** Matches a status that says no: a word of it, or the status code of an error. */
const saysNo = /ERROR|FAIL|REJECT|DECLIN|DENIED|REFUSED|INVALID|CANCEL|^[45]\d\d$/i;

/** The fields that say yes or no to a request. */
const yesOrNo: readonly string[] = ["success", "ok", "accepted"];

/**
 * Returns a sentence about an error in a success, such as a missing account, or null. A message for
 * people is no error, because its wording can change (INTERFACE 7.2).
 */
function errorIn(parts: readonly unknown[]): string | null {
  for (const part of parts.filter(isRecord)) {
    const status = textAt(part, "status");
    if (status !== null && saysNo.test(status)) {
      return `The response contradicts itself: a success has the status ${boundedCode(status)}.`;
    }
    const field = Object.keys(part).find(
      (name) => (errorFields.has(name) || /error|exception/i.test(name)) && !isEmpty(part[name]),
    );
    if (field !== undefined) {
      return `The response contradicts itself: a success has the field ${boundedCode(field)}.`;
    }
    const no = yesOrNo.find((name) => part[name] === false);
    if (no !== undefined) {
      return `The response contradicts itself: a success has the field ${no}, which is false.`;
    }
    // The name of this field begins with the brand word.
    const account = Object.keys(part).find(
      (name) => name.endsWith("_account_number") && textAt(part, name)?.trim() === "",
    );
    if (account !== undefined) {
      return `The response has an empty ${boundedCode(account)}.`;
    }
  }
  return null;
}

/** Returns true for a value that reports nothing, such as an object of empty arrays. */
function isEmpty(value: unknown): boolean {
  if (isJsonNumber(value)) return Number(value.rawJSON) === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === "" || value === false;
}

/** A possible success status of submitted transactions (INTERFACE 4.2). */
const importSuccess = "TRANSACTION_IMPORT_SUCCESS";

function successIn({ statuses }: KindFacts, parts: readonly unknown[]): string | null {
  const status = parts
    .map((part) => textAt(part, "status"))
    .find((text) => text !== null && (text === importSuccess || Object.hasOwn(statuses, text)));
  if (typeof status === "string") {
    return `The response contradicts itself: a refusal has the status ${status}.`;
  }
  const hasResults = parts.some((part) => isRecord(part) && !isEmpty(part.results ?? null));
  return hasResults ? "The response contradicts itself: a refusal has results." : null;
}

type Comparison =
  /**
   * The response names something else, so it belongs to another request, for example on a
   * connection that is out of step. `difference` is a sentence with untrusted text.
   */
  | { readonly kind: "other"; readonly difference: string }
  /**
   * The response matches. `results` are in the order of the request, or null if there is not one
   * result for each item.
   */
  | { readonly kind: "same"; readonly results: readonly unknown[] | null };

/**
 * Compares a response of any status with the request: the target, the names of items, then their
 * other fields. A field that is absent, or neither text nor a number, is no difference. The
 * interface does not document the order of results. A result without a name is for the item at its
 * position.
 */
function compareNames(
  { item, naming }: Pick<KindFacts, "item" | "naming">,
  facts: BodyFacts,
  response: unknown,
): Comparison {
  const results = naming.results(response);
  const target = mismatchedTarget(facts, [response, ...results].flatMap(partsOf));
  if (target !== null) return { kind: "other", difference: target };

  const sentNames = facts.items.map((sent) => {
    const name = naming.sent(sent);
    return name === null ? null : normalText(name);
  });
  const namesIn = (result: unknown) =>
    partsOf(result).flatMap((part) =>
      naming.fields.flatMap((field) => normalAt(part, field) ?? []),
    );
  const names = results.map(namesIn);
  const foreign = [namesIn(response), ...names].find(
    (named) => !sentNames.some((sentName) => matches(named, sentName)),
  );
  if (foreign !== undefined) {
    const name = foreign.find((named) => !sentNames.includes(named)) ?? "";
    return { kind: "other", difference: otherName(item, name, sentNames[0] ?? "") };
  }

  const indexes = results.length === sentNames.length ? indexesOf(sentNames, names) : null;
  for (const [at, result] of results.entries()) {
    const differences = facts.items.flatMap((sent, position) => {
      const isForItem =
        indexes === null ? matches(names[at], sentNames[position]) : indexes[position] === at;
      return isForItem ? [otherField(item, naming, sent, partsOf(result))] : [];
    });
    // A result without a known position can be for any item that matches it.
    const difference = differences.includes(null) ? null : differences[0];
    if (difference) return { kind: "other", difference };
  }
  return { kind: "same", results: indexes?.map((index) => results[index]) ?? null };
}

/** Returns the index of each item's result, or null if the names do not identify it. */
function indexesOf(
  sentNames: readonly (string | null)[],
  names: readonly (readonly string[])[],
): readonly number[] | null {
  if (names.every((named, at) => matches(named, sentNames[at])))
    return sentNames.map((_, at) => at);
  const indexes = sentNames.map((name) =>
    names.findIndex((named) => (name === null ? named.length === 0 : named.includes(name))),
  );
  return indexes.includes(-1) || new Set(indexes).size < indexes.length ? null : indexes;
}

/** Returns true if a result with these names can be for the item `name`. Null has no name. */
function matches(named: readonly string[] = [], name: string | null = null): boolean {
  return name === null || named.every((candidate) => candidate === name);
}

function mismatchedTarget({ target }: BodyFacts, parts: readonly unknown[]): string | null {
  const { importSupplier } = target;
  const supplier = otherAt(parts, "import supplier", "import_supplier", importSupplier);
  if (target.kind === "supply-point") return supplier;
  const { externalAccountNumber } = target;
  return otherAt(parts, "account", "external_account_number", externalAccountNumber) ?? supplier;
}

function otherAt(parts: readonly unknown[], noun: string, field: string, sent: string) {
  const named = parts.map((part) => textAt(part, field));
  const other = named.find((text) => text !== null && normalText(text) !== normalText(sent));
  return typeof other === "string" ? otherName(noun, other, sent) : null;
}

function otherField(
  item: string,
  naming: ResultKey,
  sent: unknown,
  parts: readonly unknown[],
): string | null {
  for (const [field, isSame] of Object.entries(naming.compared ?? {})) {
    const sentValue = normalAt(sent, field);
    const namedValue = parts
      .map((part) => normalAt(part, field))
      .find((named) => sentValue !== null && named !== null && !isSame(sentValue, named));
    if (typeof namedValue !== "string" || sentValue === null) continue;
    const name = naming.sent(sent);
    const itemText = name === null ? `the ${item}` : `${item} ${shortened(name)}`;
    return `The response gives the ${field} ${shortened(namedValue)} for ${itemText}, not ${shortened(sentValue)}.`;
  }
  return null;
}

function normalAt(value: unknown, field: string): string | null {
  const text = textAt(value, field);
  return text === null ? null : normalText(text);
}

function otherName(item: string, named: string, sent: string): string {
  return `The response names ${item} ${shortened(named)}, not ${shortened(sent)}.`;
}

const maxNameLength = 80;

/** Shortens a name to one line, because it is part of a sentence. */
function shortened(name: string): string {
  const line = name.replace(/\s+/g, " ");
  const characters = [...line];
  return characters.length > maxNameLength
    ? `${characters.slice(0, maxNameLength).join("")}…`
    : line;
}
