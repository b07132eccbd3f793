import type { Client } from "./client.ts";
import { imported, json, opened, paths } from "./client.ts";

const charge = {
  transaction_id: "T-1",
  transaction_date: "2025-11-10",
  amount: 12.5,
  type: "CHARGE",
  reason: "IMPORTED_CHARGE",
};

const send = async (client: Client, transactions: unknown, query = "") => {
  const response = await client.post(paths.transactions + query, { ...imported, transactions });
  return { status: response.status, body: await json(response) };
};

const landed = (client: Client) =>
  client.sandbox
    .ledger()
    .flatMap(({ endpoint, key }) => (endpoint === "transactions" ? [key] : []));

describe("creating transactions", () => {
  test("each is answered as submitted, its amount as decimal text", async () => {
    const client = await opened();
    expect(await send(client, [charge])).toEqual({
      status: 201,
      body: {
        results: [
          {
            status: "TRANSACTION_ADDED_TO_ACCOUNT",
            transaction_data: { ...charge, amount: "12.50", status: "TRANSACTION_IMPORT_SUCCESS" },
          },
        ],
      },
    });
  });

  test("amounts never go through floating point, and line items come back digit for digit", async () => {
    const client = await opened();
    const item =
      '{"rate_band":"CONSUMPTION_STANDARD","start_date":"2025-11-01","end_date":"2025-11-30","number_of_units":100.10,"net_amount":9.90,"price_per_unit":0.0990,"units":[1.0,2.50]}';
    const tax =
      '{"amount":1.98,"tax_type":"VAT","value_taxed":9.90,"rate":0.20,"unit_type":"PROPORTION"}';
    const supply = `{"transaction_id":"S-1","transaction_date":"2025-11-10","amount":-90071992547409931.005,"type":"SUPPLY_CHARGE","product_code":"STD","line_items":[${item}],"tax_items":[${tax}]}`;
    const response = await client.post(
      paths.transactions,
      `{"import_supplier":"ACME","external_account_number":"EXT-0000001","transactions":[${supply}]}`,
    );
    const text = await response.text();
    expect(text).toContain('"amount":"-90071992547409931.01"');
    expect(text).toContain(item);
    expect(text).toContain(tax);
  });

  test("one added earlier is skipped, unless the check is switched off", async () => {
    const client = await opened();
    await send(client, [charge]);
    const again = await send(client, [charge, { ...charge, transaction_id: "T-2" }]);
    expect(again.body.results.map((result: { status: string }) => result.status)).toEqual([
      "TRANSACTION_ALREADY_EXISTS",
      "TRANSACTION_ADDED_TO_ACCOUNT",
    ]);
    await send(client, [charge], "?check_previously_added=false");
    expect(landed(client)).toEqual(["T-1", "T-2", "T-1"]);
  });

  test.each([
    ["before", "2025-09-30", "2025-11-01"],
    ["after", "2026-01-01", "2025-11-30"],
  ])(
    "one dated %s the open statement period is moved into it, with a pinned note",
    async (_when, given, moved) => {
      const client = await opened();
      const { status, body } = await send(client, [{ ...charge, transaction_date: given }]);
      expect(status).toBe(201);
      expect(body.results[0].transaction_data.transaction_date).toBe(given);
      const [transaction, note] = client.sandbox.ledger();
      expect(transaction).toMatchObject({
        cause: "request",
        detail: { transaction_date: moved, description: expect.stringContaining(given) },
      });
      expect(note).toMatchObject({
        endpoint: "notes",
        cause: "service",
        detail: { is_pinned: true },
      });
    },
  );

  test("one outside the period is an error when it must not be moved", async () => {
    const client = await opened();
    const old = { ...charge, transaction_id: "T-OLD", transaction_date: "2025-10-31" };
    const { status, body } = await send(client, [old], "?force_add_to_current_statement=false");
    expect(status).toBe(400);
    expect(body).toEqual({
      status: "TRANSACTION_IMPORT_ERROR",
      error_detail: expect.stringContaining("not within the open statement period"),
      transaction_data: { ...old, amount: "12.50" },
    });
    expect(landed(client)).toEqual([]);
  });

  test("those before a failing one stay or go, as the sandbox is set", async () => {
    const batch = [
      charge,
      { ...charge, transaction_id: "T-BAD", type: "GIFT" },
      { ...charge, transaction_id: "T-3" },
    ];
    const keeping = await opened();
    const answer = await send(keeping, batch);
    expect(answer.body).toMatchObject({
      status: "TRANSACTION_IMPORT_ERROR",
      transaction_data: { transaction_id: "T-BAD" },
    });
    expect(landed(keeping)).toEqual(["T-1"]);
    const undoing = await opened({ faults: ["batch=undone"] });
    expect((await send(undoing, batch)).status).toBe(400);
    expect(landed(undoing)).toEqual([]);
  });

  test.each([
    ["a missing amount", { ...charge, amount: undefined }, "required", "transactions.0.amount"],
    [
      "an amount in quotes",
      { ...charge, amount: "12.50" },
      "not_a_number",
      "transactions.0.amount",
    ],
    [
      "a date that is none",
      { ...charge, transaction_date: "2025-11-31" },
      "invalid_date",
      "transactions.0.transaction_date",
    ],
    [
      "an undocumented field",
      { ...charge, currency: "GBP" },
      "unknown_field",
      "transactions.0.currency",
    ],
    [
      "a line item without its dates",
      {
        ...charge,
        line_items: [
          {
            rate_band: "A",
            start_date: "2025-11-01",
            number_of_units: 1,
            net_amount: 1,
            price_per_unit: 1,
          },
        ],
      },
      "required",
      "transactions.0.line_items.0.end_date",
    ],
  ])("%s fails validation", async (_what, transaction, code, attr) => {
    const client = await opened();
    const { status, body } = await send(client, [transaction]);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "account_failed_validation", errors: [{ code, attr }] });
  });

  test("a query parameter that is no boolean fails validation; a staged account is 404", async () => {
    const client = await opened();
    const wrong = await send(client, [charge], "?check_previously_added=perhaps");
    expect(wrong).toMatchObject({
      status: 400,
      body: { errors: [{ attr: "check_previously_added" }] },
    });
    const response = await client.post(paths.transactions, {
      import_supplier: "ACME",
      external_account_number: "EXT-0000004",
      transactions: [charge],
    });
    expect(response.status).toBe(404);
  });
});
