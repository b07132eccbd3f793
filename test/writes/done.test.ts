/** Promise: the summary of what took effect adds up to what the service did. */
import { sumOfDecimals } from "../../src/forms/decimals.ts";
import { close } from "../../src/writes/close-entry.ts";
import { type Done, doneBy } from "../../src/writes/done.ts";
import { purge } from "../../src/writes/retention.ts";
import { submit } from "../../src/writes/submit.ts";
import { planVerification, verify } from "../../src/writes/verify.ts";
import { doneWords } from "../../src/writes/words/done.ts";
import { bulkFor, sandboxWith } from "../bulk/bulking.ts";
import { journalFolder } from "../helpers/folders.ts";
import {
  account,
  hurried,
  instruction,
  noted,
  notes,
  request,
  sent,
  statement,
  transaction,
  transactions,
} from "./writing.ts";

const { signal } = new AbortController();

const brief = (done: readonly Done[]) =>
  done.map(
    ({ operation, outcome, tookEffect, entries, rows, sum }) =>
      `${operation.split(" ")[0]} ${outcome} ${tookEffect} ${entries} ${rows} ${sum}`,
  );

const charges = (...amounts: readonly (readonly [id: string, amount: string])[]) =>
  request(
    "transactions create",
    JSON.stringify({ ...account, transactions: amounts.map(([id]) => transaction(id)) }).replace(
      /"amount":12\.5/g,
      (
        (at) => () =>
          `"amount":${amounts[at++]?.[1]}`
      )(0),
    ),
  );

test("the rows and sums of a faulty day are those of the service's ledger", async () => {
  const sandbox = await sandboxWith();
  const { baseUrl, apiKey } = sandbox;
  const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
  const { journal } = context;
  const { options } = hurried();
  const faults = [
    "reset-after@transactionsx2",
    "reset-after@transactions",
    "500-before@transactions",
    "truncate@transactionsx2",
    "404@transactions",
    "503-after@transactions",
  ];
  for (const [n, fault] of faults.entries()) {
    sandbox.setFaults([fault]);
    // The service stores two places.
    const two = [
      [`T-${n}-a`, `0.1${n}5`],
      [`T-${n}-b`, `-12345678901234567890.0${n}`],
      [`T-${n}-c`, `1.${n}46e1`],
    ] as const;
    await submit(context, charges(...two), options);
  }
  sandbox.setFaults([]);
  const rowsWith = (done: readonly Done[], ...answers: readonly Done["tookEffect"][]) =>
    done.filter(({ tookEffect }) => answers.includes(tookEffect));
  const count = (done: readonly Done[]) => done.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
  const landed = () => sandbox.ledger().filter(({ endpoint }) => endpoint === "transactions");
  const before = await doneBy(journal, {}, signal);
  expect(count(rowsWith(before, "yes"))).toBeLessThanOrEqual(landed().length);
  expect(count(rowsWith(before, "yes", "unknown"))).toBeGreaterThanOrEqual(landed().length);

  const unknown = journal.read((rows) => rows.all("SELECT id FROM intent WHERE state = 'unknown'"));
  for (const { id } of unknown)
    if (planVerification(context, Number(id)).kind !== "impossible")
      await verify(context, Number(id), options);
  const after = await doneBy(journal, {}, signal);
  const yes = rowsWith(after, "yes");
  expect(count(yes)).toBe(landed().length);
  expect(sumOfDecimals(yes.map(({ sum }) => sum ?? ""))).toBe(
    sumOfDecimals(landed().map(({ detail }) => String(detail.amount))),
  );
});

const added = (...amounts: readonly unknown[]) => ({
  status: 201,
  body: {
    results: amounts.map((amount) => ({
      status: "TRANSACTION_ADDED_TO_ACCOUNT",
      ...(amount === undefined ? {} : { transaction_data: { amount } }),
    })),
  },
});

test.each([
  ["the answer's, if it names them", added("12.35", "-0.00"), "12.35"],
  ["those that were sent where the answer names none", added("12.35", undefined), "12.346"],
  ["those that were sent where the answer names no number", added("12.35", null), "12.346"],
] as const)("amounts with more than two places are %s", async (_, answer, sum) => {
  const { context } = await sent([answer], charges(["T-1", "12.345"], ["T-2", "-0.004"]));
  expect((await doneBy(context.journal, {}, signal)).map((done) => done.sum)).toEqual([sum]);
});

