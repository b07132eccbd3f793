import {
  areKnown,
  isMarked,
  type Look,
  markCells,
  nextLook,
  rowKey,
  type SeenRows,
  seenRows,
  type WallList,
  wallLists,
} from "../../src/screens/suppliers/wall-lists.ts";
import { storedFigures } from "../../src/triage/figures/supplier-figures.ts";
import { watchStateOf } from "../../src/watch/watched.ts";
import type { ActivityRow } from "../../src/writes/activity.ts";
import { openConsole } from "../helpers/console.ts";

const now = Date.parse("2026-01-15T09:00:00Z");
const days = 86_400_000;

function line(supplier: string, pendingDays: number) {
  const oldestPendingSince = now - pendingDays * days;
  const lastDay = { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 };
  const summary = {
    at: now,
    pending: 7,
    imported: 1,
    gone: 0,
    historySince: now - 10 * days,
    observations: 1,
    oldestPendingSince,
    pendingOverADay: 0,
    heldBack: null,
    lastDay,
  };
  const figures = storedFigures(summary, [], {
    since: now - 10 * days,
    oldestPendingSince,
    pendingOverADay: 0,
    gone: null,
    lastDay,
    heldBack: null,
  });
  const load = { kind: "loaded", at: now } as const;
  return { supplier, figures, unknown: 0, hasFailed: false, load, unchecked: null };
}

const entry = (id: number, outcome: ActivityRow["outcome"], supplier = "ACME"): ActivityRow => ({
  journal_id: id,
  created_at: new Date(now - 5 * 60_000).toISOString(),
  profile: "p",
  operation: "notes",
  import_supplier: supplier,
  external_account_number: `EXT-${id}`,
  outcome,
  http_status: null,
  code: null,
  attempts: 1,
  run: null,
});

const { watched } = watchStateOf({
  kind: "account",
  supplier: "NORTH",
  number: "N-1",
  addedAt: 0,
  timeline: [
    { state: "IN_PROGRESS", firstSeenAt: now - 20_000, lastSeenAt: now - 10_000 },
    { state: "UNKNOWN", firstSeenAt: now - 9_000, lastSeenAt: now },
  ],
});

const facts = {
  lines: [line("NORTH", 2), line("ACME", 9)],
  watched: [watched],
  unknown: [entry(7, "unknown")],
  entries: [entry(8, "confirmed"), entry(7, "unknown")],
  runs: [],
  now,
};

const textOf = (lists: readonly WallList[]) =>
  lists.map(({ title, rows }) => [
    title,
    ...rows.map(({ pieces }) => pieces.map(({ text }) => text).join("")),
  ]);

test("only lists with rows are shown, and those of all suppliers are worst first", () => {
  const lists = textOf(wallLists(facts, 70));
  expect(lists.map(([title]) => title)).toEqual([
    "Needs someone",
    "Pending longest",
    "Watching",
    "Last writes",
  ]);
  const [needs = [], pending = []] = lists;
  expect(needs[1]).toMatch(/^unknown +EXT-7/);
  expect(needs[2]).toMatch(/^failed +N-1/);
  expect(pending.slice(1)).toEqual([
    expect.stringMatching(/^ACME +≥ 9 d/),
    expect.stringMatching(/^NORTH +≥ 2 d/),
  ]);
  expect(wallLists({ ...facts, lines: [], watched: [], unknown: [], entries: [] }, 70)).toEqual([]);
});

test("a change is marked for ten seconds, and neither the first look nor an age is a change", () => {
  const lists = wallLists(facts, 70);
  const [last] = lists.slice(-1);
  const [first] = last?.rows ?? [];
  const key = last && first ? rowKey(last, first) : "";
  const marked = (seen: SeenRows, at: number) =>
    [...seen].filter(([, row]) => isMarked(row, at)).map(([id]) => id);
  const look = seenRows(null, lists, 0);
  expect(marked(look, 0)).toEqual([]);
  const older = wallLists({ ...facts, now: now + 3_600_000 }, 70);
  expect(marked(seenRows(look, older, 1_000), 1_000)).toEqual([]);
  const changed = wallLists({ ...facts, entries: [entry(8, "closed"), entry(7, "unknown")] }, 70);
  const next = seenRows(look, changed, 2_000);
  expect(marked(next, 2_000)).toEqual([key]);
  expect(marked(seenRows(next, changed, 11_000), 11_999)).toEqual([key]);
  expect(marked(next, 12_000)).toEqual([]);
});

test("the rows that arrive while the lists are read for the first time are no change", () => {
  const first = { seen: null, isWhole: false };
  const marks = (look: Look) =>
    [...(look.seen ?? [])].filter(([, row]) => isMarked(row, 3_000)).map(([id]) => id);
  const none = nextLook(first, [], { now: 0, isWhole: false });
  const part = nextLook(none, wallLists({ ...facts, watched: [] }, 70), { now: 1, isWhole: false });
  const whole = nextLook(part, wallLists(facts, 70), { now: 2, isWhole: true });
  expect([none, part, whole].flatMap(marks)).toEqual([]);
  const entries = [entry(9, "unknown"), ...facts.entries];
  const next = nextLook(whole, wallLists({ ...facts, entries }, 70), { now: 3, isWhole: true });
  expect(marks(next)).toEqual(["Last writes 9"]);
  // A supplier is known once its gone accounts were counted, or its list failed.
  const [north = line("NORTH", 2)] = facts.lines;
  const history = { ...north.figures.history, gone: { count: 0, atLeast: false } };
  const counted = { ...north, figures: { ...north.figures, history } } as typeof north;
  const failed = { ...north, load: { kind: "failed", at: now, error: null } as const };
  expect([[north], [counted], [failed], [counted, north]].map(areKnown)).toEqual([
    ...[false, true, true, false],
  ]);
});

test.each([
  [70, "was pending, on no list since"],
  [50, "on no list since"],
])("since when an account is gone is not cut in %i columns", (columns, words) => {
  const [north = line("NORTH", 2)] = facts.lines;
  const latest = [{ external: "NO-0000412", goneAt: now - 60_000 }];
  const history = { ...north.figures.history, gone: { count: 1, atLeast: false, latest } };
  const lines = [{ ...north, figures: { ...north.figures, history } } as typeof north];
  const [needs = []] = textOf(wallLists({ ...facts, lines, watched: [], unknown: [] }, columns));
  expect(needs[1]).toMatch(new RegExp(`^gone +NO-0000412  ${words} \\d\\d:\\d\\d$`));
  expect((needs[1] ?? "").length + markCells).toBeLessThanOrEqual(columns);
});

test.each([
  [160, 40],
  [200, 50],
])(
  "at %i×%i the lists are beside the board, and no third of the screen is empty",
  async (cols, rows) => {
    const console = await openConsole(["--sandbox"], { cols, rows });
    await console.waitFor("checked just now");
    await console.waitFor(/Pending longest[\s\S]*Imported per/);
    const lines = console.screen();
    let longest = 0;
    let blank = 0;
    for (const text of lines) {
      blank = /[^\s│]/.test(text) ? 0 : blank + 1;
      longest = Math.max(longest, blank);
    }
    expect(longest).toBeLessThan(rows / 3);
  },
);

test("at 140×40 the preview of the supplier is beside the board", async () => {
  const console = await openConsole(["--sandbox"], { cols: 140, rows: 40 });
  expect(await console.waitFor("checked just now")).not.toContain("Pending longest");
});
