/** Transactions (INTERFACE 4.2). */
import { exactJsonOf, isJsonNumber, isRecord, jsonOf } from "../../json/exact.ts";
import { whereDeduplicated } from "../retry-table.ts";
import type { BodyFacts, Confirmation, Item, ItemOutcome, KindFacts, Refusal } from "./kind.ts";
import {
  accountBody,
  accountOf,
  allItems,
  byItem,
  importError,
  isSuccess,
  listed,
  other,
  otherAmount,
  placedByName,
  refusedWhole,
  skipped,
  textAt,
  unreadable,
} from "./results.ts";

const statuses: Readonly<Record<string, ItemOutcome>> = {
  TRANSACTION_ADDED_TO_ACCOUNT: "created",
  TRANSACTION_ALREADY_EXISTS: "exists",
};

export const transactionsKind: KindFacts = {
  path: "/v1/data-import/transactions/create/",
  itemsField: "transactions",
  item: "transaction",
  noun: "transactions",
  plural: "transactions",
  movesMoney: true,
  readBack: {
    by: "checked-resend",
    otherwise:
      "Without check_previously_added, or without a transaction ID, it would be added again: look at the account's transactions.",
  },
  retries: whereDeduplicated,
  existsCode: null,
  readBody: (payload) => accountBody(payload, "transactions", (one) => one.transaction_id),
  isDeduplicated: (query, transactions) =>
    // True by default; whatever is not plainly true counts as off.
    (query.check_previously_added ?? "true").toLowerCase() === "true" &&
    // The service recognizes a transaction by its id.
    transactions.every(
      (one) => isRecord(one) && typeof one.transaction_id === "string" && one.transaction_id !== "",
    ),
  dedupe: {
    summary: (deduplicated) =>
      deduplicated
        ? "safe: the service checks for transactions added before"
        : "not safe: the check is off, and each might be added twice",
    words: (deduplicated) =>
      deduplicated
        ? "The service checks for transactions that were added before and skips them."
        : "The check for transactions added before is off, or a transaction has no ID: sent twice, they might exist twice.",
  },
  confirmation,
  refusal,
  existing: skipped,
  movedDates: (items, query, response) =>
    query.force_add_to_current_statement === "false" ? [] : movedDates(items, response),
  contents: { amount: "amount", type: "type", date: "transaction_date", reference: null },
  amounts: ({ transactions }) =>
    (Array.isArray(transactions) ? transactions : []).flatMap((item: unknown) =>
      isRecord(item) && isJsonNumber(item.amount) ? [item.amount.rawJSON] : [],
    ),
  command: "from",
  openApi: {
    id: "createTransactions",
    answers: {
      201: "TransactionResults",
      400: ["TransactionError", "ValidationErrors"],
      404: "NotFound",
    },
    query: {
      check_previously_added: "Whether the service looks for transactions that were added.",
      force_add_to_current_statement:
        "Whether a transaction outside the open statement period is moved into it.",
    },
  },
  sameRow: {
    key: (row) => [...accountOf(row), row.transaction_id],
    words: (line, query) =>
      query.check_previously_added === "false"
        ? `The same account and transaction_id as line ${line}: both would be added, because nothing checks for duplicates.`
        : `The same account and transaction_id as line ${line}: the service treats it as the same transaction and skips it.`,
  },
};

function confirmation(facts: BodyFacts, httpStatus: number, body: string): Confirmation {
  // Amounts are compared digit for digit.
  const answer = exactJsonOf(body);
  const results = listed(facts, isRecord(answer) ? answer.results : undefined);
  if (!isSuccess(httpStatus) || results === null) return unreadable;
  const placed = placedByName(facts.items, results, {
    field: "transaction_id",
    item: "transaction",
    unnamed: null,
    itemIn: submitted,
  });
  if ("difference" in placed) return other(placed.difference);
  for (const [at, result] of placed.entries()) {
    const difference = otherAmount(facts.items[at], submitted(result));
    if (difference !== null) return other(difference);
  }
  return byItem(facts, placed, statuses);
}

function submitted(result: unknown): unknown {
  return isRecord(result) ? result.transaction_data : undefined;
}

/** Of several transactions some may have been added although the request was refused. */
function refusal(facts: BodyFacts, body: string): Refusal {
  if (facts.items.length === 1) return refusedWhole(facts);
  const answer = jsonOf(body);
  if (!isRecord(answer)) return allUnknown(facts);
  if (textAt(answer, "status") !== importError) {
    // The payload is validated as a whole before anything is added (INTERFACE 7.1); a 400 of
    // another kind, such as a gateway's, does not show how far the service came.
    return isValidation(answer) ? refusedWhole(facts) : allUnknown(facts);
  }
  const failing = failingItem(facts, answer.transaction_data);
  if (failing === null) return allUnknown(facts);
  const items = facts.labels.map((label, position): Item => {
    const outcome =
      position < failing ? "unknown" : position > failing ? "not-reached" : "rejected";
    return { position, label, outcome, status: position === failing ? importError : null };
  });
  return { partly: failing > 0, items };
}

function allUnknown(facts: BodyFacts): Refusal {
  return { partly: true, items: allItems(facts, "unknown") };
}

/** Validation errors in either documented shape: `errors`, or messages that mirror the payload. */
function isValidation(answer: Readonly<Record<string, unknown>>): boolean {
  if (Array.isArray(answer.errors) || answer.code === "account_failed_validation") return true;
  return ["transactions", "import_supplier", "external_account_number", "payload"].some(
    (field) => typeof answer[field] === "object" && answer[field] !== null,
  );
}

/** Which item the service names as the first that failed; null when that is not certain. */
function failingItem({ items }: BodyFacts, named: unknown): number | null {
  const id = textAt(named, "transaction_id");
  if (id === null) return null;
  const matches = items.flatMap((item, position) =>
    isRecord(item) && item.transaction_id === id ? [position] : [],
  );
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

/**
 * A transaction outside the open statement period may be moved into it. That the answer names no
 * other date proves nothing: the interface lets it give the transaction as submitted.
 */
function movedDates(items: readonly unknown[], response: string): readonly (string | null)[] {
  const answer = jsonOf(response);
  const results = isRecord(answer) && Array.isArray(answer.results) ? answer.results : [];
  const added = results.map(submitted);
  return items.map((sent, at) => {
    const id = textAt(sent, "transaction_id");
    const named = added.filter((one) => id !== null && textAt(one, "transaction_id") === id);
    // Results stand in any order; where they name nothing, in the order of what was sent.
    const mine = named.length === 1 ? named[0] : added[at];
    const date = textAt(mine, "transaction_date");
    return date === textAt(sent, "transaction_date") ? null : date;
  });
}
