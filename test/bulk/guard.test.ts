import { expect, test } from "vitest";
import { HeldBackCounter } from "../../src/bulk/held-back.ts";
import { readRunRows } from "../../src/bulk/rows.ts";
import { readRun } from "../../src/bulk/runs.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { addIntent } from "../../src/writes/journal/changes.ts";
import { processLife } from "../../src/writes/owner.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import { journalFolder } from "../helpers/folders.ts";
import { journalIn } from "../writes/writing.ts";
import {
  accounts,
  bulkFor,
  carryOut,
  instructionRequest,
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

test("rows of one run that say the same are sent once, and with a reason each time", async () => {
  const { sandbox, one, runs } = await twoRuns();
  expect(await carryOut(one, runs[0])).toEqual({ kind: "ended" });
  const run = await recordedRun(one, "payment-instructions", [payment(2), payment(3)]);
  expect(await carryOut(one, run)).toEqual({ kind: "ended" });
  expect(readRunRows(one.journal, run).map(({ outcome }) => outcome)).toEqual(["unsent", "unsent"]);
  expect(sandbox.ledger()).toHaveLength(1);
  expect(await carryOut(one, run, { again: { reason: "meant" } })).toEqual({ kind: "ended" });
  expect(readRunRows(one.journal, run).map(({ outcome }) => outcome)).toEqual([
    "confirmed",
    "confirmed",
  ]);
  expect(sandbox.ledger()).toHaveLength(3);
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
