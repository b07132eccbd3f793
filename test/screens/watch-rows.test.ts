import { runToEnd } from "../../src/accounts/slices.ts";
import { ServiceError } from "../../src/api/errors.ts";
import { rowFilter } from "../../src/components/list-screen/row-filter.ts";
import { arraySource, shownRows } from "../../src/components/list-screen/row-source.ts";
import { detailTexts, paceWords } from "../../src/screens/watch/watch-lines.tsx";
import {
  byAttention,
  needsSomeone,
  watchColumns,
  watchRow,
  withDoneFolded,
} from "../../src/screens/watch/watch-rows.ts";
import type { ListedAccount } from "../../src/triage/verdict.ts";
import { cohortState, notFound, type StoredWatch } from "../../src/watch/timeline.ts";
import { type Watched, type WatchProgress, watchStateOf } from "../../src/watch/watched.ts";

const start = new Date(2026, 10, 20, 14, 0, 0).getTime();
const minute = 60_000;

function watched(
  number: string,
  states: readonly string[],
  more: Partial<StoredWatch> = {},
): Watched {
  const timeline = states.map((state, at) => ({
    state,
    firstSeenAt: start + at * minute,
    lastSeenAt: start + at * minute,
  }));
  return watchStateOf({
    kind: "account",
    supplier: "ACME",
    number,
    addedAt: start,
    timeline,
    ...more,
  }).watched;
}
const progress = (more: Partial<WatchProgress> = {}): WatchProgress => ({
  checking: false,
  checkedAt: start,
  nextAt: start + 5_000,
  checks: 12,
  failures: 0,
  ...more,
});
const facts = { wrongByMs: 0, everyMs: 5_000, listed: null, pace: null };
/** A row that was checked just now, unless the progress says otherwise. */
const rowOf = (
  one: Watched,
  now = start,
  more: Partial<WatchProgress> = {},
  listed: ListedAccount | null = null,
) => watchRow(one, progress({ checkedAt: now, ...more }), { ...facts, now, listed });
const listedSince = (pendingSince: number): ListedAccount => ({
  state: "pending",
  at: pendingSince,
  leftAt: null,
  pendingSince,
  pendingUntil: null,
  createdAt: null,
});

const rows = [
  rowOf(watched("EXT-1", ["UNKNOWN"])),
  rowOf(watched("EXT-2", ["UNKNOWN", "IN_PROGRESS", "COMPLETED"])),
  rowOf(watched("EXT-3", ["IN_PROGRESS", "UNKNOWN"])),
  rowOf(watched("SP-4", ["PENDING"], { kind: "supply-point", supplier: "NORTH" })),
  rowOf(watched("EXT-5", ["UNKNOWN", "IN_PROGRESS"])),
];

