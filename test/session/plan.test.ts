import type { MarkedAccount, MarkedAccounts } from "../../src/accounts/marks.ts";
import { checkRows } from "../../src/bulk/check.ts";
import type { PlannedRequest } from "../../src/bulk/input/planner.ts";
import { readRequests } from "../../src/bulk/input/read-planned.ts";
import { sourceBytes } from "../../src/bulk/source.ts";
import { emptyForm, type FormValues } from "../../src/forms/form-values.ts";
import { forms } from "../../src/forms/forms.ts";
import { MarkedCounts, markedPlanOf, sentTo } from "../../src/session/plan.ts";
import type { SavedDraft } from "../../src/state/drafts.ts";

const { signal } = new AbortController();

function planOf(kind: "notes" | "transactions", values: FormValues) {
  const account = "{external_account_number}";
  const given = { import_supplier: "ACME", external_account_number: account, ...values };
  const draft: SavedDraft = {
    id: "d",
    kind,
    profile: "ad-hoc",
    service: null,
    supplier: "ACME",
    account: null,
    value: emptyForm(forms[kind], given),
    query: {},
    updatedAt: 0,
    refusals: [],
  };
  const plan = markedPlanOf(draft, { now: Date.UTC(2026, 10, 20), timeZone: "UTC" });
  if (plan.kind !== "plan") throw new Error(JSON.stringify(plan));
  return plan;
}

type Plan = ReturnType<typeof planOf>;

function bytesFor({ supplier, itemsOf }: Plan, numbers: Iterable<string>) {
  return sourceBytes({ kind: "accounts", supplier, itemsOf, numbers: () => numbers }, signal);
}

const requestsFor = (plan: Plan, numbers: Iterable<string>) =>
  Array.fromAsync(readRequests(bytesFor(plan, numbers), plan.reading));

const bodyOf = ({ write }: PlannedRequest) => new TextDecoder().decode(write.body);

const money = (id: string, amount: string) => ({
  transaction_id: `${id}-{external_account_number}`,
  transaction_date: "2026-11-20",
  amount,
  type: "CREDIT",
});

test("notes go in one request for each account, a row for each note", async () => {
  const plan = planOf("notes", {
    notes: [{ body: "For {external_account_number}" }, { body: "Second" }],
  });
  const planned = await requestsFor(plan, ["EXT-1", "EXT-2"]);
  expect(planned.map(({ lines }) => lines)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(planned.map(bodyOf)).toEqual(
    ["EXT-1", "EXT-2"].map((account) =>
      JSON.stringify({
        import_supplier: "ACME",
        external_account_number: account,
        notes: [{ body: `For ${account}` }, { body: "Second" }],
      }),
    ),
  );
});

test("several transactions go one by one, their digits as they were typed", async () => {
  const plan = planOf("transactions", { transactions: [money("A", "1.50"), money("B", "1.50")] });
  const planned = await requestsFor(plan, ["EXT-1"]);
  expect(planned.map(({ lines }) => lines)).toEqual([[1], [2]]);
  expect(planned.map((request) => bodyOf(request).match(/"[AB]-EXT-1".*1\.50/)?.length)).toEqual([
    1, 1,
  ]);
});

test("rows are made as they are read, also of a million accounts", async () => {
  let asked = 0;
  const numbers = {
    *[Symbol.iterator]() {
      for (; asked < 1_000_000; ) yield `EXT-${++asked}`;
    },
  };
  const plan = planOf("notes", { notes: [{ body: "Hello" }] });
  const planned = readRequests(bytesFor(plan, numbers), plan.reading);
  await planned.next();
  await planned.return(undefined);
  expect(asked).toBeLessThan(2_000);
});

test("an account whose number does not fit its place is an error that names the account", async () => {
  const documents = [{ document_path: "letters/{external_account_number}/a.pdf" }];
  const plan = planOf("notes", { notes: [{ document_paths: documents }] });
  const bytes = bytesFor(plan, ["A-1", "A/../B"]);
  const { issues, rows } = await checkRows(bytes, plan.reading, { signal, guard: null });
  expect({ rows, errors: issues.errors }).toEqual({ rows: 2, errors: 1 });
  expect(issues.firstErrors[0]).toMatchObject({ account: "A/../B" });
});

test("staged accounts are counted and left out until they are asked for", () => {
  const accounts: MarkedAccount[] = [
    { external: "S-1", standing: "staged" },
    { external: "A-1", standing: "imported" },
    { external: "A-2", standing: "imported" },
    { external: "G-1", standing: "not-listed" },
  ];
  const marked: MarkedAccounts = { count: 4, each: () => accounts };
  const counts = new MarkedCounts();
  expect([...sentTo(marked, false, counts)]).toEqual(["A-1", "A-2", "G-1"]);
  expect(counts).toMatchObject({ sentTo: 3, staged: 1, notListed: 1 });
  expect([...sentTo(marked, true)]).toEqual(["S-1", "A-1", "A-2", "G-1"]);
});

test("the money for all accounts is added up exactly", async () => {
  const amounts = ["0.10", "-0.305", "20"];
  const plan = planOf("transactions", {
    transactions: amounts.map((amount, at) => money(`T${at}`, amount)),
  });
  const numbers = Array.from({ length: 1000 }, (_, at) => `EXT-${at}`);
  const checked = await checkRows(bytesFor(plan, numbers), plan.reading, { signal, guard: null });
  expect(checked).toMatchObject({
    rows: 3_000,
    requests: 3_000,
    sum: "19795.000",
    contents: "3,000 CREDIT of 19795.000 in all",
  });
});
