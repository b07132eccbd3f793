import { ListTally } from "../../../src/triage/figures/list-tally.ts";
import { figuresOf } from "../../../src/triage/figures/table-figures.ts";
import { batchOf, manyRows, type Row, tableOf } from "../../accounts/rows.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.UTC(2026, 5, 15, 12);
const iso = (ms: number) => new Date(ms).toISOString();

function tallyOf(rows: readonly Row[], batches: number, zoneOffsetMs = 0) {
  const tally = new ListTally({ now, zoneOffsetMs, newest: 5 });
  const size = Math.ceil(rows.length / batches);
  for (let at = 0; at < rows.length; at += size) {
    const batch = batchOf(rows.slice(at, at + size));
    tally.take(batch, batch.count);
  }
  return tally.figures(60);
}

test("a list that streams has the figures of the same list in a table", () => {
  const rows: Row[] = [
    ...manyRows(5_000),
    ...Array.from(
      { length: 300 },
      (_, at): Row => [`N${at}`, `S${at}`, iso(now - at * 7 * 60_000)],
    ),
  ];
  const streamed = tallyOf(rows, 7);
  const table = figuresOf(tableOf(rows), { buckets: 60, now, newest: 5 });
  for (const name of ["total", "imported", "pending", "newest", "rates", "finish"] as const) {
    expect(streamed[name], name).toEqual(table[name]);
  }
  const sum = (counts: readonly number[] = []) => counts.reduce((all, one) => all + one, 0);
  expect(sum(streamed.created?.counts)).toBe(sum(table.created?.counts));
});

test("a creation time later than the list is left out of everything, and counted", () => {
  const rows = Array.from(
    { length: 300 },
    (_, at): Row => [`N${at}`, `S${at}`, iso(now - at * 60_000)],
  );
  const ahead: Row[] = [
    ["F1", "A", "2099-01-01T00:00:00Z"],
    ["F2", "A", iso(now + 301_000)],
  ];
  expect(tallyOf([...rows, ...ahead], 3)).toEqual({
    ...tallyOf(rows, 3),
    total: 302,
    imported: 302,
    ahead: 2,
  });
  expect(tallyOf(ahead, 1)).toMatchObject({ created: null, newest: [], rates: [], ahead: 2 });
});

test("the chart of the last hours ends with the hour before the list, and skips older and future times", () => {
  const times = [now - 1, now - 30 * 60_000, now - 90 * 60_000, now - 5.5 * hour];
  const others = [now - 6 * hour, now - 3 * day, now + day];
  const rows = [...times, ...others].map((ms, at): Row => [`E${at}`, `S${at}`, iso(ms)]);
  expect(tallyOf([...rows, ["P"]], 1).lastHours).toEqual([1, 0, 0, 0, 1, 2]);
});

test("days are those of the zone, and go on to today while accounts are pending", () => {
  const rows: Row[] = [
    ["E1", "S1", "2026-06-12T23:30:00Z"],
    ["E2", "S2", "2026-06-13T00:30:00Z"],
    ["P1"],
  ];
  expect(tallyOf(rows, 1).created).toEqual({
    startMs: Date.UTC(2026, 5, 12),
    bucketMs: day,
    counts: [1, 1, 0, 0],
  });
  expect(tallyOf(rows, 1, 2 * hour).created).toMatchObject({
    startMs: Date.UTC(2026, 5, 12, 22),
    counts: [2, 0, 0],
  });
});

test("an empty list has neither chart nor rates", () => {
  expect(tallyOf([], 1)).toMatchObject({
    total: 0,
    pending: 0,
    created: null,
    rates: [],
    newest: [],
    finish: { kind: "none", reason: "nothing-pending" },
  });
});