describe("a row of the watch list", () => {
  test("says for how long, at least if the first check found it so", () => {
    const later = start + 14 * minute;
    expect(rowOf(watched("E", ["UNKNOWN"]), later).held).toBe("≥ 14 min");
    expect(rowOf(watched("E", ["UNKNOWN", "IN_PROGRESS"]), later).held).toBe("13 min");
    expect(rowOf(watched("E", ["UNKNOWN"]), start + 2_000).held).toBe("just seen");
    const listed = (states: readonly string[]) =>
      rowOf(watched("E", states), later, {}, listedSince(start - 46 * minute));
    expect(listed(["UNKNOWN"])).toMatchObject({ state: "○ UNKNOWN, pending", held: "≥ 1 h" });
    expect(listed(["UNKNOWN", "IN_PROGRESS"])).toMatchObject({
      state: "● IN_PROGRESS",
      held: "13 min",
    });
  });

  test("calls an account of an old list seen once, and not just seen", () => {
    const later = start + 17 * minute;
    const unchecked = (now: number) =>
      watchRow(watched("E", []), null, { ...facts, now, listed: listedSince(start) });
    expect(unchecked(start + 2_000)).toMatchObject({ state: "○ pending", held: "just seen" });
    expect(unchecked(later)).toMatchObject({ state: "○ pending", held: "seen once" });
    expect(rowOf(watched("E", ["UNKNOWN"]), later, { checkedAt: start }).held).toBe("seen once");
  });

  test("calls a state that several checks of an earlier minute found at least as old as they show", () => {
    const one = watched("E", []);
    const timeline = [{ state: "IN_PROGRESS", firstSeenAt: start, lastSeenAt: start + 53_000 }];
    const later = start + 5 * minute;
    expect(rowOf({ ...one, timeline }, later, { checkedAt: start + 53_000 }).held).toBe(
      "then ≥ 53 s",
    );
  });

  test.each([
    [120, "next in 12 s", "22 checks"],
    [80, "next in 12 s", null],
    [60, "then ≥ 53 s", null],
  ])("is shown whole in a line of %i columns", (columns, last, checks) => {
    const now = start + 5 * minute;
    const timeline = [{ state: "IN_PROGRESS", firstSeenAt: start, lastSeenAt: start + 53_000 }];
    const one = { ...watched("EXT-0000006", []), timeline };
    const facts = { checkedAt: start + 53_000, nextAt: now + 12_000, checks: 22 };
    const row = rowOf(one, now, facts);
    const { age, beside } = detailTexts(row, progress(facts), { columns, now, serviceNow: now });
    const line = [`EXT-0000006  ${row.status.label}${age}`, ...beside].join("  ");
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).toContain("4 min ago; then ≥ 53 s");
    expect(line.endsWith(checks ?? last)).toBe(true);
    expect(line).toContain(last);
  });

  test("shows an age that does not grow after the last check", () => {
    const held = (more: Partial<WatchProgress>, one = watched("E", ["UNKNOWN", "IN_PROGRESS"])) =>
      rowOf(one, start + 30 * minute, more).held;
    expect(held({ checkedAt: start + 14 * minute })).toBe("then 13 min");
    expect(held({}, { ...watched("E", ["UNKNOWN"]), trouble: new Error("no") })).toBe(
      "then ≥ 30 min",
    );
  });

  test("marks an account that takes far longer than others as stuck", () => {
    const usual = { medianMs: 4 * minute, slowMs: 10 * minute, stuckMs: 40 * minute };
    const pace = { supplier: "ACME", pending: null, inProgress: usual, list: null };
    const now = start + 60 * minute;
    const row = watchRow(watched("E", ["IN_PROGRESS"]), progress({ checkedAt: now }), {
      ...facts,
      now,
      pace,
    });
    expect(row.state).toBe("● IN_PROGRESS, stuck");
  });

  test("shows since when the oldest account of a cohort is pending, not since when its counts stand", () => {
    const figures = cohortState({ done: 2, open: 3, failed: 0 });
    const cohort = watched("wave-3", [], {
      kind: "cohort",
      timeline: [{ ...figures, firstSeenAt: start, lastSeenAt: start }],
    });
    const held = (pendingSince?: number) =>
      rowOf(
        cohort,
        start + minute,
        {},
        pendingSince === undefined ? null : listedSince(pendingSince),
      ).held;
    expect([held(), held(start - 46 * minute)]).toEqual(["≥ 1 min", "≥ 47 min"]);
  });

  test("shows an account that fell back to UNKNOWN as failed, not by color alone", () => {
    expect(rows[2]?.status).toMatchObject({ label: "UNKNOWN (failed)", tone: "bad", mark: "✗" });
    expect(rows[0]?.status).toMatchObject({ label: "UNKNOWN", tone: "waiting" });
  });

  test("says when it is checked next only where that is not within a minute", () => {
    const one = watched("E", ["UNKNOWN"]);
    expect(rowOf(one, start, { nextAt: start + 8_000 }).next).toBe("");
    expect(rowOf(one, start, { nextAt: start + 6 * minute }).next).toBe("in 5 min+");
    expect(rowOf(one, start, { nextAt: null }).next).toBe("paused");
    expect(rowOf(one, start, { checking: true }).next).toBe("");
    expect(rowOf(watched("E", ["COMPLETED"])).next).toBe("");
  });

  test.each([
    [0, "0"],
    [1, "1"],
    [9, "9"],
    [10, "10+"],
    [99, "90+"],
    [12_345, "10000+"],
  ])("shows %i checks as %s, so that the first is seen", (checks, shown) => {
    expect(rowOf(watched("E", ["UNKNOWN"]), start, { checks }).checks).toBe(shown);
  });

  test("says that checking fails, and with what", () => {
    const trouble = new ServiceError("unavailable", "no", { httpStatus: 503 });
    const row = rowOf({ ...watched("E", ["UNKNOWN"]), trouble }, start, { failures: 3 });
    expect(row).toMatchObject({ failed: "3", trouble: "HTTP 503", why: "HTTP 503" });
  });

  test("says why it needs someone, and nothing where it does not", () => {
    expect(rowOf(watched("E", ["IN_PROGRESS", "UNKNOWN"])).why).toContain("The attempt failed");
    expect(rowOf(watched("E", ["UNKNOWN"])).why).toBe("");
  });
});

