import type { Form } from "./fields.ts";
import { accountSection } from "./shared-fields.ts";

/** The form for a payment instruction (INTERFACE 2 "Payment instruction", 4.4). */
export const paymentInstructionForm: Form = {
  kind: "payment-instructions",
  title: "Payment instruction",
  envelope: null,
  itemsField: null,
  query: [],
  sections: [
    accountSection,
    {
      id: "instruction",
      title: "Instruction",
      fields: [
        {
          name: "vendor",
          label: "Vendor",
          hint: "The payment vendor's name code; the service asks the vendor for the instruction.",
          type: "text",
          reference: true,
          presence: "assumed",
        },
        {
          name: "reference",
          label: "Reference",
          hint: "The instruction's reference at the vendor.",
          type: "text",
          reference: true,
          presence: "assumed",
        },
        {
          name: "type",
          label: "Type",
          type: "enumeration",
          values: [{ value: "CARD" }],
          presence: "assumed",
        },
      ],
    },
  ],
};
