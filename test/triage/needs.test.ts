import { needSum, needsOf } from "../../src/triage/open/needs.ts";
import { needCount, type OpenSources, openOf, openParts } from "../../src/triage/open/open.ts";
import * as fc from "../helpers/fast-check.ts";

const suppliers = ["ACME", "NORTH", "SOUTH"];
const n = fc.nat({ max: 4 });
const supplier = fc.constantFrom(...suppliers);
const counts = fc.record({ unknown: n, rejected: n, retryable: n, unsent: n });
const sources: fc.Arbitrary<OpenSources> = fc.record({
  work: fc.option(
    fc.record({
      entries: fc
        .array(fc.tuple(supplier, counts))
        .map((entries) => new Map(entries) as ReadonlyMap<string, (typeof entries)[number][1]>),
      rejectedRows: fc.array(
        fc.record({ run: fc.string(), profile: fc.string(), supplier, rows: n }),
      ),
      runs: fc.array(fc.record({ id: fc.string() })) as fc.Arbitrary<never[]>,
    }),
  ),
  watched: fc.option(
    fc.array(
      fc.record({
        finality: fc.constantFrom("open" as const, "ended" as const, "reached" as const),
        state: fc.constant(null),
        trouble: fc.constantFrom(null, new Error("no answer")),
      }),
    ),
  ) as fc.Arbitrary<OpenSources["watched"]>,
  lists: fc.array(
    fc.record({
      supplier,
      gone: fc.option(fc.record({ count: n, atLeast: fc.boolean() })),
      isHeldBack: fc.boolean(),
      hasFailed: fc.boolean(),
    }),
  ),
  team: fc.array(
    fc.constantFrom("op1", "op2").chain((person) =>
      fc.record({
        ...{ person: fc.constant(person), machine: fc.constantFrom("laptop", "bastion") },
        ...{ login: fc.constant(person), importSupplier: supplier, unknown: n, retryable: n },
      }),
    ),
  ),
  cohorts: fc.option(fc.array(fc.record({ name: fc.string(), supplier, unlisted: fc.option(n) }))),
});

test("the things that need someone are as many as the board counts", () => {
  fc.assert(
    fc.property(sources, (all) => {
      expect(needSum(needsOf(all)).count).toBe(needCount(openParts(openOf(all))).count);
    }),
  );
});

test("what needs someone is in the order of the board, and the largest number comes first", () => {
  fc.assert(
    fc.property(sources, (all) => {
      const kinds = openParts(openOf(all))
        .map(({ kind }) => kind)
        .filter((kind) => kind !== "watched");
      const needs = needsOf(all);
      expect([...new Set(needs.map(({ kind }) => kind))]).toEqual(kinds);
      for (const kind of kinds) {
        const ofKind = needs.filter((need) => need.kind === kind).map(({ count }) => count.count);
        expect(ofKind).toEqual(ofKind.toSorted((a, b) => b - a));
      }
    }),
  );
});

describe("each need", () => {
  const all = needsOf({
    work: {
      entries: new Map([["NORTH", { unknown: 1, rejected: 0, retryable: 0, unsent: 0 }]]),
      rejectedRows: [{ run: "rxsuhj", profile: "ad-hoc", supplier: "ACME", rows: 22 }],
      runs: [{ id: "r8x2ab" } as never],
    },
    watched: [],
    lists: [
      { supplier: "ACME", gone: { count: 4, atLeast: false }, isHeldBack: false, hasFailed: false },
    ],
    cohorts: [{ name: "wave-3", supplier: "ACME", unlisted: 11 }],
  });
  test("names its supplier, cohort or run", () => {
    expect(all.map(({ kind, supplier, name }) => [kind, supplier, name])).toEqual([
      ["unknown", "NORTH", null],
      ["gone", "ACME", null],
      ["unlisted", "ACME", "wave-3"],
      ["rejected-rows", "ACME", "rxsuhj"],
      ["runs", null, "r8x2ab"],
    ]);
    for (const { words, supplier, name } of all) expect(words).toContain(name ?? supplier);
  });
});
