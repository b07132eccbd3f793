/** The duplicate guard of the commands: what was sent before goes out again only with a reason. */
import { bulkWorld, charge, errorOf, instruction, note } from "../helpers/desk.ts";
import { eventually } from "../helpers/eventually.ts";
import { world } from "../helpers/world.ts";

const again = ["--again", "--reason", "the first one was lost"];
const sure = [...again, "--yes"];

test.each([
  ["confirmed", [], 0],
  ["unknown", ["reset-after@payment-instructionsx1"], 7],
])("a payment that is %s is not sent again: 2, with --yes too", async (_how, faults, code) => {
  const { run, service } = await world({ service: { faults: [...faults] } });
  expect((await run(instruction("GOODPAY"))).code).toBe(code);
  const twice = await run(instruction("GOODPAY", "--yes", "--json"));
  expect(twice.code).toBe(2);
  expect(errorOf(twice)).toMatchObject({ kind: "duplicate", journal_id: 1 });
  expect(errorOf(twice).message).toMatch(/entry 1.*Nothing was sent.*--again --reason TEXT/);
  expect(service.ledger()).toHaveLength(1);
  const sent = await run(instruction("GOODPAY", ...sure));
  expect(sent.code).toBe(0);
  expect(service.ledger()).toHaveLength(2);
});

test("unchecked transactions take a reason, checked ones and notes only mention the earlier entry", async () => {
  const { run, file, service } = await world();
  const from = ["--from", await file("t.json", [charge("T-1")])];
  const words = ["transactions", "create", "ACME", "EXT-0000001", ...from];
  const unchecked = [...words, "--no-check-previously-added"];
  expect((await run(unchecked)).code).toBe(0);
  expect((await run(unchecked)).code).toBe(2);
  expect((await run([...unchecked, ...sure])).code).toBe(0);
  const landed = service.ledger().length;
  expect((await run(words)).code).toBe(0);
  const checked = await run(words);
  expect(checked.code).toBe(0);
  expect(checked.stderr).toContain("The same transaction was sent before and confirmed, as entry");
  expect(service.ledger()).toHaveLength(landed);
  await run(note("--body", "b"));
  const noted = await run(note("--body", "b", "--json"));
  expect(noted.code).toBe(0);
  expect(JSON.parse(noted.stderr)).toMatchObject({ warning: { message: expect.any(String) } });
});

const head = "import_supplier,external_account_number,vendor,reference,type";
const row = (reference: string) => `BULK,BULK-0000001,GOODPAY,${reference},CARD`;

test("a bulk run sends the new rows of a file, and names the entries of the others", async () => {
  const { run, file, json, service } = await bulkWorld();
  await file("p.csv", `${head}\n${row("R-1")}\n`);
  await file("q.csv", `${head}\n${row("R-1")}\n${row("R-2")}\n`);
  const words = (name: string) => ["bulk", "run", "payment-instructions", "--from", name];
  expect((await run(words("p.csv"))).code).toBe(0);
  const second = await run(words("q.csv"));
  expect(second.code).toBe(2);
  expect(second.stderr).toContain("1 row would be held back");
  expect(second.stdout).toContain("1 held back: sent before as entry 1.");
  expect(second.stdout).toMatch(/bulk resume r\w+ --again --reason TEXT/);
  expect(second.stdout).toMatch(/confirmed +1/);
  expect(second.stdout).toMatch(/not sent +1/);
  expect(service.ledger()).toHaveLength(2);
  const [{ run: id }] = await json(["bulk", "list"]);
  const rows = JSON.parse((await run(["bulk", "report", id, "--json"])).stdout);
  expect(JSON.stringify(rows)).toContain(
    "The same payment instruction was sent before and confirmed, as entry 1.",
  );
  const resumed = await run(["bulk", "resume", id]);
  expect(resumed.code).toBe(2);
  expect(service.ledger()).toHaveLength(2);
  const forced = await run(["bulk", "resume", id, ...again]);
  expect(forced.code).toBe(0);
  expect(service.ledger()).toHaveLength(3);
  expect((await json(["activity", "show", "2"])).remarks).toContainEqual(
    expect.objectContaining({ kind: "again", text: "the first one was lost" }),
  );
});

const payByHand = (n: number) => [
  ...["payment-instructions", "create", "BULK", `BULK-${String(n).padStart(7, "0")}`],
  ...["--vendor", "GOODPAY", "--reference", `R-${n}`, "--type", "CARD"],
];
const numbered = (n: number) => `BULK,BULK-${String(n).padStart(7, "0")},GOODPAY,R-${n},CARD`;

