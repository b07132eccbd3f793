import { figuresOf } from "../../../src/triage/figures/table-figures.ts";
import { rangeWords } from "../../../src/triage/forecast/words.ts";
import { manyRows, type Row, tableOf } from "../../accounts/rows.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 5, 15, 12);
const iso = (ms: number) => new Date(ms).toISOString();

/** A number of accounts, one every `everyMs` until `end`. */
function created(count: number, everyMs: number, end = now): Row[] {
  return Array.from(
    { length: count },
    (_, at): Row => [`E${at}`, `A${at}`, iso(end - at * everyMs)],
  );
}
function staged(count: number): Row[] {
  return Array.from({ length: count }, (_, at): Row => [`P${at}`]);
}

describe("counts and the chart", () => {
  test("an empty list claims nothing", () => {
    expect(figuresOf(tableOf([]), { buckets: 10, now })).toEqual({
      total: 0,
      imported: 0,
      pending: 0,
      ahead: 0,
      created: null,
      newest: [],
      longest: [],
      rates: [],
      finish: { kind: "none", reason: "nothing-pending" },
      lastHours: [0, 0, 0, 0, 0, 0],
    });
  });

  test("pending accounts alone have no chart and no estimate", () => {
    expect(figuresOf(tableOf(staged(3)), { buckets: 10, now })).toMatchObject({
      pending: 3,
      created: null,
      finish: { kind: "none", reason: "no-creation-times" },
    });
  });

  test.each([
    [20, 60_000, "a minute"],
    [100, 5 * 60_000, "five minutes"],
    [48 * 3, 3 * hour, "three hours"],
    [40 * 24, 24 * hour, "a day"],
    [400 * 24, 7 * 24 * hour, "a week"],
    [3000 * 24, 8 * 7 * 24 * hour, "eight weeks"],
  ])("the bucket is the smallest natural one that fits", (count, bucketMs, _name) => {
    const everyMs = count < 120 ? 60_000 : hour;
    const { created: chart } = figuresOf(tableOf(created(count, everyMs)), { buckets: 60, now });
    expect(chart?.bucketMs).toBe(bucketMs);
    expect(chart?.counts.length).toBeLessThanOrEqual(60);
    expect(chart?.counts.reduce((sum, one) => sum + one, 0)).toBe(count);
    expect(chart?.startMs).toBeLessThanOrEqual(now - (count - 1) * everyMs);
  });

  test("days begin at the zone's midnight, weeks on its Monday", () => {
    const rows = created(30, 24 * hour);
    const zoneOffsetMs = 2 * hour;
    const days = figuresOf(tableOf(rows), { buckets: 40, now, zoneOffsetMs }).created;
    expect(iso(days?.startMs ?? 0)).toMatch(/T22:00:00/);
    const weeks = figuresOf(tableOf(rows), { buckets: 6, now, zoneOffsetMs }).created;
    expect(new Date((weeks?.startMs ?? 0) + zoneOffsetMs).getUTCDay()).toBe(1);
    expect(new Date((weeks?.startMs ?? 0) + zoneOffsetMs).getUTCHours()).toBe(0);
  });

  test("while accounts are pending the chart goes on to now, so that a standstill shows", () => {
    const rows = created(30, 60_000, now - 5 * hour);
    const { created: chart } = figuresOf(tableOf([...rows, ...staged(1)]), { buckets: 80, now });
    expect(chart?.counts.at(-1)).toBe(0);
    expect(
      (chart?.startMs ?? 0) + (chart?.counts.length ?? 0) * (chart?.bucketMs ?? 0),
    ).toBeGreaterThan(now);
  });

  test("the newest come first, without the imported accounts that have no readable time", () => {
    const rows: Row[] = [...created(50, 1000), ["U1", "A", "soon"], ["U2", "A"], ...staged(2)];
    const found = figuresOf(tableOf(rows.toReversed()), { buckets: 10, now, newest: 3 });
    expect(found).toMatchObject({ total: 54, imported: 52, pending: 2 });
    expect(found.newest.map((one) => one.external)).toEqual(["E0", "E1", "E2"]);
    expect(found.newest[0]).toEqual({ external: "E0", service: "A0", createdAt: now });
  });

  test("a creation time later than the list, by more than five minutes, is left out and counted", () => {
    const rows = created(50, 60_000);
    const ahead: Row[] = [
      ["F1", "A", new Date(now + 5 * 60_000 + 1).toISOString()],
      ["F2", "A", "2099-01-01T00:00:00Z"],
    ];
    const skewed: Row = ["SKEWED", "A", new Date(now + 5 * 60_000).toISOString()];
    const plain = figuresOf(tableOf(rows), { buckets: 10, now, newest: 3 });
    const found = figuresOf(tableOf([...ahead, ...rows]), { buckets: 10, now, newest: 3 });
    expect(found).toEqual({ ...plain, total: 52, imported: 52, ahead: 2 });
    const alone = figuresOf(tableOf(ahead), { buckets: 10, now, newest: 3 });
    expect(alone).toMatchObject({ ahead: 2, created: null, newest: [], rates: [] });
    const [newest] = figuresOf(tableOf([...rows, skewed]), { buckets: 10, now, newest: 3 }).newest;
    expect(newest?.external).toBe("SKEWED");
    // Time that passes does not make it right.
    const later = { buckets: 10, now: now + hour, listedAt: now, newest: 3 };
    expect(figuresOf(tableOf(ahead), later).ahead).toBe(2);
  });

  test("the newest of many blocks", () => {
    const rows = manyRows(40_000);
    const { newest } = figuresOf(tableOf(rows), { buckets: 10, now, newest: 5 });
    expect(newest.map((one) => one.external)).toEqual(
      [39_999, 39_998, 39_997, 39_996, 39_994].map((at) => rows[at]?.[0]),
    );
  });
});

