import { ageParts, type ShownFigures } from "../../src/components/supplier-overview.tsx";
import { forecastOf } from "../../src/triage/forecast/forecast.ts";

const now = Date.UTC(2026, 10, 24, 12);
const dayMs = 86_400_000;

const history = {
  since: now - 3 * dayMs,
  heldBack: null,
  pendingOverADay: 2,
  oldestPendingSince: now - 2 * dayMs,
  machines: null,
  gone: { count: 3, atLeast: false },
  lastDay: { imported: 0, staged: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 },
};

function words(more: Partial<ShownFigures> = {}, ahead = 0) {
  const counts = { total: 100, imported: 90, pending: 10, ahead };
  const lists = { created: null, newest: [], longest: [], rates: [] };
  const of: ShownFigures = {
    supplier: "ACME",
    figures: { ...counts, ...lists, finish: forecastOf(10, []) },
    from: "list",
    listedAt: now,
    isEarlier: false,
    history: null,
    unlisted: 0,
    isPartial: false,
    ...more,
  };
  return ageParts(of, now).flatMap(([piece]) =>
    piece === undefined || piece.text === "" ? [] : [[piece.text, piece.tone]],
  );
}

test("the facts of a supplier are listed most severe first, without zeros", () => {
  expect(words()).toEqual([]);
  expect(words({ history, unlisted: 4 }, 1)).toEqual([
    ["3 gone", "bad"],
    ["4 accounts on no list", "bad"],
    ["oldest pending ≥ 2 d, 2 over a day", "waiting"],
    ["10 pending", "waiting"],
    ["1 account created in the future: not counted", "waiting"],
  ]);
});

test("gone accounts of the last day are only among the changes", () => {
  const today = { ...history, lastDay: { ...history.lastDay, gone: 3 } };
  expect(words({ history: today })).toEqual([["oldest pending ≥ 2 d, 2 over a day", "waiting"]]);
});

test("figures of an earlier list have its time", () => {
  expect(words({ isEarlier: true })).toEqual([["as listed 12:00:00", "muted"]]);
});
