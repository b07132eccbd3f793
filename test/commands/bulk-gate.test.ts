import { bulkWorld, notesCsv, transactionsCsv } from "../helpers/desk.ts";

const onTest = { env: { SUPPLYLINE_ENVIRONMENT: "test" } };
const production = { env: { SUPPLYLINE_ENVIRONMENT: "production" } };

const notes = ["bulk", "run", "notes", "--from", "notes.csv"];
const transactions = ["bulk", "run", "transactions", "--from", "t.csv"];
const instructions = ["bulk", "run", "payment-instructions", "--from", "p.csv"];

async function desk() {
  const made = await bulkWorld();
  await made.file("notes.csv", notesCsv(3));
  await made.file("t.csv", transactionsCsv("10.10", "-0.05"));
  const head = "import_supplier,external_account_number,vendor,reference,type";
  await made.file("p.csv", `${head}\nBULK,BULK-0000001,GOODPAY,R-1,CARD\n`);
  return made;
}

test.each([
  ["notes without --yes", notes, /3 notes from \S+ needs to be confirmed.*Give --yes/],
  [
    "transactions with --yes alone",
    [...transactions, "--yes"],
    /Give --expect-rows N and --expect-sum X/,
  ],
  [
    "transactions without their sum",
    [...transactions, "--yes", "--expect-rows", "2"],
    /Give --expect-sum X/,
  ],
  [
    "transactions without --yes",
    [...transactions, "--expect-rows", "2", "--expect-sum", "10.05"],
    /Give --yes/,
  ],
  ["payment instructions with --yes alone", [...instructions, "--yes"], /Give --expect-rows N/],
])("on production without a terminal %s are refused: 2", async (_name, words, why) => {
  const { run, service, json } = await desk();
  const { code, stderr } = await run(words, production);
  expect(code).toBe(2);
  expect(stderr).toMatch(why);
  expect(stderr).toContain("Nothing was sent.");
  expect(service.ledger()).toEqual([]);
  expect(await json(["bulk", "list"])).toEqual([]);
});

test.each([
  ["notes", [...notes, "--yes"], 3],
  ["transactions", [...transactions, "--yes", "--expect-rows", "2", "--expect-sum", "10.050"], 2],
  ["payment instructions", [...instructions, "--yes", "--expect-rows", "1"], 1],
])("on production %s go with all that confirms them", async (_name, words, effects) => {
  const { run, service } = await desk();
  const result = await run(words, production);
  expect(result.stderr).not.toContain("confirmed:");
  expect(result.code).toBe(0);
  expect(service.ledger()).toHaveLength(effects);
});

test.each([
  [[...notes, "--expect-rows", "4"], /--expect-rows 4: the input has 3 rows/],
  [[...transactions, "--expect-sum", "10.06"], /--expect-sum 10\.06: the amounts add up to 10\.05/],
  [[...notes, "--expect-rows", "4", "--dry-run"], /the input has 3 rows/],
])(
  "--expect-rows and --expect-sum are checked on every profile: %j ends with 2",
  async (words, why) => {
    const { run, service } = await desk();
    const { code, stderr } = await run([...words, "--yes"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(why);
    expect(service.ledger()).toEqual([]);
  },
);

test("on a terminal the number of rows is typed on production, and a wrong one sends nothing", async () => {
  const { terminal, service } = await desk();
  const wrong = await terminal(notes, production);
  await wrong.waitFor("type the number of rows:");
  await wrong.send("30\r").until('"30" is not 3');
  expect((await wrong.exit).code).toBe(2);
  expect(service.ledger()).toEqual([]);
  const right = await terminal(notes, production);
  await right.waitFor("type the number of rows:");
  await right.send("3\r").until("every row has an outcome");
  expect((await right.exit).code).toBe(0);
  expect(service.ledger()).toHaveLength(3);
});

test("on a test profile many rows take a yes on a terminal, and anything else sends nothing", async () => {
  const { terminal, service } = await desk();
  const asked = await terminal(transactions, onTest);
  await asked.waitFor("Send them? [y/N]");
  expect(asked.text()).toContain("2 CHARGE of 10.05 in all from t.csv: ");
  await asked.send("\r").until("It was not confirmed");
  expect((await asked.exit).code).toBe(2);
  expect(service.ledger()).toEqual([]);
  const answered = await terminal(notes, onTest);
  await answered.waitFor("Send them? [y/N]");
  await answered.send("y\r").until("every row has an outcome");
  expect((await answered.exit).code).toBe(0);
  expect(service.ledger()).toHaveLength(3);
  const expected = ["--expect-rows", "2", "--expect-sum", "10.05"];
  const flagged = await terminal([...transactions, ...expected], onTest);
  await flagged.waitFor("every row has an outcome");
  expect((await flagged.exit).code).toBe(0);
  expect(service.ledger()).toHaveLength(5);
});

test("on production the number and the sum of transactions may be pasted at once", async () => {
  const { terminal, service } = await desk();
  const asked = await terminal(transactions, production);
  await asked.waitFor("type the number of rows:");
  expect(asked.text()).toContain("2 CHARGE of 10.05 in all from t.csv: ");
  await asked.send("2\r10.05\r").until("every row has an outcome");
  expect((await asked.exit).code).toBe(0);
  expect(service.ledger()).toHaveLength(2);
});

test("on production a wrong sum sends nothing", async () => {
  const { terminal, service } = await desk();
  const asked = await terminal(transactions, production);
  await asked.waitFor("type the number of rows:");
  await asked.send("2\r").until("the sum of their amounts:");
  await asked.send("10.5\r").until('"10.5" is not 10.05');
  expect((await asked.exit).code).toBe(2);
  expect(service.ledger()).toEqual([]);
});

test("with --yes on production a terminal is asked for what no flag says", async () => {
  const { terminal, service } = await desk();
  const words = [...transactions, "--yes", "--expect-rows", "2"];
  const asked = await terminal(words, production);
  await asked.waitFor("the sum of their amounts:");
  expect(asked.text()).not.toContain("type the number of rows");
  await asked.send("10.05\r").until("every row has an outcome");
  expect(service.ledger()).toHaveLength(2);
});
