/** Two people for money at the commands: every path asks, no trick sends, and an approval sends once. */
import { errorOf, instruction } from "../helpers/desk.ts";
import { pgliteDatabase } from "../writes/team/pglite.ts";
import { created, type TwoPeople, twoPeople } from "./two-people-world.ts";

const database = await pgliteDatabase();

const many = (n: number) => Array.from({ length: n }, () => created("R-1"));

const pay = instruction("GOODPAY", "--yes");
const payJson = instruction("GOODPAY", "--json", "--yes");

const csv = (...references: string[]) =>
  [
    "import_supplier,external_account_number,vendor,reference,type",
    ...references.map((reference, at) => `ACME,EXT-000000${at},GOODPAY,${reference},CARD`),
  ].join("\n");

const sent = ({ server }: TwoPeople) => server.writes().length;

test("a payment waits, is approved by another person, and is sent once", async () => {
  const team = await twoPeople(database, many(3));
  const [one, two] = [await team.desk("op1"), await team.desk("op2")];
  const asked = await one.run(pay);
  expect(asked.code).toBe(0);
  expect(asked.stdout).toContain("request a1, 1 row; journal entry 1. Nothing was sent.");
  expect(asked.stdout).toContain("supplyline approvals approve a1 --expect-rows 1");
  expect(asked.stdout).toContain("supplyline activity resend 1");
  const early = await one.run(["activity", "resend", "1", "--yes", "--json"]);
  expect(early.code).toBe(2);
  expect(errorOf(early)).toMatchObject({ kind: "not-approved", journal_id: 1 });
  expect(errorOf(early).message).toContain("tested_op1 (op1)");
  const own = await one.run(["approvals", "approve", "a1", "--expect-rows", "1"]);
  expect(own.code).toBe(2);
  expect(sent(team)).toBe(0);
  expect((await two.run(["approvals", "approve", "a1", "--expect-rows", "1"])).code).toBe(0);
  const done = await one.run(["activity", "resend", "1", "--yes", "--json"]);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({ outcome: "confirmed", journal_id: 1 });
  expect(sent(team)).toBe(1);
});

test("a waiting payment is one object as JSON, and one line as JSON lines", async () => {
  const team = await twoPeople(database, many(1));
  const one = await team.desk("op1");
  const first = await one.run(payJson);
  const expected = { journal_id: 1, outcome: "waiting", approval: "a1", expected_rows: 1 };
  expect(JSON.parse(first.stdout)).toMatchObject({
    ...expected,
    next: "supplyline activity resend 1",
  });
  const second = await one.run(
    instruction("GOODPAY", "--reference", "R-2", "--format", "jsonl", "--yes"),
  );
  expect(second.stdout.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(second.stdout)).toMatchObject({ outcome: "waiting", approval: "a2" });
  expect(sent(team)).toBe(0);
});

test("a run that waits says it of its rows, because others can have been sent", async () => {
  const team = await twoPeople(database, []);
  const one = await team.desk("op1");
  await one.file("pay.csv", csv("R-1", "R-2"));
  const asked = await one.run([
    "bulk",
    "run",
    "payment-instructions",
    "--from",
    "pay.csv",
    "--yes",
  ]);
  expect(asked.stdout).toContain("request a1, 2 rows. None of them was sent.");
});

test("a resend under an approval says that what it overrides might take effect twice", async () => {
  const team = await twoPeople(database, many(3));
  const [one, two] = [await team.desk("op1"), await team.desk("op2")];
  await team.policy("none");
  await one.run(pay);
  await team.policy("money");
  await one.run([...pay, "--again", "--reason", "the vendor lost it"]);
  await two.run(["approvals", "approve", "a1", "--expect-rows", "1"]);
  const done = await one.run(["activity", "resend", "2", "--yes"]);
  expect(done.stderr).toContain("it might take effect twice");
  expect(done.stderr).not.toContain("cannot take effect twice");
  expect(done.code).toBe(0);
  expect(sent(team)).toBe(2);
});

test("a run waits as a whole, a file proves its bytes, and a resume sends it", async () => {
  const team = await twoPeople(database, ["R-1", "R-2", "R-3"].map(created));
  const [one, two] = [await team.desk("op1"), await team.desk("op2")];
  const input = await one.file("wave3.csv", csv("R-1", "R-2", "R-3"));
  const asked = await one.run([
    ...["bulk", "run", "payment-instructions", "--from", input],
    ...["--yes", "--expect-rows", "3", "--json"],
  ]);
  expect(asked.code).toBe(0);
  const run = JSON.parse(asked.stdout);
  expect(run).toMatchObject({
    ...{ outcome: "waiting", approval: "a1", expected_rows: 3, unsent: 3 },
    next: `supplyline bulk resume ${run.run}`,
  });
  const resume = ["bulk", "resume", run.run, "--concurrency", "1", "--yes", "--json"];
  const early = await one.run(resume);
  expect(early.code).toBe(2);
  expect(errorOf(early)).toMatchObject({ kind: "not-approved" });
  const copy = await two.file("copy.csv", csv("R-1", "R-2", "R-3"));
  const other = await two.file("other.csv", csv("R-1", "R-9", "R-3"));
  const check = await two.json(["approvals", "show", "a1", "--source", copy]);
  expect(check).toMatchObject({ run: run.run, rows: 3, source: "wave3.csv", state: "waits" });
  expect(check.source_check).toMatchObject({ matches: true, equal: 3, different: 0 });
  expect(check.items[1]).toMatchObject({ line: 3, reference: "R-2" });
  const differs = await two.run(["approvals", "show", "a1", "--source", other, "--json"]);
  expect(differs.code).toBe(10);
  expect(JSON.parse(differs.stdout).source_check).toMatchObject({ different_lines: [3], equal: 2 });
  expect(sent(team)).toBe(0);
  await two.run(["approvals", "approve", "a1", "--expect-rows", "3"]);
  const done = await one.run(resume);
  expect(done.code).toBe(0);
  expect(sent(team)).toBe(3);
  const [row] = await one.json(["approvals", "list"]);
  expect(row).toMatchObject({ approval: "a1", state: "used", left: 0, by: "tested_op1" });
});

