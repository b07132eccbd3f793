import {
  HeldBackCounter,
  type HeldRow,
  heldBackCauses,
  nothingHeldBack,
} from "../../src/bulk/held-back.ts";
import { heldBackInRun, overrideRows } from "../../src/bulk/resumed-rows.ts";
import { readRunRows } from "../../src/bulk/rows.ts";
import { readRun } from "../../src/bulk/runs.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { addIntent } from "../../src/writes/journal/changes.ts";
import { processLife } from "../../src/writes/owner.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { journalFolder } from "../helpers/folders.ts";
import { journalIn, overrideFor } from "../writes/writing.ts";
import {
  accounts,
  bulkFor,
  carryOut,
  instructionRequest,
  never,
  recordedRun,
  sandboxWith,
} from "./bulking.ts";

const payment = (line: number, vendor = "GOODPAY") =>
  instructionRequest(line, vendor, accounts[0], "R");

/** Two runs with the same payment, whose owners are two processes. */
async function twoRuns(vendor?: string) {
  const sandbox = await sandboxWith();
  const where = journalFolder();
  const { self } = processLife(process.pid);
  const other = { self: { ...self, pid: 1_000_001 }, lifeOf: () => "alive" as const };
  const { baseUrl, apiKey } = sandbox;
  const open = { folder: where, baseUrl, apiKey };
  const [one, two] = [await bulkFor(open), await bulkFor({ ...open, process: other })];
  const runs = [
    await recordedRun(one, "payment-instructions", [payment(2, vendor)]),
    await recordedRun(two, "payment-instructions", [payment(2, vendor)]),
  ] as const;
  return { sandbox, one, two, runs };
}

test.each<[string, string, string, RegExp]>([
  ["refused with 400", "REFUSEPAY", "rejected", /rejected this form before/],
  ["confirmed", "GOODPAY", "unsent", /sent before and confirmed, as entry \d/],
])(
  "a row that waited behind its twin of another run, which was %s, is not sent",
  async (...row) => {
    const [_how, vendor, outcome, detail] = row;
    const { one, two, runs } = await twoRuns(vendor);
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const first = carryOut(one, runs[0], {
      atPoint: (point) => {
        if (point !== "attempt-committed") return;
        begun.resolve();
        return held.promise;
      },
    });
    await begun.promise;
    const claimed = Promise.withResolvers<void>();
    const second = carryOut(two, runs[1], {
      atPoint: (point) => {
        if (point === "run-claimed") claimed.resolve();
      },
    });
    await claimed.promise;
    held.resolve();
    expect(await first).toEqual({ kind: "ended" });
    expect(await second).toEqual({ kind: "ended" });
    const [kept] = readRunRows(two.journal, runs[1]);
    expect(kept?.outcome).toBe(outcome);
    expect(showActivity(two.journal, kept?.journalId ?? 0).attempts).toEqual([]);
    expect(kept?.detail).toMatch(detail);
    expect(readRun(two, runs[1]).state).toBe("ended");
  },
);

/** Overrides the rows of a run that are held back now. */
async function overrideNow(context: WriteContext, run: string, reason = "meant") {
  const { findings } = await heldBackInRun(context, run);
  await overrideRows(context, run, { reason, passes: findings });
}

const outcomesOf = (context: WriteContext, run: string) =>
  readRunRows(context.journal, run).map(({ outcome }) => outcome);

test("rows of one run that say the same are held back, and a reason sends the first of them", async () => {
  const { sandbox, one, runs } = await twoRuns();
  expect(await carryOut(one, runs[0])).toEqual({ kind: "ended" });
  const run = await recordedRun(one, "payment-instructions", [payment(2), payment(3)]);
  expect(await carryOut(one, run)).toEqual({ kind: "ended" });
  expect(outcomesOf(one, run)).toEqual(["unsent", "unsent"]);
  expect(sandbox.ledger()).toHaveLength(1);
  await overrideNow(one, run);
  // The second row was overridden for the entry of the other run, not for the first row.
  expect(await carryOut(one, run)).toEqual({ kind: "ended" });
  expect(outcomesOf(one, run)).toEqual(["confirmed", "unsent"]);
  expect(sandbox.ledger()).toHaveLength(2);
});

/** A run of two payments whose first was sent before, with an override for it alone. */
async function overriddenRun() {
  const sandbox = await sandboxWith();
  const { baseUrl, apiKey } = sandbox;
  const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
  const payments = [instructionRequest(2), instructionRequest(3)] as const;
  await submit(context, payments[0].write, { signal: never });
  const run = await recordedRun(context, "payment-instructions", payments);
  await overrideNow(context, run, "the first is wanted twice");
  return { sandbox, context, payments, run };
}

