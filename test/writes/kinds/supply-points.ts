import { supplyPointPayload } from "../../../faults/supply-point-payload.ts";
import type { KindSample } from "../../helpers/kinds.ts";

const payload = supplyPointPayload("SP-NEW", "ACME");

export const sample: KindSample = {
  documented: `{
  "payload": {
    "import_supplier": "ACME",
    "supply_point": {
      "identifier": "SP-1",
      "supply_type": "ELECTRICITY_DISTRIBUTION",
      "substation": "North",
      "critical_load": false
    },
    "accounts": [
      {
        "account_type": "DOMESTIC_THIRD_PARTY_BILLED",
        "customer_at_supply_address_from_date": "2026-01-01",
        "customers": [
          {
            "title": "Ms",
            "given_name": "Ada",
            "family_name": "Byron",
            "email": "ada@example.org",
            "mobile": "+441234567890",
            "landline": "+441234567891",
            "salutation": "Ms Byron",
            "account_roles": ["ADMIN"],
            "postal_address": {
              "administrative_area": "",
              "country": "GB",
              "delivery_point_identifier": "",
              "dependent_locality": "",
              "locality": "London",
              "postal_code": "N1 1AA",
              "sorting_code": "",
              "street_address": "1 High Street",
              "structured_street_address": {
                "postal_delivery_number_value": "12",
                "postal_delivery_type": "BOX"
              }
            }
          }
        ],
        "outage_contact": {
          "title": "Mr",
          "given_name": "Charles",
          "family_name": "Cabbage",
          "suffix": "Jr",
          "name_type": "AKA",
          "phone_1": { "number": "7700900000", "service_type": "MOBILE_VOICE", "prefix": "" },
          "phone_2": { "number": "7700900001", "service_type": "MOBILE_VOICE", "prefix": "44" },
          "email_address": "charles@example.org",
          "postal_address": {
            "administrative_area": "Greater London",
            "country": "GB",
            "locality": "London",
            "postal_code": "N1 1AA",
            "delivery_point_identifier": "D-1",
            "structured_street_address": {
              "house_number_1": "1",
              "building_or_property_name": "The Mill",
              "flat_or_unit_number": "2",
              "flat_or_unit_type": "FLAT",
              "street_name": "High",
              "street_type": "STREET"
            }
          }
        }
      }
    ]
  }
}`,
  retries: "R V X X V V",
  writes: [
    {
      name: "a supply point",
      body: { payload },
      deduplicated: false,
      success: { status: 201 },
    },
  ],
  rejected: [
    { body: { payload: { ...payload, accounts: [] } }, attr: "accounts", code: "empty" },
    {
      body: { payload: { ...payload, import_supplier: "NOBODY" } },
      attr: "import_supplier",
      code: "unknown_import_supplier",
    },
  ],
  command: ["FILE"],
};