test("rows of one entry count by their own outcome, and those verified apart only once", async () => {
  const refused = {
    status: 400,
    body: { status: "TRANSACTION_IMPORT_ERROR", transaction_data: { transaction_id: "T-2" } },
  };
  const answer = (status: string) => ({ status: 201, body: { results: [{ status }] } });
  const { context, options, id } = await sent(
    [refused, answer("TRANSACTION_ALREADY_EXISTS"), answer("TRANSACTION_ADDED_TO_ACCOUNT")],
    charges(["T-0", "0.10"], ["T-1", "12.345678901234567890"], ["T-2", "-3"]),
  );
  expect(brief(await doneBy(context.journal, {}, signal))).toEqual([
    "transactions rejected no 1 1 -3",
    "transactions unknown unknown 1 2 12.445678901234567890",
  ]);
  await verify(context, id, options);
  expect(brief(await doneBy(context.journal, {}, signal))).toEqual([
    "transactions confirmed yes 1 1 12.345678901234567890",
    "transactions exists yes 1 1 0.10",
    "transactions rejected no 1 1 -3",
  ]);
});

test.each([
  ["yes", "payment-instructions closed yes 1 1 null", "Took effect: 1 payment"],
  ["no", "payment-instructions closed no 1 1 null", "Had no effect: 1 payment"],
  ["unknown", "payment-instructions closed unknown 1 1 null", "Might have taken effect: 1 payment"],
] as const)("an entry closed with %s counts as that", async (tookEffect, row, words) => {
  const { context, id } = await sent(["reset"], instruction());
  await close(context.journal, id, { reason: "seen", tookEffect }, 1);
  const done = await doneBy(context.journal, {}, signal);
  expect(brief(done)).toEqual([row]);
  expect(doneWords(done)).toMatch(words);
});

test("the sentences name the suppliers, with their rows and sums, if there are several", () => {
  const row = (importSupplier: string, rows: number, sum: string | null): Done => ({
    operation: "transactions create",
    importSupplier,
    outcome: "confirmed",
    tookEffect: "yes",
    entries: 1,
    rows,
    sum,
  });
  const acme = row("ACME", 30, "0.10");
  expect(doneWords([acme])).toBe("Took effect: 30 transactions of 0.10 in all.");
  expect(doneWords([acme, row("NORTH", 4, "0.20")])).toBe(
    "Took effect: 34 transactions of 0.30 in all (30 ACME of 0.10, 4 NORTH of 0.20).",
  );
  expect(doneWords([acme, row("NORTH", 2, null)])).toBe(
    "Took effect: 32 transactions, sum not known (30 ACME of 0.10, 2 NORTH of a sum that is not known).",
  );
  const refused: Done = { ...acme, outcome: "rejected", tookEffect: "no" };
  expect(doneWords([refused, row("NORTH", 4, "0.20")])).toBe(
    "Took effect: 4 transactions of 0.20 in all (NORTH). Had no effect: 30 transactions of 0.10 in all (ACME).",
  );
  const many = ["A", "B", "C", "D", "E"].map((supplier) => row(supplier, 1, "1"));
  expect(doneWords(many)).toMatch(/1 C of 1 and 2 more suppliers\)/);
});

test("what was not sent is named apart from what had no effect, each kind by one name", () => {
  const row = (outcome: Done["outcome"], tookEffect: Done["tookEffect"], rows: number): Done => ({
    operation: "payment-instructions create",
    importSupplier: "ACME",
    outcome,
    tookEffect,
    entries: rows,
    rows,
    sum: null,
  });
  const done = [
    row("confirmed", "yes", 1),
    row("rejected", "no", 2),
    row("closed", "no", 1),
    row("unsent", "no", 2),
  ];
  expect(doneWords(done)).toBe(
    "Took effect: 1 payment instruction. Had no effect: 3 payment instructions. Not sent: 2 payment instructions.",
  );
});

test("a refused entry that was closed without an answer still had no effect", async () => {
  const { context, id } = await sent([{ status: 404 }], statement());
  await close(context.journal, id, { reason: "not needed", tookEffect: "unknown" }, 1);
  const done = await doneBy(context.journal, {}, signal);
  expect(done.map(({ tookEffect }) => tookEffect)).toEqual(["no"]);
});

test("a sum of purged amounts is not known, and their rows are", async () => {
  const answered = { status: 201, body: { results: [{ status: "TRANSACTION_ADDED_TO_ACCOUNT" }] } };
  const { context } = await sent([answered], transactions(["T-1"]));
  const sums = async () => (await doneBy(context.journal, {}, signal)).map(({ sum }) => sum);
  expect(await sums()).toEqual(["12.5"]);
  await purge(context.journal, Date.now() + 1, Date.now());
  const done = await doneBy(context.journal, {}, signal);
  expect(brief(done)).toEqual(["transactions confirmed yes 1 1 null"]);
  expect(doneWords(done)).toMatch(/1 transaction, sum not known/);
});

test("only entries of the filter count", async () => {
  const { context } = await sent([noted("one")], notes("one"));
  const all = await doneBy(context.journal, {}, signal);
  expect(brief(all)).toEqual(["notes confirmed yes 1 1 null"]);
  expect(await doneBy(context.journal, { since: Date.now() + 60_000 }, signal)).toEqual([]);
  expect(doneWords([])).toBe("");
});
