import type { PlannedRequest } from "../../src/bulk/input/planner.ts";
import { readRequests } from "../../src/bulk/input/read-planned.ts";
import { accountLine, sourceBytes } from "../../src/bulk/source.ts";
import { emptyForm, type FormValues } from "../../src/forms/form-values.ts";
import { forms } from "../../src/forms/forms.ts";
import { markedPlanOf, planOf } from "../../src/session/plan.ts";
import type { SavedDraft } from "../../src/state/drafts.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import { inPieces, options } from "./input/inputs.ts";

/**
 * The duplicate guard compares stored keys with new ones. One item must have one key whichever way
 * it goes out, or a second sending is not recognized.
 */
const typedAt = { now: Date.UTC(2026, 10, 20), timeZone: "UTC" };

function draftOf(kind: SavedDraft["kind"], account: string | null, values: FormValues): SavedDraft {
  const given = { import_supplier: "ACME", external_account_number: account ?? "" };
  return {
    id: "d",
    kind,
    profile: "ad-hoc",
    service: null,
    supplier: "ACME",
    account,
    value: emptyForm(forms[kind as "notes"], { ...given, ...values }),
    query: {},
    updatedAt: 0,
    refusals: [],
  };
}

function formKeys(kind: SavedDraft["kind"], values: FormValues): readonly string[] {
  const planned = planOf(draftOf(kind, "EXT-1", values), typedAt);
  if (planned.kind !== "plan") throw new Error(JSON.stringify(planned));
  return planned.plan.prepared.keys.map(({ content }) => content);
}

async function keysOf(requests: AsyncIterable<PlannedRequest>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { write } of requests)
    found.push(...prepareWrite(write).keys.map(({ content }) => content));
  return found;
}

function markedKeys(kind: SavedDraft["kind"], values: FormValues): Promise<readonly string[]> {
  const plan = markedPlanOf(draftOf(kind, null, values), typedAt);
  if (plan.kind !== "plan") throw new Error(JSON.stringify(plan));
  const { supplier, itemsOf } = plan;
  const rows = { kind: "accounts", supplier, itemsOf, numbers: () => ["EXT-1"] } as const;
  return keysOf(readRequests(sourceBytes(rows, new AbortController().signal), plan.reading));
}

const note = "9cWWxUZW_2hiCbdhNrTAGONoW87xLa_V4qshfPVDjtU";
const transactions = [
  "WaoG18GT_b3o7xNUCPw2vR3hA2Qarms1f25ZRsUMCWc",
  "o8oS9kAAXKb5HPJ_3xSLLlKUr8EAIPbtaUKoo3S6N5k",
];

test("a note has one key from a form, from marked accounts and from --where", async () => {
  const keys = formKeys("notes", { notes: [{ body: "Meter read\nagreed “é” 1.50" }] });
  expect(keys).toEqual([note]);
  expect(await markedKeys("notes", { notes: [{ body: "Meter read\nagreed “é” 1.50" }] })).toEqual(
    keys,
  );
  const row = accountLine("ACME", "EXT-1", { body: "Meter read\nagreed “é” 1.50" });
  expect(await keysOf(readRequests(inPieces(row), options("notes")))).toEqual(keys);
});

test("transactions have one key each from a form, from marked accounts and from a file", async () => {
  const one = (id: string, amount: string) => ({
    transaction_id: id,
    transaction_date: "2026-11-20",
    amount,
    type: "CREDIT",
    note: "Refund",
  });
  const keys = formKeys("transactions", {
    transactions: [one("T-EXT-1", "1.50"), one("U-EXT-1", "-0.10")],
  });
  expect(keys).toEqual(transactions);
  expect(
    await markedKeys("transactions", {
      transactions: [
        one("T-{external_account_number}", "1.50"),
        one("U-{external_account_number}", "-0.10"),
      ],
    }),
  ).toEqual(keys);
  const rows = [one("T-EXT-1", "1.50"), one("U-EXT-1", "-0.10")].map(
    (row) =>
      `${JSON.stringify({ import_supplier: "ACME", external_account_number: "EXT-1", ...row }).replace(/"amount":"([^"]*)"/, '"amount":$1')}\n`,
  );
  expect(await keysOf(readRequests(inPieces(rows.join("")), options("transactions")))).toEqual(
    keys,
  );
});
