/**
 * Whether a success really confirms what was sent. Each operation's answer must speak of every item;
 * anything less may be an answer cut short and counts as no answer. So does an answer that names
 * another item: it belongs to another request.
 */

import { exactJsonOf, jsonOf } from "../../json/parse.ts";
import { isRecord } from "../../json/value.ts";
import type { Item, ItemOutcome } from "../journal/entry.ts";
import type { PreparedWrite } from "../prepare.ts";
import { textAt } from "./answer-json.ts";
import { otherAmount, otherReference, otherTarget, placedByName } from "./other-item.ts";

export type Confirmation =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  | { readonly kind: "unreadable" }
  /** It names what was not sent; `difference` is a sentence, with untrusted text in it. */
  | { readonly kind: "other-item"; readonly difference: string };

const unreadable: Confirmation = { kind: "unreadable" };

const noteStatuses: Readonly<Record<string, ItemOutcome>> = {
  NOTE_CREATION_SUCCESS: "created",
  NOTE_ALREADY_EXISTS: "exists",
};

const transactionStatuses: Readonly<Record<string, ItemOutcome>> = {
  TRANSACTION_ADDED_TO_ACCOUNT: "created",
  TRANSACTION_ALREADY_EXISTS: "exists",
};

/** Reads the body of a 2xx (INTERFACE 4.1–4.4, 4.6). */
export function readConfirmation(
  write: PreparedWrite,
  httpStatus: number,
  body: string,
): Confirmation {
  if (write.operation === "supply-points create") {
    // The body is empty and the status all there is: both must be as documented. Anything else may
    // be a gateway's, and the process can be looked up.
    return httpStatus === 201 && body.trim() === "" ? allCreated(write) : unreadable;
  }
  if (httpStatus !== 200 && httpStatus !== 201) return unreadable;
  switch (write.operation) {
    case "notes create":
      return notesConfirmation(write, jsonOf(body));
    case "transactions create":
      // Amounts are compared digit for digit.
      return transactionsConfirmation(write, exactJsonOf(body));
    case "statements create":
      return statementsConfirmation(write, jsonOf(body));
    case "payment-instructions create":
      return paymentConfirmation(write, jsonOf(body));
  }
}

function notesConfirmation(write: PreparedWrite, answer: unknown): Confirmation {
  const results = listed(write, answer);
  if (results === null) return unreadable;
  const placed = placedByName(write.facts.items, results, {
    field: "body",
    item: "note",
    // A note of documents alone comes back without a text.
    unnamed: "",
    itemIn: (result) => result,
  });
  return "difference" in placed ? other(placed.difference) : byItem(write, placed, noteStatuses);
}

function transactionsConfirmation(write: PreparedWrite, answer: unknown): Confirmation {
  const results = listed(write, isRecord(answer) ? answer.results : undefined);
  if (results === null) return unreadable;
  const { items } = write.facts;
  const placed = placedByName(items, results, {
    field: "transaction_id",
    item: "transaction",
    unnamed: null,
    itemIn: submitted,
  });
  if ("difference" in placed) return other(placed.difference);
  for (const [at, result] of placed.entries()) {
    const difference = otherAmount(items[at], submitted(result));
    if (difference !== null) return other(difference);
  }
  return byItem(write, placed, transactionStatuses);
}

/** Success is 200 or 201, and the body the validated data, with or without what is around it. */
function statementsConfirmation(write: PreparedWrite, answer: unknown): Confirmation {
  const target = otherTarget(write, answer);
  if (target !== null) return other(target);
  const statements = listed(write, isRecord(answer) ? answer.statements : answer);
  if (statements === null || !statements.every(isRecord)) return unreadable;
  const placed = placedByName(write.facts.items, statements, {
    field: "statement_id",
    item: "statement",
    unnamed: null,
    itemIn: (result) => result,
  });
  return "difference" in placed ? other(placed.difference) : allCreated(write);
}

function paymentConfirmation(write: PreparedWrite, answer: unknown): Confirmation {
  const difference = otherReference(write, answer);
  if (difference !== null) return other(difference);
  const named =
    isRecord(answer) &&
    Object.keys(answer).some(
      (field) => field.endsWith("_account_number") && textAt(answer, field) !== null,
    );
  return named && textAt(answer, "reference") !== null ? allCreated(write) : unreadable;
}

function other(difference: string): Confirmation {
  return { kind: "other-item", difference };
}

function allCreated(write: PreparedWrite): Confirmation {
  const items = write.facts.labels.map(
    (label, position): Item => ({ position, label, outcome: "created", status: null }),
  );
  return { kind: "confirmed", items };
}

/** As many results as items were sent, or null. */
function listed(write: PreparedWrite, results: unknown): readonly unknown[] | null {
  return Array.isArray(results) && results.length === write.facts.items.length ? results : null;
}

function submitted(result: unknown): unknown {
  return isRecord(result) ? result.transaction_data : undefined;
}

function byItem(
  write: PreparedWrite,
  results: readonly unknown[],
  statuses: Readonly<Record<string, ItemOutcome>>,
): Confirmation {
  const items: Item[] = [];
  for (const [position, label] of write.facts.labels.entries()) {
    const status = textAt(results[position], "status");
    if (status === null || !Object.hasOwn(statuses, status)) return unreadable;
    items.push({ position, label, outcome: statuses[status] ?? "unknown", status });
  }
  return { kind: "confirmed", items };
}
