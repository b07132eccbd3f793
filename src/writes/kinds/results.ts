/** Reads the responses to writes: the proof about the items that were sent. */

import { boundedCode } from "../../api/error-body.ts";
import { exactJsonOf, isJsonNumber, isRecord, jsonOf } from "../../json/exact.ts";
import { repeatedField } from "../../json/scan.ts";
import { textAt } from "./bodies.ts";
import type { BodyFacts, Item, ItemOutcome, KindFacts, Refusal } from "./kind.ts";
import { compareNames, partsOf } from "./naming.ts";

/** The proof in a response. */
export type Proof =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  /** A 400. */
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** Only its status is proof. */
  | { readonly kind: "status" }
  /** A success that does not name every item: it might be cut short. */
  | { readonly kind: "incomplete" }
  /**
   * Proves nothing, whatever its status: it names another item, or contradicts itself. `why` is a
   * sentence with untrusted text.
   */
  | {
      readonly kind: "nothing";
      readonly because: "other-item" | "unreadable";
      readonly why: string;
    };

/** Reads any response to a write (INTERFACE 4, 7). */
export function proofOf(
  kind: KindFacts,
  facts: BodyFacts,
  httpStatus: number,
  body: string,
): Proof {
  const repeated = repeatedField(body);
  if (repeated !== null)
    return contradicts(`The answer has the field ${repeated.join(".")} twice.`);
  const answer = exactJsonOf(body);
  const compared = compareNames(kind, facts, answer);
  if (compared.kind === "other") {
    return { kind: "nothing", because: "other-item", why: compared.difference };
  }
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  const parts = [answer, ...kind.naming.results(answer)].flatMap(partsOf);
  const contradiction = isSuccess ? errorIn(parts) : successIn(kind, parts);
  if (contradiction !== null) return contradicts(contradiction);
  if (!isSuccess) {
    return httpStatus === 400
      ? { kind: "refused", refusal: kind.refusal(facts, answer) }
      : { kind: "status" };
  }
  const { results } = compared;
  const isDocumented = httpStatus === 200 || httpStatus === 201;
  const items = isDocumented ? kind.confirmed(facts, { httpStatus, body, answer, results }) : null;
  return items === null ? { kind: "incomplete" } : { kind: "confirmed", items };
}

function contradicts(why: string): Proof {
  return { kind: "nothing", because: "unreadable", why };
}

/** INTERFACE 7.1, 7.3 and 4.2. */
const errorFields = ["errors", "non_field_errors", "error_detail"];

/** Returns an error within a success, such as a missing account. */
function errorIn(parts: readonly unknown[]): string | null {
  for (const part of parts.filter(isRecord)) {
    const status = textAt(part, "status");
    if (status !== null && /ERROR|FAIL|REJECT/i.test(status)) {
      return `The answer contradicts itself: a success has the status ${boundedCode(status)}.`;
    }
    const field = errorFields.find((name) => Object.hasOwn(part, name) && !isEmpty(part[name]));
    if (field !== undefined) {
      return `The answer contradicts itself: a success has the field ${field}.`;
    }
    // The name of the field has the brand in it.
    const account = Object.keys(part).find(
      (name) => name.endsWith("_account_number") && part[name] === "",
    );
    if (account !== undefined) {
      return `The answer has an empty ${boundedCode(account)}.`;
    }
  }
  return null;
}

function isEmpty(value: unknown): boolean {
  if (isJsonNumber(value)) return Number(value.rawJSON) === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === "" || value === false;
}

/** INTERFACE 4.2: a possible status of submitted transactions. */
const importSuccess = "TRANSACTION_IMPORT_SUCCESS";

/** Returns a success within a refusal. */
function successIn({ statuses }: KindFacts, parts: readonly unknown[]): string | null {
  const status = parts
    .map((part) => textAt(part, "status"))
    .find((one) => one !== null && (one === importSuccess || Object.hasOwn(statuses, one)));
  if (typeof status === "string") {
    return `The answer contradicts itself: a refusal has the status ${status}.`;
  }
  const hasResults = parts.some((part) => isRecord(part) && !isEmpty(part.results ?? null));
  return hasResults ? "The answer contradicts itself: a refusal has results." : null;
}

/** Returns every item by the documented status of its result, or null if one has none. */
export function byStatus(
  { statuses }: Pick<KindFacts, "statuses">,
  facts: BodyFacts,
  results: readonly unknown[] | null,
): readonly Item[] | null {
  const items: Item[] = [];
  for (const [position, label] of facts.labels.entries()) {
    const status = textAt(results?.[position], "status");
    if (status === null || !Object.hasOwn(statuses, status)) return null;
    items.push({ position, label, outcome: statuses[status] ?? "unknown", status });
  }
  return items;
}

/** Returns every item with the same outcome. */
export function allItems(facts: BodyFacts, outcome: ItemOutcome): Item[] {
  return facts.labels.map((label, position) => ({ position, label, outcome, status: null }));
}

/** Returns the result of a 400 that has no effect. */
export function refusedWhole(facts: BodyFacts): Refusal {
  return { partly: false, items: allItems(facts, "rejected") };
}

/** Returns the end of the sentence about an item that already exists. */
export function skipped(): string {
  return "; the service skipped it.";
}

/** Returns the machine-readable code of a refusal in any shape (INTERFACE 7.1, 7.3). */
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
