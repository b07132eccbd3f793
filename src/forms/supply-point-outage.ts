/** The form fields of the contact for an outage, a part of the supply point form. */
import type { Field, LeafField } from "./fields.ts";
import { contacts, partsThatMayBeEmpty, texts } from "./shared-fields.ts";

const phone: readonly LeafField[] = [
  { name: "number", label: "Number", type: "text", looksLike: "phone", presence: "expected" },
  {
    name: "service_type",
    label: "Service",
    type: "enumeration",
    values: [{ value: "MOBILE_VOICE" }],
    presence: "expected",
  },
  ...partsThatMayBeEmpty({ prefix: "Prefix" }),
];

/** The fields of an outage contact (INTERFACE 2, "Outage contact" and its postal_address). */
export const outageContact: Field = {
  name: "outage_contact",
  label: "Outage contact",
  presence: "optional",
  type: "object",
  fields: [
    ...texts({
      title: "Title",
      given_name: "Given name",
      family_name: "Family name",
      suffix: "Suffix",
    }),
    {
      name: "name_type",
      label: "Name type",
      type: "enumeration",
      values: [{ value: "AKA" }],
      presence: "optional",
    },
    { name: "phone_1", label: "Phone 1", presence: "optional", type: "object", fields: phone },
    { name: "phone_2", label: "Phone 2", presence: "optional", type: "object", fields: phone },
    ...contacts({ email_address: ["E-mail", "email"] }),
    {
      name: "postal_address",
      label: "Postal address",
      presence: "optional",
      type: "object",
      fields: [
        ...texts({
          administrative_area: "Administrative area",
          country: "Country",
          locality: "Locality",
          postal_code: "Postal code",
          delivery_point_identifier: "Delivery point",
        }),
        {
          name: "structured_street_address",
          label: "Street, structured",
          presence: "optional",
          type: "object",
          fields: texts({
            house_number_1: "House number",
            building_or_property_name: "Building or property",
            flat_or_unit_number: "Flat or unit number",
            flat_or_unit_type: "Flat or unit type",
            street_name: "Street name",
            street_type: "Street type",
          }),
        },
      ],
    },
  ],
};