test("a reason for one row of a run passes no other row that was paid before its resume", async () => {
  const { run, start, file, json, service } = await bulkWorld();
  const rows = Array.from({ length: 20 }, (_, n) => numbered(n + 1));
  await file("p.csv", `${head}\n${rows.join("\n")}\n`);
  expect((await run(payByHand(1))).code).toBe(0);
  service.setFaults(["latency=60ms@payment-instructions"]);
  const cli = await start([
    ...["bulk", "run", "payment-instructions", "--from", "p.csv", "--concurrency", "2"],
    ...sure,
  ]);
  await eventually(() => expect(service.ledger().length).toBeGreaterThan(4));
  cli.kill("SIGINT");
  const { stderr } = await cli.result;
  expect(stderr).toContain("1 of them would be held back without --again");
  service.setFaults([]);
  const [{ run: id }] = await json(["bulk", "list"]);
  expect((await run(payByHand(20))).code).toBe(0);
  const dry = await run(["bulk", "resume", id, "--dry-run"]);
  expect(dry.stdout).toMatch(/1 row would be held back.*\nLine 21: /);
  const resumed = await run(["bulk", "resume", id, "--yes"]);
  expect(resumed.code).toBe(2);
  expect(resumed.stderr).toMatch(/1 row would be held back.*\n.*Line 21: /);
  const paid = () => service.ledger().filter(({ key }) => key === "GOODPAY/R-20");
  expect(paid()).toHaveLength(1);
  // The first row was paid by hand and, with its reason, by the run.
  expect(service.ledger()).toHaveLength(21);
  expect((await run(["bulk", "resume", id, ...sure])).code).toBe(0);
  expect(paid()).toHaveLength(2);
});

describe("bulk run --dry-run", () => {
  const words = ["bulk", "run", "payment-instructions", "--from", "q.csv", "--dry-run"];

  test("says which rows would be held back, and which entries they repeat", async () => {
    const { run, json, file, service } = await bulkWorld();
    await file("p.csv", `${head}\n${row("R-1")}\n`);
    await file("q.csv", `${head}\n${row("R-1")}\n${row("R-2")}\n`);
    expect((await run(words)).stdout).toContain("It would send 2 rows.\n");
    await run(["bulk", "run", "payment-instructions", "--from", "p.csv"]);
    const { code, stdout } = await run(words);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "It would send 1 row.\n1 row would be held back; --again --reason TEXT sends it as well.\nLine 2: The same payment instruction was sent before and confirmed, as entry 1.\n",
    );
    expect(await json(words)).toMatchObject({
      rows: 2,
      held_back: { rows: 1, first: [{ line: 2, journal_id: 1, message: expect.any(String) }] },
    });
    const reasoned = await run([...words, ...again]);
    expect(reasoned.stdout).toContain("It would send 2 rows.\n1 of them would be held back");
    expect(service.ledger()).toHaveLength(1);
  });

  test("the dry run counts the other rows of a held-back request and subtracts their amounts", async () => {
    const { run, file } = await bulkWorld();
    const top =
      "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason";
    const charged = (id: string, amount: string, n = 1) =>
      `BULK,BULK-000000${n},${id},2026-11-20,${amount},CHARGE,IMPORTED_CHARGE\n`;
    const money = ["bulk", "run", "transactions", "--from"];
    await file("p.csv", `${top}\n${charged("T-1", "10")}`);
    expect((await run([...money, "p.csv"])).code).toBe(0);
    await file(
      "q.csv",
      `${top}\n${charged("T-1", "10.00")}${charged("T-2", "0.5")}${charged("T-3", "1.25", 2)}${charged("T-1", "7", 2)}`,
    );
    const off = ["--no-check-previously-added", "--group-by-account", "--dry-run"];
    const { stdout } = await run([...money, "q.csv", ...off]);
    expect(stdout).toContain("It would send 2 rows as 1 request; the amounts add up to 8.25.\n");
    expect(stdout).toContain("Line 2: The same transaction was sent before and confirmed");
    expect(stdout).toContain("1 row beside them: a request goes out as a whole or not at all.");
  });
});

test("an ID that was used with other content is named on one line, and sent", async () => {
  const { run, file, service } = await world();
  const words = async (amount: number) => [
    ...["transactions", "create", "ACME", "EXT-0000001", "--from"],
    ...[await file("t.json", [{ ...charge("T-1"), amount }]), "--no-check-previously-added"],
  ];
  expect((await run(await words(10))).code).toBe(0);
  const { code, stderr } = await run(await words(11));
  expect(code).toBe(0);
  expect(stderr).toContain(
    "The transaction ID T-1 was used on this account before with other content, in entry 1.",
  );
  expect(service.ledger()).toHaveLength(2);
});

test("a resend that the service recognizes reports the other entry with the same item", async () => {
  const { run, file } = await world({ service: { faults: ["reset-before@transactionsx4"] } });
  const from = ["--from", await file("t.json", [charge("T-1")])];
  const words = ["transactions", "create", "ACME", "EXT-0000001", ...from];
  expect((await run(words)).code).toBe(7);
  expect((await run(words)).code).toBe(0);
  const { code, stderr } = await run(["activity", "resend", "1"]);
  expect(code).toBe(0);
  expect(stderr).toContain("The same transaction was sent before and confirmed, as entry 2.");
});
