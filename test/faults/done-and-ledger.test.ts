import { doneViolations } from "../../faults/invariants/done-and-ledger.ts";
import type { LedgerEntry } from "../../src/sandbox/index.ts";
import type { Done } from "../../src/writes/done.ts";

const effect = (key: string, amount: string, supplier = "CAMP"): LedgerEntry => ({
  n: 1,
  at: 0,
  endpoint: "transactions",
  supplier,
  identifier: "A-1",
  key,
  cause: "request",
  detail: { amount },
});

const row = (tookEffect: Done["tookEffect"], rows: number, sum: string | null): Done => ({
  operation: "transactions create",
  importSupplier: "CAMP",
  outcome: tookEffect === "unknown" ? "unknown" : tookEffect === "yes" ? "confirmed" : "rejected",
  tookEffect,
  entries: rows,
  rows,
  sum,
});

const ledger = [effect("T-1", "0.10"), effect("T-2", "0.20")];

test.each<[what: string, done: readonly Done[], effects?: readonly LedgerEntry[]]>([
  ["the same rows and cents", [row("yes", 2, "0.3")]],
  ["with zeros at the end", [row("yes", 2, "0.3000")]],
  ["an effect that is seen twice", [row("yes", 2, "0.30")], [...ledger, ...ledger]],
  ["rows without an effect beside them", [row("yes", 2, "0.30"), row("no", 5, "100")]],
  ["unknown rows that all took effect", [row("yes", 1, "0.10"), row("unknown", 1, "0.20")]],
  ["unknown rows of which some did", [row("yes", 1, "0.10"), row("unknown", 3, "9")]],
])("a summary that agrees with the ledger breaks nothing: %s", (_, done, effects = ledger) => {
  expect(doneViolations(done, effects)).toEqual([]);
});

test.each<[what: string, done: readonly Done[], effects?: readonly LedgerEntry[]]>([
  ["a cent more", [row("yes", 2, "0.31")]],
  ["a sum of floating-point numbers", [row("yes", 2, "0.30000000000000004")]],
  ["no sum", [row("yes", 2, null)]],
  ["a row less", [row("yes", 1, "0.30")]],
  ["a row more", [row("yes", 3, "0.30")]],
  ["another unknown row", [row("yes", 1, "0.10"), row("unknown", 1, "0.21")]],
  ["unknown rows of less than took effect", [row("yes", 1, "0.10"), row("unknown", 3, "0.19")]],
  ["another supplier", [row("yes", 2, "0.30")], ledger.map((one) => ({ ...one, supplier: "X" }))],
])("a summary that differs from the ledger is a violation: %s", (_, done, effects = ledger) => {
  expect(doneViolations(done, effects).map(({ invariant }) => invariant)).toContain(
    "the summary is the ledger",
  );
});

test("an item that was sent again on purpose counts as often as it took effect", () => {
  const twice = [row("yes", 4, "0.60")];
  expect(doneViolations(twice, [...ledger, ...ledger], "effects")).toEqual([]);
  expect(doneViolations(twice, [...ledger, ...ledger])).toHaveLength(2);
  expect(doneViolations(twice, ledger, "effects")).toHaveLength(2);
});
