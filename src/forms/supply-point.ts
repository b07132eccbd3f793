import type { Form } from "./fields.ts";
import { importSupplierField } from "./shared-fields.ts";
import { customer } from "./supply-point-customer.ts";
import { outageContact } from "./supply-point-outage.ts";

/**
 * The form for a supply point and its accounts (INTERFACE 2 "Supply point import payload", 4.5,
 * 4.6). The interface does not document the required fields. Without a supplier and an identifier
 * there is nothing to import.
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
