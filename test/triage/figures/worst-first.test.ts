import type {
  SupplierFigures,
  SupplierHistory,
} from "../../../src/triage/figures/supplier-figures.ts";
import {
  problemOf,
  type SupplierRank,
  worstFirst,
} from "../../../src/triage/figures/worst-first.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.UTC(2026, 5, 15, 12);

const history: SupplierHistory = {
  since: now - 30 * day,
  oldestPendingSince: null,
  pendingOverADay: 0,
  gone: { count: 0, atLeast: false },
  lastDay: { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 },
  heldBack: null,
};

function figures(pending: number, more: Partial<SupplierFigures> = {}): SupplierFigures {
  return {
    listedAt: now,
    from: "list",
    total: 100,
    imported: 100 - pending,
    pending,
    lastHours: null,
    created: null,
    newest: [],
    longest: [],
    ahead: 0,
    history,
    rates: [{ perHour: 5, count: 5, windowMs: hour }],
    finish: { kind: "none", reason: "too-few" },
    ...more,
  };
}

function standing(supplier: string, more: Partial<SupplierRank> = {}): SupplierRank {
  return { supplier, unknown: 0, hasFailed: false, figures: figures(0), ...more };
}

test("suppliers stand by the most serious thing that is wrong with them", () => {
  const idle = [
    { perHour: 0, count: 0, windowMs: hour },
    { perHour: 0, count: 0, windowMs: day },
    { perHour: 1, count: 9, windowMs: 7 * day },
  ];
  const oldest = { ...history, oldestPendingSince: now - 8 * day, pendingOverADay: 1 };
  const suppliers = [
    standing("unseen", { figures: null }),
    standing("done"),
    standing("pending", { figures: figures(5) }),
    standing("more pending", { figures: figures(50) }),
    standing("over a day", { figures: figures(1, { history: { ...oldest } }) }),
    standing("stuck", { figures: figures(1, { history: oldest, rates: idle }) }),
    standing("gone", {
      figures: figures(0, { history: { ...history, gone: { count: 2, atLeast: false } } }),
    }),
    standing("held back", {
      figures: figures(0, { history: { ...history, heldBack: { at: now, before: 120, now: 0 } } }),
    }),
    standing("failed", { hasFailed: true, figures: null }),
    standing("unknown", { unknown: 1, hasFailed: true }),
  ];
  expect(worstFirst(suppliers).map(({ supplier }) => supplier)).toEqual([
    ...["unknown", "failed", "held back", "gone", "stuck", "over a day"],
    ...["more pending", "pending", "done", "unseen"],
  ]);
});

test("suppliers that are equally well keep the order they were given in", () => {
  const suppliers = ["ZULU", "ALPHA", "MIKE"].map((supplier) => standing(supplier));
  expect(worstFirst(suppliers).map(({ supplier }) => supplier)).toEqual(["ZULU", "ALPHA", "MIKE"]);
});

test("gone accounts that were not counted yet are no trouble", () => {
  expect(
    problemOf(standing("ACME", { figures: figures(0, { history: { ...history, gone: null } }) })),
  ).toBe("done");
});
