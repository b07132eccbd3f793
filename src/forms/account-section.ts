import type { LeafField, Section } from "./fields.ts";

/** The supplier's code, which every payload begins with (INTERFACE 1.4). */
export const importSupplierField: LeafField = {
  name: "import_supplier",
  label: "Import supplier",
  hint: "The supplier's code.",
  type: "text",
  identifier: true,
  presence: "required",
};

/** The fields that name the account (INTERFACE 4.1–4.4). */
export const accountSection: Section = {
  id: "account",
  title: "Account",
  fields: [
    importSupplierField,
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
