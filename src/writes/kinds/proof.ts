/** Reads a response to a write, and returns the proof about the sent items. */

import { isDocumentedSuccess, transactionError, validationError } from "../../api/answers.ts";
import { readErrorBody } from "../../api/error-body.ts";
import { boundedCode } from "../../api/errors.ts";
import { exactJsonOf, isJsonNumber, isRecord } from "../../json/exact.ts";
import { repeatedField } from "../../json/scan.ts";
import { textAt } from "./bodies.ts";
import type { BodyFacts, Item, KindFacts, Refusal, Refused } from "./kind.ts";
import { compareNames, partsOf } from "./naming.ts";

/** The proof that a response contains. */
export type Proof =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  /** The service refused the request with a 400. */
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** Only the status of the response is proof. */
  | { readonly kind: "status" }
  /** A success that does not name every item. It might be incomplete. */
  | { readonly kind: "incomplete" }
  /**
   * The response proves nothing, whatever its status, because it names another item or contradicts
   * itself. `why` is a sentence with untrusted text.
   */
  | {
      readonly kind: "nothing";
      readonly because: "other-item" | "unreadable";
      readonly why: string;
    };

/** Returns the proof in any response to a write (INTERFACE 4, 7). */
export function proofOf(
  kind: KindFacts,
  facts: BodyFacts,
  httpStatus: number,
  body: string,
): Proof {
  const repeated = repeatedField(body);
  if (repeated !== null)
    return contradicts(`The response has the field ${repeated.join(".")} twice.`);
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
      ? { kind: "refused", refusal: kind.refusal(facts, refusedAs(answer)) }
      : { kind: "status" };
  }
  const { results } = compared;
  const isDocumented =
    (httpStatus === 200 || httpStatus === 201) && isDocumentedSuccess(kind.path, answer);
  const items = isDocumented ? kind.confirmed(facts, { httpStatus, body, results }) : null;
  return items === null ? { kind: "incomplete" } : { kind: "confirmed", items };
}

function refusedAs(answer: unknown): Refused {
  const failed = transactionError.safeParse(answer).data;
  if (failed !== undefined) {
    return { kind: "transaction", transactionId: failed.transaction_data?.transaction_id ?? null };
  }
  return { kind: validationError.safeParse(answer).success ? "validation" : "other" };
}

/** Returns the machine-readable code of a refusal, or null if it has none (INTERFACE 7.1, 7.3). */
export function codeOf(body: string): string | null {
  const { code, errors } = readErrorBody(body);
  const first = code ?? errors[0]?.code ?? null;
  return first === null ? null : boundedCode(first);
}

function contradicts(why: string): Proof {
  return { kind: "nothing", because: "unreadable", why };
}

/** The fields that only errors have (INTERFACE 7.1, 7.3, 4.2). */
const errorFields = ["errors", "non_field_errors", "error_detail"];

/**
 * Returns a sentence about an error in a success, such as a missing account, or null if there is
 * none.
 */
function errorIn(parts: readonly unknown[]): string | null {
  for (const part of parts.filter(isRecord)) {
    const status = textAt(part, "status");
    if (status !== null && /ERROR|FAIL|REJECT/i.test(status)) {
      return `The response contradicts itself: a success has the status ${boundedCode(status)}.`;
    }
    const field = errorFields.find((name) => Object.hasOwn(part, name) && !isEmpty(part[name]));
    if (field !== undefined) {
      return `The response contradicts itself: a success has the field ${field}.`;
    }
    // The name of this field begins with the brand word.
    const account = Object.keys(part).find(
      (name) => name.endsWith("_account_number") && part[name] === "",
    );
    if (account !== undefined) {
      return `The response has an empty ${boundedCode(account)}.`;
    }
  }
  return null;
}

function isEmpty(value: unknown): boolean {
  if (isJsonNumber(value)) return Number(value.rawJSON) === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === "" || value === false;
}

/** A possible success status of submitted transactions (INTERFACE 4.2). */
const importSuccess = "TRANSACTION_IMPORT_SUCCESS";

/** Returns a sentence about a success in a refusal, or null if there is none. */
function successIn({ statuses }: KindFacts, parts: readonly unknown[]): string | null {
  const status = parts
    .map((part) => textAt(part, "status"))
    .find((one) => one !== null && (one === importSuccess || Object.hasOwn(statuses, one)));
  if (typeof status === "string") {
    return `The response contradicts itself: a refusal has the status ${status}.`;
  }
  const hasResults = parts.some((part) => isRecord(part) && !isEmpty(part.results ?? null));
  return hasResults ? "The response contradicts itself: a refusal has results." : null;
}