test("a refused run is not sent, and the reason is shown", async () => {
  const team = await twoPeople(database, many(1));
  const [one, two] = [await team.desk("op1"), await team.desk("op2")];
  const input = await one.file("wave3.csv", csv("R-1"));
  const words = [
    "bulk",
    "run",
    "payment-instructions",
    "--from",
    input,
    "--yes",
    "--expect-rows",
    "1",
  ];
  const { run } = JSON.parse((await one.run([...words, "--json"])).stdout);
  expect((await two.run(["approvals", "refuse", "a1", "--reason", "of last week"])).code).toBe(0);
  const early = await one.run(["bulk", "resume", run, "--yes", "--json"]);
  expect(early.code).toBe(2);
  expect(errorOf(early).message).toContain("of last week");
  expect(sent(team)).toBe(0);
});

test("an expired request is named, and the same command asks again", async () => {
  const team = await twoPeople(database, many(1));
  const [one, two] = [await team.desk("op1"), await team.desk("op2")];
  await one.run(pay);
  await two.run(["approvals", "approve", "a1", "--expect-rows", "1"]);
  await team.world.run("UPDATE LEDGER.approval SET expires_at = clock_timestamp()");
  const again = await one.run(["activity", "resend", "1", "--yes"]);
  expect(again.code).toBe(0);
  expect(again.stderr).toContain("a1 expired");
  expect(again.stdout).toContain("a2");
  expect(sent(team)).toBe(0);
});

test("an approval needs the numbers, and is not the preparer's", async () => {
  const team = await twoPeople(database, many(1));
  const [one, two, robot] = [
    await team.desk("op1"),
    await team.desk("op2"),
    await team.desk("robot"),
  ];
  await one.run(pay);
  expect((await two.run(["approvals", "approve", "a1"])).code).toBe(2);
  expect((await two.run(["approvals", "approve", "a1", "--expect-rows", "2"])).code).toBe(2);
  expect((await robot.run(["approvals", "approve", "a1", "--expect-rows", "1"])).code).toBe(2);
  expect((await two.run(["approvals", "approve", "a9", "--expect-rows", "1"])).code).toBe(5);
  expect(await two.json(["approvals", "list"])).toMatchObject([{ state: "waits" }]);
});

test("without a policy, a payment is sent as before", async () => {
  const team = await twoPeople(database, many(1));
  await team.policy("none");
  const one = await team.desk("op1");
  expect((await one.run(pay)).code).toBe(0);
  expect(sent(team)).toBe(1);
});

test("a run whose request was refused asks once for all items that it verifies one by one", async () => {
  const refused = {
    status: 400,
    body: { status: "TRANSACTION_IMPORT_ERROR", transaction_data: { transaction_id: "T-3" } },
  };
  const added = { status: 201, body: { results: [{ status: "TRANSACTION_ADDED_TO_ACCOUNT" }] } };
  const team = await twoPeople(database, [refused, added]);
  const [one, two] = [await team.desk("op1"), await team.desk("op2")];
  const row = (id: string) => `ACME,EXT-1,${id},2026-11-02,-12.5,CHARGE,IMPORTED_CHARGE`;
  const head =
    "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason";
  const input = await one.file("t.csv", [head, ...["T-1", "T-2", "T-3"].map(row)].join("\n"));
  const asked = await one.run([
    ...["bulk", "run", "transactions", "--from", input, "--group-by-account", "--settle", "0s"],
    ...["--yes", "--expect-rows", "3", "--expect-sum", "-37.5", "--json"],
  ]);
  const { run } = JSON.parse(asked.stdout);
  const approve = (id: string, rows: string, sum: string) =>
    two.run(["approvals", "approve", id, "--expect-rows", rows, "--expect-sum", sum]);
  expect((await approve("a1", "3", "-37.5")).code).toBe(0);
  const resume = ["bulk", "resume", run, "--settle", "0s", "--yes", "--json"];
  const again = await one.run(resume);
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ outcome: "waiting", approval: "a2", expected_rows: 2, expected_sum: "-25.0" },
  });
  expect(sent(team)).toBe(1);
  expect((await approve("a2", "2", "-25")).code).toBe(0);
  await one.run(resume);
  expect(sent(team)).toBe(3);
  const [latest] = await one.json(["approvals", "list"]);
  expect(latest).toMatchObject({ approval: "a2", state: "used" });
});
