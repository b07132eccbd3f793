/** The form for a supply point with its accounts, customers and outage contacts. */
import type { Field, Form, LeafField, Shape } from "./fields.ts";
import { contacts, importSupplierField, possiblyEmptyTexts, texts } from "./shared-fields.ts";

const phone: readonly LeafField[] = [
  { name: "number", label: "Number", type: "text", looksLike: "phone", presence: "expected" },
  {
    name: "service_type",
    label: "Service",
    type: "enumeration",
    values: [{ value: "MOBILE_VOICE" }],
    presence: "expected",
  },
  ...possiblyEmptyTexts({ prefix: "Prefix" }),
];

/** The fields of an outage contact (INTERFACE 2, "Outage contact" and its postal_address). */
const outageContact: Field = {
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

/** The form fields of a customer (INTERFACE 2, "Customer object" and "Customer postal_address"). */
const customer: Shape = {
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
        ...possiblyEmptyTexts({
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

/**
 * The form for a supply point (INTERFACE 2 "Supply point import payload", 4.5, 4.6). The interface
 * does not document the required fields. The form requires a supplier and an identifier, because
 * without them there is nothing to import.
 */
export const supplyPointForm: Form = {
  kind: "supply-points",
  title: "Supply point",
  envelope: "payload",
  itemsField: null,
  query: [],
  sections: [
    {
      id: "supply-point",
      title: "Supply point",
      fields: [
        importSupplierField,
        {
          name: "supply_point",
          label: "Supply point",
          presence: "required",
          type: "object",
          fields: [
            {
              name: "identifier",
              label: "Identifier",
              hint: "The external identifier, used to track the import.",
              type: "text",
              identifier: true,
              presence: "required",
            },
            {
              name: "supply_type",
              label: "Supply type",
              type: "enumeration",
              values: [{ value: "ELECTRICITY_DISTRIBUTION" }],
              presence: "expected",
            },
            { name: "substation", label: "Substation", type: "text", presence: "optional" },
            {
              name: "critical_load",
              label: "Critical load",
              type: "boolean",
              presence: "optional",
            },
          ],
        },
      ],
    },
    {
      id: "accounts",
      title: "Accounts",
      fields: [
        {
          name: "accounts",
          label: "Accounts",
          presence: "expected",
          type: "rows",
          itemLabel: "Account",
          titleFrom: ["account_type"],
          min: 0,
          start: 1,
          item: {
            fields: [
              {
                name: "account_type",
                label: "Account type",
                type: "enumeration",
                values: [{ value: "DOMESTIC_THIRD_PARTY_BILLED" }],
                presence: "expected",
              },
              {
                name: "customer_at_supply_address_from_date",
                label: "At this address since",
                hint: "The day from which the customer is at the supply address.",
                type: "date",
                presence: "expected",
              },
              {
                name: "customers",
                label: "Customers",
                presence: "expected",
                type: "rows",
                itemLabel: "Customer",
                titleFrom: ["family_name", "given_name", "email"],
                min: 0,
                start: 1,
                item: customer,
              },
              outageContact,
            ],
          },
        },
      ],
    },
  ],
};
