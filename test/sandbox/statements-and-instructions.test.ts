import { imported, json, opened, paths } from "./client.ts";

const statement = {
  bill_period_from_date: "2025-09-01",
  bill_period_to_date: "2025-09-30",
  statement_id: "ST-1",
  issued_date: "2025-10-02",
  number: "2025/9",
  gross_amount: 80,
  statement_path: "statements/2025-09.pdf",
};

describe("creating historical statements", () => {
  test("the validated payload comes back digit for digit, with 201 or, on request, 200", async () => {
    const client = await opened();
    const text = JSON.stringify({ ...imported, statements: [statement] }).replace("80", "80.10");
    const created = await client.post(paths.statements, text);
    expect([created.status, await created.text()]).toEqual([201, text]);
    client.sandbox.setFaults(["statements-status=200"]);
    expect((await client.post(paths.statements, text)).status).toBe(200);
    expect(client.sandbox.ledger().map(({ key }) => key)).toEqual(["ST-1", "ST-1"]);
  });

  test.each([
    [
      "a period that ends before it begins",
      { bill_period_to_date: "2025-08-01" },
      "period_ends_before_it_begins",
      "statements.0.bill_period_to_date",
    ],
    ["no number", { number: undefined }, "required", "statements.0.number"],
    [
      "a path with a scheme",
      { statement_path: "s3://x/y.pdf" },
      "invalid_document_path",
      "statements.0.statement_path",
    ],
  ])("%s fails validation", async (_what, change, code, attr) => {
    const client = await opened();
    const response = await client.post(paths.statements, {
      ...imported,
      statements: [{ ...statement, ...change }],
    });
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ errors: [{ code, attr }] });
    expect(client.sandbox.ledger()).toEqual([]);
  });

  test("a staged account is 404", async () => {
    const client = await opened();
    const staged = { ...imported, external_account_number: "EXT-0000004" };
    const response = await client.post(paths.statements, { ...staged, statements: [statement] });
    expect(response.status).toBe(404);
  });
});

describe("creating payment instructions", () => {
  const instruction = { ...imported, vendor: "GOODPAY", reference: "R-1", type: "CARD" };

  test("one that the vendor knows is created and answered with the account's number", async () => {
    const client = await opened();
    const response = await client.post(paths.payment, instruction);
    expect(response.status).toBe(201);
    const account = await json(await client.get(paths.account("EXT-0000001")));
    expect(await json(response)).toEqual({
      service_account_number: account.service_account_number,
      reference: "R-1",
    });
    expect(client.sandbox.ledger()).toMatchObject([
      { endpoint: "payment-instructions", key: "GOODPAY/R-1" },
    ]);
  });

  test("a vendor that is flaky fails twice and then works; one that is down always fails", async () => {
    const client = await opened();
    const statuses = async (vendor: string) => {
      const seen: number[] = [];
      for (let n = 0; n < 3; n++) {
        seen.push((await client.post(paths.payment, { ...instruction, vendor })).status);
      }
      return seen;
    };
    expect(await statuses("FLAKYPAY")).toEqual([500, 500, 201]);
    expect(await statuses("DOWNPAY")).toEqual([500, 500, 500]);
    expect(client.sandbox.ledger()).toHaveLength(1);
  });

  test.each([
    ["a vendor out of reach for good", { vendor: "REFUSEPAY" }, "vendor_unavailable", "vendor"],
    ["an unknown vendor", { vendor: "NOPAY" }, "unknown_vendor", "vendor"],
    [
      "a reference the vendor does not know",
      { reference: "MISSING-1" },
      "instruction_not_found",
      "reference",
    ],
    ["an undocumented field", { iban: "x" }, "unknown_field", "iban"],
  ])("%s is 400", async (_what, change, code, attr) => {
    const client = await opened();
    const response = await client.post(paths.payment, { ...instruction, ...change });
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ errors: [{ code, attr }] });
    expect(client.sandbox.ledger()).toEqual([]);
  });

  test("a staged account is 404", async () => {
    const client = await opened();
    const response = await client.post(paths.payment, {
      ...instruction,
      external_account_number: "EXT-0000004",
    });
    expect(response.status).toBe(404);
  });
});
