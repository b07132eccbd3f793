import type { Shape } from "./fields.ts";
import { contacts, partsThatMayBeEmpty, texts } from "./shared-fields.ts";

/** The form fields of a customer (INTERFACE 2, "Customer object" and "Customer postal_address"). */
export const customer: Shape = {
  fields: [
    ...texts({ title: "Title" }),
    { name: "given_name", label: "Given name", type: "text", presence: "expected" },
    { name: "family_name", label: "Family name", type: "text", presence: "expected" },
    ...contacts({
      email: ["E-mail", "email"],
      mobile: ["Mobile", "phone"],
      landline: ["Landline", "phone"],
    }),
    ...texts({ salutation: "Salutation" }),
    {
      name: "account_roles",
      label: "Account roles",
      presence: "optional",
      type: "list",
      item: { type: "enumeration", values: [{ value: "ADMIN" }] },
      itemLabel: "Role",
    },
    {
      name: "postal_address",
      label: "Postal address",
      hint: "Once any part is filled in, the others are sent as empty texts.",
      presence: "optional",
      type: "object",
      unusedParts: "empty",
      fields: [
        ...partsThatMayBeEmpty({
          administrative_area: "Administrative area",
          country: "Country",
          delivery_point_identifier: "Delivery point",
          dependent_locality: "Dependent locality",
          locality: "Locality",
          postal_code: "Postal code",
          sorting_code: "Sorting code",
          street_address: "Street address",
        }),
        {
          name: "structured_street_address",
          label: "Street, structured",
          presence: "optional",
          type: "object",
          fields: texts({
            postal_delivery_number_value: "Delivery number",
            postal_delivery_type: "Delivery type",
          }),
        },
      ],
    },
  ],
};
