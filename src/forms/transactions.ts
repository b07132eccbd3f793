/** The form for transactions on an account, with its rules. */
import { isJsonArray, isJsonNumber, type Json, memberOf } from "../json/exact.ts";
import { decimalProblem, sumOfDecimals } from "./decimals.ts";
import type { Field, Form } from "./fields.ts";
import { equalRows, inOrder, type Rule, repeatedText } from "./rules.ts";
import { accountSection } from "./shared-fields.ts";

/**
 * Reports two transactions with the same ID. With `check_previously_added`, the service skips the
 * second one without a message. Without it, both take effect. An error with the ID could refer to
 * either of them.
 */
const sameId = repeatedText(
  "Transaction",
  { field: "transaction_id", label: "transaction ID" },
  "each can appear once in a request.",
);

/**
 * Reports a transaction whose line items and tax items do not add up exactly to its amount. Reports
 * nothing if an amount is missing or is not a decimal number, or if there are no line items.
 */
const itemsAddUp: Rule = (transaction) => {
  const amount = memberOf(transaction, "amount");
  const lines = memberOf(transaction, "line_items");
  const taxes = memberOf(transaction, "tax_items") ?? [];
  if (!isJsonNumber(amount) || decimalProblem(amount.rawJSON) !== null) return [];
  if (!isJsonArray(lines) || lines.length === 0) return [];
  const net = sumOf(lines, "net_amount");
  const tax = sumOf(taxes, "amount");
  if (net === null || tax === null) return [];
  const total = sumOfDecimals([net, tax]);
  if (isEqual(total, amount.rawJSON)) return [];
  const hasTax = isJsonArray(taxes) && taxes.length > 0;
  const sum = hasTax
    ? `Line items ${net} + tax items ${tax} = ${total}`
    : `Line items add up to ${total}`;
  return [{ path: ["amount"], message: `${sum}; the amount is ${amount.rawJSON}.` }];
};

/** Returns the exact sum of a field over all rows, or null if a row has no decimal number there. */
function sumOf(rows: Json | undefined, field: string): string | null {
  const amounts = (isJsonArray(rows) ? rows : []).map((row) => memberOf(row, field));
  const sources = amounts.flatMap((amount) =>
    isJsonNumber(amount) && decimalProblem(amount.rawJSON) === null ? [amount.rawJSON] : [],
  );
  return sources.length < amounts.length ? null : sumOfDecimals(sources);
}

function isEqual(left: string, right: string): boolean {
  const opposite = right.startsWith("-") ? right.slice(1) : `-${right}`;
  return /^-?0(?:\.0+)?$/.test(sumOfDecimals([left, opposite]));
}

const supplyChargeOnly = { field: "type", values: ["SUPPLY_CHARGE"] };

/** The line items of a supply charge (INTERFACE 2, "line_items item"). */
const lineItems: Field = {
  name: "line_items",
  label: "Line items",
  presence: "optional",
  usedWith: supplyChargeOnly,
  type: "rows",
  itemLabel: "Line item",
  titleFrom: ["rate_band", "start_date"],
  total: "net_amount",
  min: 0,
  start: 0,
  item: {
    warningRules: [inOrder("start_date", "end_date", "The line item ends before it begins.")],
    fields: [
      {
        name: "rate_band",
        label: "Rate band",
        type: "enumeration",
        values: [{ value: "CONSUMPTION_STANDARD" }],
        presence: "expected",
      },
      { name: "start_date", label: "Start date", type: "date", presence: "expected" },
      { name: "end_date", label: "End date", type: "date", presence: "expected" },
      { name: "number_of_units", label: "Number of units", type: "number", presence: "expected" },
      {
        name: "net_amount",
        label: "Net amount",
        type: "amount",
        presence: "expected",
      },
      {
        name: "price_per_unit",
        label: "Price per unit",
        type: "amount",
        presence: "expected",
      },
      {
        name: "units",
        label: "Units",
        hint: "Numbers.",
        type: "list",
        item: { type: "number" },
        itemLabel: "Unit",
        presence: "optional",
      },
    ],
  },
};

/** The tax items of a supply charge (INTERFACE 2, "tax_items item"). */
const taxItems: Field = {
  name: "tax_items",
  label: "Tax items",
  presence: "optional",
  usedWith: supplyChargeOnly,
  type: "rows",
  itemLabel: "Tax item",
  titleFrom: ["tax_type", "amount"],
  total: "amount",
  min: 0,
  start: 0,
  item: {
    fields: [
      { name: "amount", label: "Amount", type: "amount", presence: "expected" },
      {
        name: "tax_type",
        label: "Tax type",
        type: "enumeration",
        values: [{ value: "VAT" }],
        presence: "expected",
      },
      {
        name: "value_taxed",
        label: "Value taxed",
        type: "amount",
        presence: "expected",
      },
      { name: "rate", label: "Rate", type: "number", presence: "expected" },
      {
        name: "unit_type",
        label: "Unit type",
        type: "enumeration",
        values: [{ value: "PROPORTION" }],
        presence: "expected",
      },
    ],
  },
};