const columns = watchColumns(rows);
const source = arraySource(byAttention(rows), ({ watched }) => watched.key);

/** The numbers of the rows shown, in their order. */
function shown(of: { filter?: string; by?: string; descending?: boolean }): readonly string[] {
  const { filter = "", by: id = null, descending = false } = of;
  const found = runToEnd(
    shownRows(source, columns, { filter, order: { id, descending } }, () => false),
  );
  return Array.from({ length: found?.length ?? source.length }, (_, at) => {
    return source.at(found?.[at] ?? at)?.watched.number ?? "";
  });
}

describe("what has ended well", () => {
  const done = ["D-1", "D-2"].map((number) => rowOf(watched(number, ["UNKNOWN", "COMPLETED"])));
  const all = byAttention([...done, ...rows]);
  const numbersAt = (now: number, isFolded: boolean) =>
    withDoneFolded(all, now, isFolded).map(({ watched: { number }, folded, status: { label } }) =>
      folded ? label : number,
    );

  test("is one row at the end, which stands for all of them", () => {
    expect(numbersAt(start, true)).toEqual(["EXT-3", "EXT-5", "EXT-1", "SP-4", "3 done"]);
    expect(withDoneFolded(all, start, true).at(-1)?.folded).toHaveLength(3);
    expect(numbersAt(start, false).slice(-3).toSorted()).toEqual(["D-1", "D-2", "EXT-2"]);
  });

  test("is out of view a day after it ended, while what failed stays", () => {
    const later = start + 24 * 60 * minute + 90_000;
    expect(numbersAt(later, true)).toEqual(["EXT-3", "EXT-5", "EXT-1", "SP-4", "EXT-2"]);
    expect(numbersAt(later + minute, true)).toEqual(["EXT-3", "EXT-5", "EXT-1", "SP-4"]);
  });
});

describe("the order of the watch list", () => {
  test("begins with what ended badly, then what is open by its latest change, then what is done", () => {
    expect(shown({})).toEqual(["EXT-3", "EXT-5", "EXT-1", "SP-4", "EXT-2"]);
  });

  test("has an account that is on no list any more, or is not answered, before those that are open", () => {
    const missing = rowOf(watched("EXT-6", ["UNKNOWN", notFound]));
    const failing = { ...watched("EXT-7", ["UNKNOWN"]), trouble: new Error("no") };
    const ordered = byAttention([...rows, rowOf(failing), missing]);
    const numbers = ordered.map((row) => row.watched.number);
    expect(numbers.slice(0, 3)).toEqual(["EXT-3", "EXT-6", "EXT-7"]);
    expect(ordered.filter(needsSomeone)).toHaveLength(3);
  });

  test("the watch list can be sorted by number, status or change, in both directions", () => {
    expect(shown({ by: "ext" })).toEqual(["EXT-1", "EXT-2", "EXT-3", "EXT-5", "SP-4"]);
    expect(shown({ by: "ext", descending: true })[0]).toBe("SP-4");
    expect(shown({ by: "since", descending: true })[0]).toBe("EXT-2");
    expect(shown({ by: "status" })[0]).toBe("EXT-2");
  });
});

test.each([
  ["ext-3", ["EXT-3"]],
  ["status:final", ["EXT-2", "EXT-3"]],
  ["status:in_progress", ["EXT-5"]],
  ["!acme", ["SP-4"]],
  ["supplier:north kind:supply", ["SP-4"]],
  ["~e5", ["EXT-5"]],
])("the filter %s finds %j", (text, expected) => {
  expect(shown({ filter: text, by: "ext" })).toEqual(expected);
  expect(rowFilter(text, columns).problem).toBeNull();
});

test("a column that does not exist is reported with those that do", () => {
  expect(rowFilter("colour:red", columns).problem).toMatch(/"colour".*status:/);
});

test.each([
  [5_000, 5_000, "every 5 s", null],
  [5_000, 5_125, "every 5 s", null],
  [1_000, 5_500, "every 6 s", "slowed from 1 s (request limit)"],
  [500, 500, "every 500 ms", null],
])(
  "a pace of %d ms asked and %d ms possible is said as it is",
  (asked, possible, every, slowed) => {
    expect(paceWords(asked, possible)).toEqual({ every, slowed });
  },
);