describe("rate and estimated finish", () => {
  const finishOf = (rows: readonly Row[], at = now) =>
    figuresOf(tableOf(rows), { buckets: 10, now: at });

  test("there is a rate of the last hour, of 24 hours and of seven days, and the finish is a range", () => {
    const day = created(30 * 24, 2 * 60_000);
    const { rates, finish } = finishOf([...day, ...staged(600)]);
    expect(rates.map(({ count, windowMs }) => [count, windowMs / hour])).toEqual([
      [30, 1],
      [720, 23 + 58 / 60],
    ]);
    expect(finish.kind === "range" && rangeWords(finish)).toBe("10 to 35 h");
  });

  test("spans in which too few were created are left out of the range", () => {
    const { rates, finish } = finishOf([...created(1000, hour), ...staged(24)]);
    expect(rates.map(({ perHour }) => perHour)).toEqual([1, 1, 1]);
    expect(finish.kind === "range" && rangeWords(finish)).toBe("15 to 45 h");
    expect(finish).toMatchObject({ spansMs: [24 * hour, 7 * 24 * hour] });
  });

  test("a migration that began ten minutes ago is not taken for a slow one", () => {
    const { rates } = finishOf([...created(601, 1000), ...staged(1)]);
    expect(rates).toHaveLength(1);
    expect(rates[0]?.perHour).toBeCloseTo(3606, 0);
  });

  test("what is not known is not estimated", () => {
    const old = created(100, 1000, now - 30 * 24 * hour);
    expect(finishOf([...old, ...staged(1)]).finish).toEqual({ kind: "none", reason: "standstill" });
    expect(finishOf([...created(5, hour), ...staged(1)]).finish).toEqual({
      kind: "none",
      reason: "too-few",
    });
    expect(finishOf(created(100, 1000)).finish).toEqual({
      kind: "none",
      reason: "nothing-pending",
    });
    const slow = [...created(40, 7 * hour), ...staged(20_000)];
    expect(finishOf(slow).finish).toEqual({ kind: "none", reason: "too-far" });
  });

  test("times far ahead of the clock are no recent creations", () => {
    const { rates } = finishOf([...created(50, 1000, now + 24 * hour), ...staged(1)]);
    expect(rates.every(({ count }) => count === 0)).toBe(true);
  });
});
