/** Fields and sections that several forms share. */
import type { LeafField, Section, TextLeaf } from "./fields.ts";

/** The import supplier's code, the first field of every payload (INTERFACE 1.4). */
export const importSupplierField: LeafField = {
  name: "import_supplier",
  label: "Import supplier",
  hint: "The supplier's code.",
  type: "text",
  identifier: true,
  presence: "required",
};

/** The section with the names of the supplier and the account (INTERFACE 4.1–4.4). */
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

export function texts(labels: Readonly<Record<string, string>>): readonly LeafField[] {
  return Object.entries(labels).map(([name, label]) => optionalText(name, label));
}

export function contacts(
  labels: Readonly<Record<string, readonly [label: string, looksLike: "email" | "phone"]>>,
): readonly LeafField[] {
  return Object.entries(labels).map(([name, [label, looksLike]]) =>
    optionalText(name, label, { looksLike }),
  );
}

/** Creates optional one-line texts that can be empty according to INTERFACE. */
export function possiblyEmptyTexts(labels: Readonly<Record<string, string>>): readonly LeafField[] {
  return Object.entries(labels).map(([name, label]) =>
    optionalText(name, label, { mayBeEmpty: true }),
  );
}

function optionalText(
  name: string,
  label: string,
  more: Pick<TextLeaf, "looksLike" | "mayBeEmpty"> = {},
): LeafField {
  return { name, label, type: "text", presence: "optional", ...more };
}
