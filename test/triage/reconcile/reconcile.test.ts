import type { AccountBatch } from "../../../src/accounts/ingest/batch.ts";
import { BatchBuilder } from "../../../src/accounts/ingest/batch-builder.ts";
import { ServiceError } from "../../../src/api/errors.ts";
import type { AccountStatus } from "../../../src/api/service.ts";
import type { RowClass } from "../../../src/triage/reconcile/classes.ts";
import { type ReconcileProgress, reconcile } from "../../../src/triage/reconcile/reconcile.ts";
import type { Reconciled, ReconciledRow } from "../../../src/triage/reconcile/reconciled.ts";
import { readSource } from "../../../src/triage/source/read-source.ts";
import { createBudget } from "../../../src/watch/budget.ts";
import { fakeClock } from "../../helpers/clock.ts";
import * as fc from "../../helpers/fast-check.ts";

interface Item {
  readonly number: string;
  readonly service?: string | null;
  readonly created?: string | null;
}

async function* listOf(items: readonly Item[], batchRows = 2) {
  for (let at = 0; at < items.length; at += batchRows) {
    const builder = new BatchBuilder();
    for (const { number, service = null, created = null } of items.slice(at, at + batchRows))
      builder.addTexts(number, service, created);
    yield builder.take() as AccountBatch;
  }
  return { rows: items.length, listedAt: 1_000 };
}

type Answers = Readonly<Record<string, string | ServiceError>>;

interface Given {
  readonly answers?: Answers | null;
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReconcileProgress) => void;
}

async function compared(
  numbers: readonly string[],
  items: readonly Item[],
  { answers = null, limit = 1_000, ...given }: Given = {},
): Promise<Reconciled> {
  const lookedUp = async (number: string): Promise<AccountStatus> => {
    const answer = answers?.[number] ?? new ServiceError("not-found", "Not found (404).");
    if (typeof answer !== "string") throw answer;
    return { status: answer, service_account_number: answer === "COMPLETED" ? `A-${number}` : "" };
  };
  return reconcile({
    source: readSource(Buffer.from(JSON.stringify(numbers)), { name: "mine" }),
    list: listOf(items),
    lookups:
      answers === null ? null : { status: lookedUp, limit, budget: createBudget(fakeClock()) },
    ages: async () => null,
    others: { suppliers: [], agesOf: async () => null },
    extraFacts: true,
    signal: new AbortController().signal,
    ...given,
  });
}

function rowsOf(result: Reconciled): ReconciledRow[] {
  return Array.from({ length: result.source.rows }, (_, row) => result.row(row));
}

const classesOf = (result: Reconciled) => rowsOf(result).map((row) => row.class);

/** The facts about a row. */
const parts = (row: ReconciledRow) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

test("rows have the class that the list and the lookups give them", async () => {
  const created = "2026-11-20T08:00:00Z";
  const result = await compared(
    ["IN", "WAITS", "IN", "", " IN ", "MOVES", "LOST", "NEVER", "READY", "BROKEN", "ODD"],
    [
      { number: "WAITS" },
      { number: "OTHER", service: "A-2", created },
      { number: "IN", service: "A-1", created },
    ],
    {
      answers: {
        MOVES: "IN_PROGRESS",
        LOST: "UNKNOWN",
        READY: "COMPLETED",
        BROKEN: new ServiceError("unavailable", "The service failed (503)."),
        ODD: "ON_HOLD",
      },
    },
  );
  expect(rowsOf(result).map(parts)).toMatchObject([
    { line: 1, external: "IN", class: "imported", service: "A-1", created },
    { line: 2, external: "WAITS", class: "pending" },
    { line: 3, external: "IN", class: "duplicate", firstLine: 1 },
    { line: 4, class: "malformed", error: { kind: "malformed", issue: { kind: "empty" } } },
    { line: 5, external: "IN", class: "duplicate", firstLine: 1 },
    { line: 6, external: "MOVES", class: "in-progress", status: "IN_PROGRESS" },
    { line: 7, external: "LOST", class: "failed", status: "UNKNOWN" },
    { line: 8, external: "NEVER", class: "not-staged" },
    { line: 9, external: "READY", class: "imported", status: "COMPLETED", service: "A-READY" },
    { line: 10, external: "BROKEN", class: "absent", error: { error: { kind: "unavailable" } } },
    { line: 11, external: "ODD", class: "absent", status: "ON_HOLD" },
  ]);
  expect(parts(result.extra(0))).toEqual({
    class: "extra",
    external: "OTHER",
    service: "A-2",
    created,
  });
  expect(result).toMatchObject({
    listed: 3,
    listedAt: 1_000,
    isAllImported: false,
    counts: {
      imported: 2,
      pending: 1,
      "in-progress": 1,
      failed: 1,
      "not-staged": 1,
      absent: 2,
      duplicate: 2,
      malformed: 1,
      extra: 1,
    },
  });
  expect([...result.lookupErrors()].map(({ kind }) => kind)).toEqual(["unavailable"]);
  expect(result.rowIn("duplicate", 1).line).toBe(5);
});

test("numbers are equal only code point by code point, white space around them aside", async () => {
  const listed = [" EXT-1 ", "ext-2", "Zu\u0308rich", "E X T-4"];
  const result = await compared(
    ["EXT-1", "EXT-2", "Z\u00fcrich", "EXT-4"],
    listed.map((number) => ({ number })),
  );
  expect(classesOf(result)).toEqual(["pending", "absent", "absent", "absent"]);
  expect(rowsOf(result).map(({ suggestion }) => suggestion)).toEqual([
    null,
    "ext-2",
    "Zu\u0308rich",
    "E X T-4",
  ]);
});

