/** The form fields of the line items and tax items of a transaction. */
import type { Field } from "./fields.ts";
import { inOrder } from "./rules.ts";

const supplyChargeOnly = { field: "type", values: ["SUPPLY_CHARGE"] };

/** The line items of a supply charge (INTERFACE 2, "line_items item"). */
export const lineItems: Field = {
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
    warnings: [inOrder("start_date", "end_date", "The line item ends before it begins.")],
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
export const taxItems: Field = {
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