const typeHint = "The interface does not document the fields of each type; the service decides.";

const transaction: readonly Field[] = [
  {
    name: "transaction_id",
    label: "Transaction ID",
    hint: "Its identifier in the source system; the service recognizes a transaction by it.",
    type: "text",
    reference: true,
    presence: "assumed",
    unique: true,
  },
  { name: "transaction_date", label: "Date", type: "date", presence: "assumed" },
  {
    name: "amount",
    label: "Amount",
    hint: "Decimal text, sent digit for digit.",
    type: "amount",
    maxDecimals: 2,
    presence: "assumed",
  },
  {
    name: "type",
    label: "Type",
    hint: typeHint,
    type: "enumeration",
    values: ["CHARGE", "CREDIT", "PAYMENT", "REPAYMENT", "SUPPLY_CHARGE"].map((value) => ({
      value,
    })),
    presence: "assumed",
  },
  {
    name: "reason",
    label: "Reason",
    type: "enumeration",
    by: "type",
    values: [
      { value: "IMPORTED_CHARGE", with: ["CHARGE"] },
      { value: "IMPORTED_CREDIT", with: ["CREDIT"] },
      { value: "ACCOUNT_CHARGE_PAYMENT", with: ["PAYMENT"] },
      { value: "GENERAL_CREDIT", with: ["PAYMENT"], note: "seen in a result" },
      { value: "FULL_CREDIT_REFUND", with: ["REPAYMENT"] },
    ],
    presence: "optional",
    usedWith: { field: "type", values: ["CHARGE", "CREDIT", "PAYMENT", "REPAYMENT"] },
  },
  {
    name: "display_note",
    label: "Display note",
    hint: "Shown to the customer.",
    type: "multiline",
    presence: "optional",
    usedWith: { field: "type", values: ["CHARGE", "CREDIT", "SUPPLY_CHARGE"] },
  },
  {
    name: "note",
    label: "Note",
    hint: "Internal.",
    type: "multiline",
    presence: "optional",
    usedWith: { field: "type", values: ["CHARGE", "CREDIT", "PAYMENT", "REPAYMENT"] },
  },
  {
    name: "reference",
    label: "Reference",
    type: "text",
    reference: true,
    presence: "optional",
    usedWith: { field: "type", values: ["PAYMENT", "REPAYMENT"] },
  },
  {
    name: "payment_type",
    label: "Payment type",
    type: "enumeration",
    values: ["DD_REGULAR_COLLECTION", "DIRECT_CREDIT", "DEBIT_CARD"].map((value) => ({ value })),
    presence: "optional",
    usedWith: { field: "type", values: ["PAYMENT", "REPAYMENT"] },
  },
  {
    name: "product_code",
    label: "Product code",
    type: "text",
    reference: true,
    presence: "optional",
    usedWith: { field: "type", values: ["SUPPLY_CHARGE"] },
  },
  lineItems,
  taxItems,
];

/** The form for transactions on an account (INTERFACE 2 "Transaction", 4.2). */
export const transactionsForm: Form = {
  kind: "transactions",
  title: "Transactions",
  envelope: null,
  itemsField: "transactions",
  query: [
    {
      name: "check_previously_added",
      label: "Skip transactions already added",
      hint: "The service skips what it already has. Without it a resend can take effect twice.",
      type: "boolean",
      serviceDefault: true,
      presence: "optional",
    },
    {
      name: "force_add_to_current_statement",
      label: "Move into the open statement",
      hint: "The service changes a date outside the open statement period, reports it and pins a note. Without it such a transaction is an error.",
      type: "boolean",
      serviceDefault: true,
      presence: "optional",
    },
  ],
  sections: [
    accountSection,
    {
      id: "transactions",
      title: "Transactions",
      fields: [
        {
          name: "transactions",
          label: "Transactions",
          presence: "required",
          type: "rows",
          itemLabel: "Transaction",
          titleFrom: ["transaction_id", "type"],
          total: "amount",
          min: 1,
          start: 1,
          errorRules: [sameId, equalRows("Transaction", "transaction_id")],
          item: { fields: transaction, warningRules: [itemsAddUp] },
        },
      ],
    },
  ],
};
