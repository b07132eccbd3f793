import { account, type KindSample } from "../../helpers/kinds.ts";

const transaction = {
  transaction_id: "T-1",
  transaction_date: "2025-11-20",
  amount: 12.5,
  type: "CHARGE",
  reason: "IMPORTED_CHARGE",
};
const body = { ...account, transactions: [transaction] };
const success = { status: 201, body: { results: [{ status: "TRANSACTION_ADDED_TO_ACCOUNT" }] } };

export const sample: KindSample = {
  documented: `{
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
  retries: "R RC X X RC RC",
  writes: [
    { name: "transactions", body, deduplicated: true, success },
    {
      name: "transactions, unchecked",
      body,
      query: { check_previously_added: "false" },
      deduplicated: false,
      success,
    },
  ],
  rejected: [
    { body: account, attr: "transactions", code: "required" },
    {
      body: { ...account, transactions: [{ ...transaction, transaction_id: undefined }] },
      attr: "transactions.0.transaction_id",
      code: "required",
    },
  ],
  command: ["ACME", "EXT-0000001", "--from", "FILE"],
};
