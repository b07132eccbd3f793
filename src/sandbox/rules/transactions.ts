/** The rules of the endpoint for transactions (INTERFACE 4.2). */
import {
  type Answer,
  date,
  failedValidation,
  list,
  name,
  number,
  object,
  optional,
  type Problem,
  required,
  text,
} from "../checks.ts";
import { type ExactNumber, twoPlaces } from "../exact-json.ts";
import { addEffect, type Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import { type AccountPayload, accountFields, onAccount } from "./account-payload.ts";
import { addNote } from "./notes.ts";

interface Transaction {
  readonly transaction_id: string;
  readonly transaction_date: string;
  readonly amount: ExactNumber;
  readonly type: string;
}

interface TransactionsPayload extends AccountPayload {
  readonly transactions: readonly Transaction[];
}

interface Options {
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

const types = ["CHARGE", "CREDIT", "PAYMENT", "REPAYMENT", "SUPPLY_CHARGE"];

const lineItem = object({
  rate_band: required(name),
  start_date: required(date),
  end_date: required(date),
  number_of_units: required(number),
  net_amount: required(number),
  price_per_unit: required(number),
  units: optional(list(number)),
});

const taxItem = object({
  amount: required(number),
  tax_type: required(name),
  value_taxed: required(number),
  rate: required(number),
  unit_type: required(name),
});

const check = object({
  ...accountFields,
  transactions: required(
    list(
      object({
        transaction_id: required(name),
        transaction_date: required(date),
        amount: required(number),
        type: required(name),
        reason: optional(name),
        display_note: optional(text),
        note: optional(text),
        reference: optional(text),
        payment_type: optional(name),
        product_code: optional(name),
        line_items: optional(list(lineItem)),
        tax_items: optional(list(taxItem)),
      }),
      1,
    ),
  ),
});

export function createTransactions(
  service: Service,
  payload: unknown,
  query: Readonly<Record<string, string>>,
): Answer {
  const checked = booleanParameter(query, "check_previously_added");
  const forced = booleanParameter(query, "force_add_to_current_statement");
  const problems = [checked, forced].filter((value) => typeof value !== "boolean");
  if (problems.length > 0) return failedValidation(problems);
  const options = {
    checkPreviouslyAdded: checked === true,
    forceAddToCurrentStatement: forced === true,
  };
  return onAccount<TransactionsPayload>(service, payload, check, ({ owner }, { transactions }) =>
    addAll(service, owner, transactions, options),
  );
}

/** Returns the value of a parameter, by default true, or the problem of an invalid value. */
function booleanParameter(
  query: Readonly<Record<string, string>>,
  parameter: string,
): boolean | Problem {
  const word = (query[parameter] ?? "true").toLowerCase();
  if (word === "true" || word === "1") return true;
  if (word === "false" || word === "0") return false;
  return { path: [parameter], code: "not_a_boolean", detail: "true or false is expected here." };
}

function addAll(
  service: Service,
  owner: Owner,
  transactions: readonly Transaction[],
  options: Options,
): Answer {
  const period = openPeriod(service.clock.now());
  // A transaction that was added earlier is skipped, so it cannot fail.
  const failing = transactions.findIndex(
    (transaction) =>
      !addedBefore(service, owner, transaction, options) &&
      importError(transaction, period, options) !== undefined,
  );
  const importable = failing < 0 ? transactions : transactions.slice(0, failing);
  // The effect of a 400 on earlier transactions is not documented. The fault `batch` selects it.
  const areAdded = failing < 0 || service.faults.settings().batch === "kept";
  const results = areAdded
    ? importable.map((transaction) => addOne(service, owner, transaction, period, options))
    : [];
  const failed = transactions[failing];
  if (failed === undefined) return { status: 201, body: { results } };
  return {
    status: 400,
    body: {
      status: "TRANSACTION_IMPORT_ERROR",
      error_detail: importError(failed, period, options),
      transaction_data: transactionData(failed),
    },
  };
}

function importError(
  transaction: Transaction,
  period: StatementPeriod,
  options: Options,
): string | undefined {
  if (!types.includes(transaction.type)) {
    return `Transactions of type ${transaction.type} cannot be imported.`;
  }
  if (options.forceAddToCurrentStatement || within(period, transaction.transaction_date)) {
    return undefined;
  }
  return `The transaction of ${transaction.transaction_date} is not within the open statement period, ${period.from} to ${period.to}.`;
}

function addOne(
  service: Service,
  owner: Owner,
  transaction: Transaction,
  period: StatementPeriod,
  options: Options,
): unknown {
  const { transaction_id: id, transaction_date: requestedDate } = transaction;
  if (addedBefore(service, owner, transaction, options)) {
    return { status: "TRANSACTION_ALREADY_EXISTS", transaction_data: transactionData(transaction) };
  }
  const addedDate = nearestDate(period, requestedDate);
  const isMoved = addedDate !== requestedDate;
  const description = isMoved
    ? `Dated ${requestedDate} in the source system; moved to ${addedDate} to fall inside the open statement period.`
    : undefined;
  const added = { transaction_date: addedDate, ...(isMoved ? { description } : {}) };
  addEffect(service, owner, {
    kind: "transaction",
    endpoint: "transactions",
    key: id,
    record: { ...transaction, ...added },
    detail: { type: transaction.type, amount: twoPlaces(transaction.amount), ...added },
  });
  if (isMoved) {
    addNote(
      service,
      owner,
      { body: `Transaction ${id}: ${description}`, is_pinned: true },
      "service",
    );
  }
  return {
    status: "TRANSACTION_ADDED_TO_ACCOUNT",
    transaction_data: { ...transactionData(transaction), status: "TRANSACTION_IMPORT_SUCCESS" },
  };
}

function addedBefore(
  service: Service,
  owner: Owner,
  { transaction_id: id }: Transaction,
  options: Options,
): boolean {
  return options.checkPreviouslyAdded && service.store.find("transaction", owner, id).length > 0;
}

function transactionData(transaction: Transaction): Record<string, unknown> {
  return { ...transaction, amount: twoPlaces(transaction.amount) };
}

/** The open statement period as its first and last date (YYYY-MM-DD). */
interface StatementPeriod {
  readonly from: string;
  readonly to: string;
}

function openPeriod(epochMs: number): StatementPeriod {
  const today = new Date(epochMs);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const day = (date: number): string => new Date(date).toISOString().slice(0, 10);
  return { from: day(Date.UTC(year, month, 1)), to: day(Date.UTC(year, month + 1, 0)) };
}

function within(period: StatementPeriod, date: string): boolean {
  return period.from <= date && date <= period.to;
}

function nearestDate(period: StatementPeriod, date: string): string {
  if (date < period.from) return period.from;
  return date > period.to ? period.to : date;
}
