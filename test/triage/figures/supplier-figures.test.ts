import { storedFigures } from "../../../src/triage/figures/supplier-figures.ts";
import type {
  ObservedCounts,
  ObservedSummary,
} from "../../../src/triage/observations/observations.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 5, 15, 12);

function counts(hoursAgo: number, imported: number): ObservedCounts {
  return { at: now - hoursAgo * hour, pending: 1_000 - imported, imported, gone: 0 };
}

function summary(last: ObservedCounts): ObservedSummary {
  return {
    ...last,
    historySince: now - 72 * hour,
    observations: 3,
    oldestPendingSince: null,
    pendingOverADay: 0,
    heldBack: null,
    lastDay: { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 },
  };
}

test("stored figures have the rates and hours that earlier observations show", () => {
  const last = counts(0, 400);
  const figures = storedFigures(summary(last), [counts(10, 100), counts(2, 340), last], null);
  expect(figures).toMatchObject({
    from: "observations",
    listedAt: now,
    total: 1_000,
    imported: 400,
    pending: 600,
    history: null,
  });
  // Between two observations the imports are spread evenly: 30 an hour, by either of the two.
  expect(figures.lastHours).toEqual([30, 30, 30, 30, 30, 30]);
  expect(figures.rates[0]).toMatchObject({ perHour: 30, windowMs: hour });
});

test("a single observation shows no rate, and neither do two a moment apart", () => {
  const last = counts(0, 400);
  for (const earlier of [[last], [counts(0.5, 100), last]]) {
    const figures = storedFigures(summary(last), earlier, null);
    expect(figures).toMatchObject({ lastHours: null, rates: [], imported: 400 });
    expect(figures.finish.kind).toBe("none");
  }
});