test("an override of one row passes no doubt about another row that arises before it is sent", async () => {
  const { sandbox, context, payments, run } = await overriddenRun();
  await submit(context, payments[1].write, { signal: never });
  expect(sandbox.ledger()).toHaveLength(2);
  expect(await carryOut(context, run)).toEqual({ kind: "ended" });
  expect(outcomesOf(context, run)).toEqual(["confirmed", "unsent"]);
  expect(sandbox.ledger()).toHaveLength(3);
});

test("an override of one row passes no doubt about another row that arises while the run is sending", async () => {
  const { sandbox, context, payments, run } = await overriddenRun();
  let hasSent = false;
  await carryOut(context, run, {
    concurrency: 1,
    atPoint: async (point) => {
      if (point !== "row-settled" || hasSent) return;
      hasSent = true;
      await submit(context, payments[1].write, { signal: never });
    },
  });
  expect(outcomesOf(context, run)).toEqual(["confirmed", "unsent"]);
  expect(sandbox.ledger()).toHaveLength(3);
});

test("a row that is overridden is held back again when another entry of it arises before a resume", async () => {
  const { sandbox, context, payments, run } = await overriddenRun();
  const stop = AbortSignal.abort();
  await carryOut(context, run, { stop });
  const override = overrideFor(context, payments[0].write);
  await submit(context, payments[0].write, { signal: never, override });
  expect((await heldBackInRun(context, run)).repeated).toBe(1);
  await carryOut(context, run);
  expect(outcomesOf(context, run)).toEqual(["unsent", "confirmed"]);
  expect(sandbox.ledger()).toHaveLength(3);
});

test("a reason that an earlier version stored with a run passes nothing", async () => {
  const { context, payments, sandbox } = await overriddenRun();
  const reading = { again: "all of them" };
  const run = await recordedRun(context, "payment-instructions", payments, { reading });
  await carryOut(context, run);
  expect(outcomesOf(context, run)).toEqual(["unsent", "confirmed"]);
  expect(sandbox.ledger()).toHaveLength(2);
});

test("3,000 rows are asked about within seconds", async () => {
  const journal = await journalIn(journalFolder());
  const baseUrl = "http://127.0.0.1:9";
  const row = (line: number) => instructionRequest(line, "GOODPAY", accounts[0]);
  await journal.commit((rows) => {
    for (const line of lines()) {
      const { write } = row(line);
      if (write === null) continue;
      const entry = { profile: "p", baseUrl, owner: null, at: 1 };
      addIntent(rows, { ...entry, write: prepareWrite(write) });
    }
    rows.update("intent", { state: "confirmed" }, "true");
  });
  const counter = new HeldBackCounter(journal, baseUrl);
  const began = performance.now();
  for (const line of lines()) counter.add(row(line));
  // A moment; a scan for each row would take far longer.
  expect(performance.now() - began).toBeLessThan(20_000);
  const { rows, repeated, first } = counter.result();
  expect({ rows, repeated }).toEqual({ rows: 3_000, repeated: 3_000 });
  expect(first).toHaveLength(100);
});

function* lines(): Generator<number, void, void> {
  for (let line = 2; line < 3_002; line++) yield line;
}

test("rows that are held back for one cause share a line with their lines and entries", () => {
  const row = (line: number, journalId: number, cause: string): HeldRow => ({
    line,
    target: { kind: "account", importSupplier: "ACME", externalAccountNumber: `E-${line}` },
    earlier: { journalId, state: "confirmed", at: 0, isRemoved: false },
    words: `words of line ${line}`,
    cause,
  });
  const first = [
    ...[2, 3, 4, 9].map((line) => row(line, line + 10, "were sent before")),
    row(5, 40, "were refused"),
    ...[7, 6].map((line) => row(line, 50, "are unknown")),
  ];
  const held = { ...nothingHeldBack, rows: 12, repeated: 10, first };
  const lines = heldBackCauses(held);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe("4 rows were sent before: lines 2 to 4, 9, as entries 12 to 14, 19.");
  expect(lines[1]).toBe("Line 5: words of line 5");
  expect(lines[2]).toContain("lines 6 to 7, as entries 50.");
  expect(lines[3]).toContain("3 more rows");
  expect(lines[4]).toContain("2 rows beside them");
  expect(heldBackCauses(nothingHeldBack)).toEqual([]);
});
