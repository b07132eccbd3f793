import { expect, test } from "vitest";
import type { MarkedAccount, MarkedAccounts } from "../../src/accounts/marks.ts";
import { runToEnd } from "../../src/accounts/slices.ts";
import type { Template } from "../../src/bulk/for-accounts.ts";
import { jsonNumber } from "../../src/json/exact.ts";
import { amountsOf } from "../../src/screens/review/marked-plan.ts";
import { sentTo, survey } from "../../src/screens/review/marked-survey.ts";
import type { GuardFinding } from "../../src/writes/guard.ts";

const note: Template = template("notes", [
  { document_paths: [{ document_path: "letters/{external_account_number}/a.pdf" }] },
]);

function template(kind: Template["kind"], items: Template["body"][string]): Template {
  const external_account_number = "{external_account_number}";
  const body = { import_supplier: "ACME", external_account_number, [kind]: items };
  return { kind, importSupplier: "ACME", query: {}, allowMissing: false, body };
}

function marked(...accounts: MarkedAccount[]): MarkedAccounts {
  return { count: accounts.length, each: () => accounts };
}

const imported = (external: string): MarkedAccount => ({ external, standing: "imported" });

const some = marked({ external: "S-1", standing: "staged" }, imported("A-1"), imported("A-2"), {
  external: "G-1",
  standing: "not-listed",
});

/** A journal that knows nothing of any account. */
const clear = (): GuardFinding => ({ kind: "clear" });

test("accounts with an earlier entry are counted, and those the guard keeps back", () => {
  const of = (account: string): GuardFinding => {
    const found = {
      earlier: { journalId: 7, state: "confirmed", at: 0, isRemoved: false },
      operation: "notes create",
      ...{ position: 0, items: 1, others: 0 },
    } as const;
    if (account === "A-1") return { kind: "reported", ...found };
    return account === "A-2" ? { kind: "sent-before", ...found } : { kind: "clear" };
  };
  const found = runToEnd(survey(note, some, false, of, () => {}));
  expect(found).toMatchObject({ sentTo: 3, earlier: 2, barred: 1 });
  expect(found.firstEarlier).toEqual({
    account: "A-1",
    words: "The same note was sent before and confirmed, as entry 7.",
  });
});

test("staged accounts are counted and left out, until they are asked for", () => {
  const found = runToEnd(survey(note, some, false, clear, () => {}));
  expect(found).toMatchObject({ sentTo: 3, staged: 1, notListed: 1, first: "A-1", last: "G-1" });
  expect([...sentTo(some, false)]).toEqual(["A-1", "A-2", "G-1"]);
  const all = runToEnd(survey(note, some, true, clear, () => {}));
  expect(all).toMatchObject({ sentTo: 4, staged: 1, first: "S-1", last: "G-1", problemCount: 0 });
  expect([...sentTo(some, true)]).toEqual(["S-1", "A-1", "A-2", "G-1"]);
});

test("what keeps one account from being sent to is found among all of them, and named by its number", () => {
  const found = runToEnd(
    survey(note, marked(imported("A-1"), imported("A/../B")), false, clear, () => {}),
  );
  expect(found).toMatchObject({ problemCount: 1, sentTo: 2 });
  expect(found.problems[0]?.account).toBe("A/../B");
  expect(found.problems[0]?.words).toMatch(/^Note 1 › Document 1 › Path: /);
});

test("money is summed exactly, however many accounts there are", () => {
  const one = (amount: string) => ({
    transaction_id: "{external_account_number}",
    transaction_date: "2026-11-20",
    amount: jsonNumber(amount),
    type: "CREDIT",
  });
  const transactions = template("transactions", [one("0.10"), one("-0.305"), one("20")]);
  expect(amountsOf(transactions, 1_000_000)).toEqual({
    rows: 3_000_000,
    requests: 3_000_000,
    words: "3,000,000 transactions",
    contents: "3,000,000 CREDIT of 19795000.000 in all",
    sum: "19795000.000",
  });
  expect(amountsOf(note, 3)).toMatchObject({ rows: 3, requests: 3, words: "3 notes", sum: null });
});