test("of an account that is listed twice the imported row counts", async () => {
  const twice = [{ number: "A", service: "S-1" }, { number: "A" }, { number: "B" }];
  const result = await compared(["A", "B"], [...twice, { number: "B", service: "S-2" }]);
  expect(rowsOf(result).map(({ service }) => service)).toEqual(["S-1", "S-2"]);
  expect(result.isAllImported).toBe(true);
});

test.each([
  ["as in the source", ["A", "B", "C", "D", "E"]],
  ["as in the source, with another account between", ["A", "B", "C", "X", "D", "E"]],
  ["the other way round", ["E", "D", "C", "B", "A"]],
])("the order of the list does not matter: %s", async (_what, listed) => {
  const items = listed.map((number) => ({ number, service: `S-${number}` }));
  const result = await compared(["A", "B", "A", "C", "", "D", "E", "B"], items);
  expect(rowsOf(result).map((row) => row.service ?? row.class)).toEqual([
    ...["S-A", "S-B", "duplicate", "S-C", "malformed", "S-D", "S-E", "duplicate"],
  ]);
});

test("no more rows are looked up than the limit allows, in the order of the source", async () => {
  const answers = { A: "UNKNOWN", B: "UNKNOWN", C: "UNKNOWN" };
  const result = await compared(["A", "B", "C"], [], { answers, limit: 2 });
  expect(classesOf(result)).toEqual(["failed", "failed", "absent"]);
  expect(parts(result.row(2))).toEqual({ line: 3, external: "C", class: "absent" });
});

test("refused credentials end the lookups, and the rows say so", async () => {
  const numbers = Array.from({ length: 40 }, (_, at) => `N-${at}`);
  let asked = 0;
  const result = await reconcile({
    source: readSource(Buffer.from(numbers.join("\n")), { name: "mine" }),
    list: listOf([]),
    lookups: {
      status: async () => {
        asked += 1;
        throw new ServiceError("unauthorized", "Not authorized (401).");
      },
      limit: 1_000,
      budget: createBudget(fakeClock()),
    },
    ages: async () => null,
    others: { suppliers: [], agesOf: async () => null },
    extraFacts: false,
    signal: new AbortController().signal,
  });
  expect(asked).toBeLessThanOrEqual(8);
  expect([...result.lookupErrors()]).toHaveLength(40);
});

test("what the list throws ends the comparison", async () => {
  const cutOff = async function* () {
    yield* listOf([{ number: "A" }]);
    throw new ServiceError("unreadable", "The body is cut off.");
  };
  const ends = reconcile({
    source: readSource(Buffer.from("A"), { name: "mine" }),
    list: cutOff(),
    lookups: null,
    ages: async () => null,
    others: { suppliers: [], agesOf: async () => null },
    extraFacts: false,
    signal: new AbortController().signal,
  });
  await expect(ends).rejects.toMatchObject({ kind: "unreadable" });
});

test("cancelling ends it while the list arrives and while rows are looked up", async () => {
  for (const phase of ["listing", "looking-up"] as const) {
    const stop = new AbortController();
    const ends = compared(["A", "B"], [{ number: "X" }], {
      answers: {},
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.phase === phase) stop.abort(new Error("enough"));
      },
    });
    await expect(ends).rejects.toThrow("enough");
  }
});

test("progress counts what is known so far", async () => {
  const seen: ReconcileProgress[] = [];
  await compared(["A", "B", "C"], [{ number: "A" }, { number: "X" }, { number: "B" }], {
    answers: { C: "UNKNOWN" },
    onProgress: (progress) => seen.push(progress),
  });
  expect(seen).toMatchObject([
    { phase: "listing", listed: 2, counts: { pending: 1, absent: 2, extra: 1 } },
    { phase: "listing", listed: 3, counts: { pending: 2, absent: 1 } },
    { phase: "looking-up", done: 1, total: 1, counts: { failed: 1, absent: 0 } },
    { phase: "suggesting" },
  ]);
});

test("the counts of each class match its rows for any list", async () => {
  const number = fc.constantFrom("", "A", "B", "C", "a", "É", "AB", "日");
  const item = fc.record({
    number: number.filter((text) => text !== ""),
    service: fc.option(fc.constant("S")),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(number), fc.array(item), async (numbers, items) => {
      const result = await compared(numbers, items);
      const { counts } = result;
      const expected = numbers.map((one, at): RowClass => {
        if (one === "") return "malformed";
        if (numbers.indexOf(one) < at) return "duplicate";
        const listed = items.filter((other) => other.number === one);
        if (listed.length === 0) return "absent";
        return listed.some(({ service }) => service !== null) ? "imported" : "pending";
      });
      expect(classesOf(result)).toEqual(expected);
      for (const name of Object.keys(counts) as RowClass[]) {
        if (name === "extra") continue;
        const lines = expected.flatMap((one, at) => (one === name ? [at + 1] : []));
        expect(counts[name]).toBe(lines.length);
        for (const [at, line] of lines.entries()) expect(result.rowIn(name, at).line).toBe(line);
      }
      const extras = items.filter((one) => !numbers.includes(one.number));
      expect(counts.extra).toBe(extras.length);
      for (const [at, one] of extras.entries()) {
        expect(result.rowIn("extra", at).external).toBe(one.number);
      }
    }),
  );
});
