import type { Section } from "./fields.ts";

/** The fields that name the account (INTERFACE 4.1–4.4). */
export const accountSection: Section = {
  id: "account",
  title: "Account",
  fields: [
    {
      name: "import_supplier",
      label: "Import supplier",
      hint: "The supplier's code.",
      type: "text",
      identifier: true,
      presence: "required",
    },
    {
      name: "external_account_number",
      label: "External account number",
      hint: "An imported account; staged is not enough.",
      type: "text",
      identifier: true,
      presence: "required",
    },
  ],
};
