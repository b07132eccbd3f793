/** Tests the fields of `--json` about a rejection besides its message. */
import { charge, supplyPoint } from "../helpers/desk.ts";
import { world } from "../helpers/world.ts";

test("a refused transaction: --json has each item with its outcome, and transaction_data raw", async () => {
  const transaction_data = { transaction_id: "T-2", amount: "12.50", extra: { deep: [1] } };
  const { run, file } = await world({
    service: {
      writes: [
        {
          status: 400,
          body: { status: "TRANSACTION_IMPORT_ERROR", error_detail: "Too old.", transaction_data },
        },
      ],
    },
  });
  await file("t.json", [charge("T-1"), charge("T-2"), charge("T-3")]);
  const words = ["transactions", "create", "ACME", "EXT-1", "--from", "t.json", "--yes", "--json"];
  const { code, stderr } = await run(words);
  expect(code).toBe(7);
  expect(JSON.parse(stderr).error).toMatchObject({
    kind: "unknown-outcome",
    http_status: 400,
    items: [
      { index: 0, transaction_id: "T-1", outcome: "unknown" },
      { index: 1, transaction_id: "T-2", outcome: "rejected" },
      { index: 2, transaction_id: "T-3", outcome: "not-reached" },
    ],
    transaction_data,
  });
});

test("a duplicate supply point: --json keeps its identifier, and the message says what shows it", async () => {
  const { run, file } = await world();
  await file("sp.json", supplyPoint("SP-1"));
  const words = ["supply-points", "create", "sp.json", "--yes"];
  await run(words);
  const { code, stderr } = await run([...words, "--json"]);
  expect(code).toBe(4);
  const { error } = JSON.parse(stderr);
  expect(error.supply_point_identifier).toBe("SP-1");
  expect(error.message).toContain("supplyline supply-points status ACME SP-1");
});

test("a payment answered for another reference: 7, with the reason, and activity show has it", async () => {
  const { run, json } = await world({
    service: {
      writes: [
        {
          status: 201,
          body: { service_account_number: "A-OTHER", reference: "REF-OTHER" },
        },
      ],
    },
  });
  const words = ["payment-instructions", "create", "ACME", "EXT-1", "--vendor", "V", "--yes"];
  const { code, stderr } = await run([...words, "--reference", "REF-MINE", "--type", "CARD"]);
  expect(code).toBe(7);
  expect(stderr).toMatch(
    /Attempt 1: answered 201 after .*: the response names payment instruction REF-OTHER/,
  );
  expect(stderr).toContain("The response names payment instruction REF-OTHER, not REF-MINE.");
  expect((await json(["activity", "show", "1"])).attempts).toMatchObject([
    { detail: "The response names payment instruction REF-OTHER, not REF-MINE.", http_status: 201 },
  ]);
});
