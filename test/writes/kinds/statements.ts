import { account, type KindSample } from "../../helpers/kinds.ts";

const statement = {
  bill_period_from_date: "2025-10-01",
  bill_period_to_date: "2025-10-31",
  statement_id: "ST-1",
  issued_date: "2025-11-01",
  number: "1",
  gross_amount: 10,
};

export const sample: KindSample = {
  documented: `{
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
  retries: "R U X X U U",
  writes: [
    {
      name: "statements",
      body: { ...account, statements: [statement] },
      deduplicated: false,
      success: { status: 200, body: { ...account, statements: [{}] } },
    },
  ],
  rejected: [
    {
      body: { ...account, statements: [{ ...statement, bill_period_to_date: "2025-09-30" }] },
      attr: "statements.0.bill_period_to_date",
      code: "period_ends_before_it_begins",
    },
  ],
  command: ["ACME", "EXT-0000001", "--from", "FILE"],
};
