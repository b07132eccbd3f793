/**
 * The facts about writes of transactions (INTERFACE 4.2): endpoint, retries, results, duplicates.
 */
import { exactJsonOf, isRecord } from "../../json/exact.ts";
import { normalText } from "../../json/normal-form.ts";
import { deduplicatedRules } from "../retry-table.ts";
import {
  accountBody,
  allItems,
  byStatus,
  listIn,
  nameAt,
  partsOf,
  refusedWhole,
  textAt,
  wholeItem,
  withId,
} from "./bodies.ts";
import type { BodyFacts, Item, KindFacts, Query, Refusal, Refused } from "./kind.ts";

export const transactionsKind: KindFacts<"transactions"> = {
  form: "transactions",
  path: "/v1/data-import/transactions/create/",
  itemsField: "transactions",
  idField: "transaction_id",
  identityOf: wholeItem,
  nameOf: (transaction) => nameAt(transaction, "transaction_id"),
  item: "transaction",
  noun: "transactions",
  plural: "transactions",
  movesMoney: true,
  readBack: {
    by: "checked-resend",
    otherwise:
      "Without check_previously_added, or without a transaction ID, it would be added again: look at the account's transactions.",
  },
  retries: deduplicatedRules,
  readBody: (payload) => accountBody(payload, "transactions", (item) => item.transaction_id),
  isDeduplicated: (query, transactions) =>
    // The check is on by default. Any value other than true counts as off.
    (query.check_previously_added ?? "true").toLowerCase() === "true" &&
    // The service recognizes a transaction by its ID.
    transactions.every(
      (item) =>
        isRecord(item) && typeof item.transaction_id === "string" && item.transaction_id !== "",
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
  naming: {
    fields: ["transaction_id"],
    sent: (transaction) => textAt(transaction, "transaction_id"),
    results: (response) => {
      const results = listIn(response, "results");
      if (results.length > 0) return results;
      // The error of INTERFACE 4.2 has the shape of a result.
      const isResult = isRecord(response) && isRecord(response.transaction_data);
      return isResult ? [response] : listIn(response, "transactions");
    },
    compared: { amount: sameAmount, type: (sent, named) => sent === named },
  },
  statuses: {
    TRANSACTION_ADDED_TO_ACCOUNT: "created",
    TRANSACTION_ALREADY_EXISTS: "exists",
  },
  confirmed: (facts, { results }) => byStatus(transactionsKind, facts, results),
  refusal,
  beforehand: (query) =>
    movesDates(query)
      ? "If the date of a transaction is outside the open statement period, the service changes it to a date inside and pins a note to the account."
      : null,
  movedDates: (items, query, response) => (movesDates(query) ? movedDates(items, response) : []),
  contents: { amount: "amount", type: "type", date: "transaction_date", reference: null },
  isSummed: true,
  command: "from",
  sameRow: {
    key: (row) => withId(row, "transaction_id"),
    words: (line, query) =>
      query.check_previously_added === "false"
        ? `The same account and transaction_id as line ${line}: both would be added, because nothing checks for duplicates.`
        : `The same account and transaction_id as line ${line}: the service treats it as the same transaction and skips it.`,
  },
};

/** Returns true if dates move into the open statement period. Default: true (INTERFACE 4.2). */
function movesDates(query: Query): boolean {
  return query.force_add_to_current_statement !== "false";
}

/** The status in the 400 response of transactions (INTERFACE 4.2). */
const importError = "TRANSACTION_IMPORT_ERROR";

/** Returns the effect of a 400. Some of several transactions might have been added. */
function refusal(facts: BodyFacts, refused: Refused): Refusal {
  // The service validates the payload as a whole before it adds anything (INTERFACE 7.1). Any other
  // 400, such as a gateway's, does not show which transactions were added.
  if (facts.items.length === 1 || refused.kind === "validation") return refusedWhole(facts);
  const failing = refused.kind === "transaction" ? failingItem(facts, refused.transactionId) : null;
  if (failing === null) return { partly: true, items: allItems(facts, "unknown") };
  const items = facts.labels.map((label, position): Item => {
    const outcome =
      position < failing ? "unknown" : position > failing ? "not-reached" : "rejected";
    return { position, label, outcome, status: position === failing ? importError : null };
  });
  return { partly: failing > 0, items };
}

/** Returns the position of the first failed item that the service names, or null if uncertain. */
function failingItem({ items }: BodyFacts, id: string | null): number | null {
  if (id === null) return null;
  const matches = items.flatMap((item, position) => (isNamed(item, id) ? [position] : []));
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

function isNamed(transaction: unknown, id: string): boolean {
  const name = nameAt(transaction, "transaction_id");
  return name !== null && normalText(name) === normalText(id);
}

/**
 * Returns the new date of each transaction that was moved into the open statement period, or null
 * for a transaction with the same date. The same date proves nothing, because the response can
 * repeat the submitted transaction.
 */
function movedDates(items: readonly unknown[], response: string): readonly (string | null)[] {
  const added = listIn(exactJsonOf(response), "results").map((result) => partsOf(result)[1]);
  return items.map((sent, at) => {
    const id = textAt(sent, "transaction_id");
    const sameId = added.filter((result) => id !== null && isNamed(result, id));
    // Results can be in any order. Results without names are in the order of the request.
    const result = sameId.length === 1 ? sameId[0] : added[at];
    const date = textAt(result, "transaction_date");
    return date === textAt(sent, "transaction_date") ? null : date;
  });
}

/**
 * Returns true if two decimal texts are the same amount. The service returns two decimal places, so
 * a longer amount is the same if it is returned rounded or cut to two places.
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

/** A decimal number: `units` divided by 10 to the power of `places`. */
interface Units {
  readonly units: bigint;
  readonly places: number;
}

/** Maximum length of an amount. A longer text is not an amount of money. */
const maxDigits = 400;

function unitsOf(text: string): Units | null {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null || text.length > maxDigits) return null;
  const [, sign, whole = "", rest = "", exponent = "0"] = match;
  const digits = BigInt(whole + rest) * (sign === "-" ? -1n : 1n);
  const places = rest.replace(/0+$/, "").length - Number(exponent);
  const cut = digits / 10n ** BigInt(rest.length - rest.replace(/0+$/, "").length);
  return places < 0 ? { units: cut * 10n ** BigInt(-places), places: 0 } : { units: cut, places };
}

function scaled({ units, places }: Units, toPlaces: number): bigint {
  return units * 10n ** BigInt(toPlaces - places);
}
