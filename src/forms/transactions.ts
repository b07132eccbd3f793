/** The form for transactions on an account, with its rules. */
import type { Field, Form } from "./fields.ts";
import { equalRows, repeated } from "./rules.ts";
import { accountSection } from "./shared-fields.ts";
import { itemsAddUp } from "./totals.ts";
import { lineItems, taxItems } from "./transaction-items.ts";

/**
 * Reports two transactions with the same ID. With `check_previously_added`, the service skips the
 * second one without a message. Without it, both take effect. An error with the ID could refer to
 * either.
 */
const sameId = repeated(
  "Transaction",
  { field: "transaction_id", label: "transaction ID" },
  "each can appear once in a request.",
);

const anyType = "Which fields a type must have is not documented; the service decides.";

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
    places: 2,
    presence: "assumed",
  },
  {
    name: "type",
    label: "Type",
    hint: anyType,
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
      standard: true,
      presence: "optional",
    },
    {
      name: "force_add_to_current_statement",
      label: "Move into the open statement",
      hint: "The service changes a date outside the open statement period, reports it and pins a note. Without it such a transaction is an error.",
      type: "boolean",
      standard: true,
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
          refusals: [sameId, equalRows("Transaction", "transaction_id")],
          item: { fields: transaction, warnings: [itemsAddUp] },
        },
      ],
    },
  ],
};
