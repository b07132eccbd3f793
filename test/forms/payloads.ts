import type { FormKind } from "../../src/forms/forms.ts";

/**
 * A body of each kind with every field that INTERFACE 2 and 4 document, in the documented order.
 * Written out by hand from there, so that a field forgotten in a form shows.
 */
export const payloads: Readonly<Record<FormKind, string>> = {
  notes: `{
  "import_supplier": "ACME",
  "external_account_number": "EXT-1",
  "notes": [
    {
      "body": "Moved in.\\nSaid hello.",
      "document_paths": [{ "document_path": "letters/2026/welcome.pdf" }, { "document_path": "b.pdf" }],
      "created_at": "2026-11-20T14:00:00+01:00",
      "is_pinned": true,
      "unpin_at": "2026-12-01T00:00:00Z"
    },
    { "body": "Called back.", "is_pinned": false }
  ]
}`,
  transactions: `{
  "import_supplier": "ACME",
  "external_account_number": "EXT-1",
  "transactions": [
    {
      "transaction_id": "T-1",
      "transaction_date": "2026-11-01",
      "amount": 1.10,
      "type": "CHARGE",
      "reason": "IMPORTED_CHARGE",
      "display_note": "For the meter",
      "note": "Seen by Jo"
    },
    {
      "transaction_id": "T-2",
      "transaction_date": "2026-11-02",
      "amount": -0.50,
      "type": "PAYMENT",
      "reason": "ACCOUNT_CHARGE_PAYMENT",
      "note": "By card",
      "reference": "R-7",
      "payment_type": "DEBIT_CARD"
    },
    {
      "transaction_id": "T-3",
      "transaction_date": "2026-11-03",
      "amount": 12345678901234567890.12,
      "type": "SUPPLY_CHARGE",
      "display_note": "November",
      "product_code": "P-1",
      "line_items": [
        {
          "rate_band": "CONSUMPTION_STANDARD",
          "start_date": "2026-10-01",
          "end_date": "2026-10-31",
          "number_of_units": 100.000,
          "net_amount": 12345678901234567885.12,
          "price_per_unit": 0.250000,
          "units": [40.5, 59.50]
        }
      ],
      "tax_items": [
        {
          "amount": 5.00,
          "tax_type": "VAT",
          "value_taxed": 25.00,
          "rate": 0.20,
          "unit_type": "PROPORTION"
        }
      ]
    }
  ]
}`,
  statements: `{
  "import_supplier": "ACME",
  "external_account_number": "EXT-1",
  "statements": [
    {
      "bill_period_from_date": "2026-09-01",
      "bill_period_to_date": "2026-09-30",
      "statement_id": "S-1",
      "issued_date": "2026-10-02",
      "number": "0001",
      "gross_amount": 99.90,
      "statement_path": "bills/0001.pdf"
    }
  ]
}`,
  "payment-instructions": `{
  "import_supplier": "ACME",
  "external_account_number": "EXT-1",
  "vendor": "GOODPAY",
  "reference": "REF-1",
  "type": "CARD"
}`,
  "supply-points": `{
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
};

/** JSON text without the blanks between its tokens; numbers stay as they are spelt. */
export function compact(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? "");
}

/** A moment in November in Berlin, an hour ahead of UTC. */
export const typedAt = { now: Date.UTC(2026, 10, 20, 9, 30, 5), timeZone: "Europe/Berlin" };
