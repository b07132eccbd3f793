import type { Form } from "./fields.ts";
import { equalRows, inOrder, repeatedText } from "./rules.ts";
import { accountSection } from "./shared-fields.ts";

/**
 * The form for historical statements of an account (INTERFACE 2 "Historical statement", 4.3). The
 * interface calls only the field `statement_path` optional.
 */
export const statementsForm: Form = {
  kind: "statements",
  title: "Historical statements",
  envelope: null,
  itemsField: "statements",
  query: [],
  sections: [
    accountSection,
    {
      id: "statements",
      title: "Statements",
      fields: [
        {
          name: "statements",
          label: "Statements",
          presence: "required",
          type: "rows",
          itemLabel: "Statement",
          titleFrom: ["number", "statement_id"],
          total: "gross_amount",
          min: 1,
          start: 1,
          errorRules: [equalRows("Statement")],
          warningRules: [
            repeatedText(
              "Statement",
              { field: "statement_id", label: "statement ID" },
              "the interface does not define what happens to the second.",
            ),
          ],
          item: {
            warningRules: [
              inOrder(
                "bill_period_from_date",
                "bill_period_to_date",
                "The bill period ends before it begins.",
              ),
            ],
            fields: [
              {
                name: "bill_period_from_date",
                label: "Bill period from",
                type: "date",
                presence: "assumed",
              },
              {
                name: "bill_period_to_date",
                label: "Bill period to",
                type: "date",
                presence: "assumed",
              },
              {
                name: "statement_id",
                label: "Statement ID",
                type: "text",
                reference: true,
                presence: "assumed",
                unique: true,
              },
              { name: "issued_date", label: "Issued", type: "date", presence: "assumed" },
              {
                name: "number",
                label: "Number",
                type: "text",
                reference: true,
                presence: "assumed",
              },
              {
                name: "gross_amount",
                label: "Gross amount",
                hint: "Decimal text, sent digit for digit.",
                type: "amount",
                presence: "assumed",
              },
              {
                name: "statement_path",
                label: "Document",
                hint: "The PDF, relative to the supplier's document root.",
                type: "document-path",
                presence: "optional",
              },
            ],
          },
        },
      ],
    },
  ],
};
