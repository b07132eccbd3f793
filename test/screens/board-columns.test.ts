import { fitColumns } from "../../src/components/list-screen/column.ts";
import { boardWords } from "../../src/components/overlays/board-help-words.ts";
import { boardColumns } from "../../src/screens/suppliers/board-columns.ts";
import type { BoardLine } from "../../src/screens/suppliers/board-feed.ts";
import { shownSupplier } from "../../src/screens/suppliers/board-words.ts";
import { loadingWords } from "../../src/screens/suppliers/suppliers-screen.tsx";
import type { SupplierFigures } from "../../src/triage/figures/supplier-figures.ts";

const now = Date.UTC(2026, 10, 24, 12);
const dayMs = 86_400_000;

const figures: SupplierFigures = {
  listedAt: now,
  from: "list",
  total: 100,
  imported: 90,
  pending: 10,
  ahead: 0,
  lastHours: [0, 0, 0, 0, 1, 4],
  created: null,
  newest: [],
  longest: [],
  rates: [{ windowMs: 3_600_000, perHour: 4, count: 4 }],
  finish: { kind: "none", reason: "too-few" },
  history: null,
};

const history = {
  observedAt: now,
  since: now - 3 * dayMs,
  heldBack: null,
  pendingOverADay: 2,
  oldestPendingSince: now - 2 * dayMs,
  gone: { count: 3, atLeast: false },
  lastDay: { imported: 0, staged: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 },
};

const line = (more: Partial<BoardLine> = {}): BoardLine => ({
  supplier: "ACME",
  unknown: 0,
  hasFailed: false,
  figures,
  load: { kind: "waiting" },
  unchecked: null,
  ...more,
});

/** The IDs of the columns that a wide board draws. */
function drawn(lines: readonly BoardLine[]): readonly string[] {
  const rows = lines.map((one) => shownSupplier(one, now));
  return fitColumns(boardColumns(rows), 200).map(({ id }) => id);
}

describe("the board", () => {
  test("leaves out the columns that would have zeros alone", () => {
    expect(drawn([line()])).toEqual(["supplier", "bar", "percent", "pending", "rate"]);
    const all = drawn([line(), line({ unknown: 1, figures: { ...figures, history } })]);
    expect(all).toEqual([
      ...["supplier", "bar", "percent", "pending", "oldest", "gone", "unknown", "over", "rate"],
    ]);
  });

  test("draws gone accounts as a part of the bar that is not done", () => {
    const row = shownSupplier(line({ figures: { ...figures, history } }), now);
    const bar = boardColumns([row]).find(({ id }) => id === "bar");
    expect(bar?.pieces?.(row, 20)).toMatchObject([
      { text: "━".repeat(16), tone: "ok" },
      { text: " " },
      { text: "━", tone: "bad" },
      { text: "──", tone: "muted" },
    ]);
  });

  test("has one color for unknown entries and one for gone accounts", () => {
    const row = shownSupplier(line({ unknown: 2, figures: { ...figures, history } }), now);
    const toneOf = (id: string) =>
      boardColumns([row])
        .find((one) => one.id === id)
        ?.tone?.(row);
    expect([row.signTone, toneOf("unknown"), toneOf("gone")]).toEqual([
      "unknown",
      "unknown",
      "bad",
    ]);
  });
});

test("the help of the board explains each of its columns", () => {
  const old = { ...figures, listedAt: now - dayMs, history };
  const rows = [line({ unknown: 1, figures: old })].map((one) => shownSupplier(one, now));
  const explained = boardWords.map(({ label, meaning }) => `${label} ${meaning}`).join(" ");
  const titles = boardColumns(rows)
    .flatMap(({ title }) => title.trim().split(/ {2,}/))
    .filter((title) => title !== "Supplier");
  expect(titles).toEqual(expect.arrayContaining(["Oldest", "Figures of", "6 h", "Left"]));
  expect(titles.filter((title) => !explained.includes(title))).toEqual([]);
});

test("a load names its supplier, and after some seconds how long it has taken", () => {
  const line = { supplier: "ACME", load: { kind: "loading", rows: 0, startedAt: 0 } } as BoardLine;
  expect(loadingWords(line, 1_000)).toBe("loading ACME…");
  expect(loadingWords(line, 20_000)).toBe("loading ACME… 20 s");
  expect(loadingWords(line, null)).toBe("loading ACME…");
});
