import { ServiceError } from "../../src/api/errors.ts";
import { createBudget } from "../../src/watch/budget.ts";
import { createCheckHistory } from "../../src/watch/check-history.ts";
import { maxWatched, openWatched, type WatchRecord } from "../../src/watch/record.ts";
import type { StoredWatch, WatchSubject } from "../../src/watch/timeline.ts";
import { createWatchList, type WatchListOptions } from "../../src/watch/watch-list.ts";
import type { CheckResult, Watched } from "../../src/watch/watched.ts";
import { fakeClock } from "../helpers/clock.ts";
import { memoryState, memoryWatched } from "../helpers/state.ts";

const account = (number: string): WatchSubject => ({ kind: "account", supplier: "ACME", number });
const supplyPoint = (number: string): WatchSubject => ({
  kind: "supply-point",
  supplier: "ACME",
  number,
});
const seen = (state: string): CheckResult => ({ state, serviceNumber: "" });

/** A record that several lists may share, as several programs share a file. */
function sharedRecord() {
  const record = memoryWatched();
  return {
    get kept() {
      return record.read();
    },
    broken: null as Error | null,
    read() {
      if (this.broken) throw this.broken;
      return record.read();
    },
    change(change: Parameters<WatchRecord["change"]>[0]) {
      if (this.broken) throw this.broken;
      return record.change(change);
    },
  };
}

/** A watch list whose subjects have the given states by number; errors are thrown. */
function setUp(
  states: Record<string, string | Error> = {},
  options: Partial<WatchListOptions> = {},
) {
  const clock = fakeClock(0);
  const record = sharedRecord();
  const looks: { number: string; at: number }[] = [];
  const finals: Watched[] = [];
  const open = (more: Partial<WatchListOptions> = {}) => {
    const list = createWatchList({
      clock,
      intervalMs: 5_000,
      record,
      random: () => 0.5,
      check: async ({ number }) => {
        looks.push({ number, at: clock.now() });
        const state = states[number] ?? "UNKNOWN";
        if (state instanceof Error) throw state;
        return seen(state);
      },
      ...options,
      ...more,
    });
    onTestFinished(() => list.close());
    list.onFinal((watched) => finals.push(watched));
    return list;
  };
  const list = open();
  const stateOf = (number: string) =>
    list
      .snapshot()
      .entries.find((one) => one.number === number)
      ?.timeline.at(-1)?.state;
  const looksAt = (number: string) =>
    looks.filter((look) => look.number === number).map((look) => look.at);
  return { clock, record, looks, finals, list, open, states, stateOf, looksAt };
}

describe("what is watched", () => {
  test("is checked in parallel, and every change is stored with its time", async () => {
    const { clock, list, states, stateOf } = setUp({ A: "UNKNOWN", B: "IN_PROGRESS" });
    list.add([account("A"), account("B")]);
    await clock.advance(7_000);
    states.A = "IN_PROGRESS";
    await clock.advance(5_000);
    expect([stateOf("A"), stateOf("B")]).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
    expect(list.snapshot().entries[0]?.timeline.map((one) => [one.state, one.firstSeenAt])).toEqual(
      [
        ["UNKNOWN", 0],
        ["IN_PROGRESS", 10_000],
      ],
    );
  });

  test("is not checked any more once it is final, is reported once, and stays until removed", async () => {
    const { clock, list, states, finals, looksAt } = setUp({ A: "IN_PROGRESS" });
    list.add([account("A"), supplyPoint("A")]);
    await clock.advance(1_000);
    states.A = "COMPLETED";
    await clock.advance(60_000);
    expect(finals.map(({ kind, finality }) => [kind, finality])).toEqual([["account", "reached"]]);
    // COMPLETED is no final state of a supply point: that one is checked further.
    expect(looksAt("A").filter((at) => at > 10_000).length).toBe(10);
    expect(list.snapshot()).toMatchObject({ open: 1, entries: [{}, {}] });
    expect(list.remove([account("A")])).toBe(1);
    expect(list.snapshot().entries.map(({ kind }) => kind)).toEqual(["supply-point"]);
    list.remove([supplyPoint("A")]);
    await clock.advance(0);
    expect(clock.pending()).toBe(0);
  });

  test("has failed when an account falls back to UNKNOWN, and is polled again once it moves", async () => {
    const { clock, list, states, finals, looks } = setUp({ A: "IN_PROGRESS" });
    list.add([account("A")]);
    await clock.advance(0);
    states.A = "UNKNOWN";
    await clock.advance(30_000);
    expect(finals.map(({ finality }) => finality)).toEqual(["ended"]);
    const before = looks.length;
    states.A = "IN_PROGRESS";
    list.refresh();
    await clock.advance(30_000);
    expect(looks).toHaveLength(before);
    list.refresh([account("A")]);
    await clock.advance(30_000);
    expect(looks).toHaveLength(before + 7);
    expect(finals).toHaveLength(1);
  });

  test("that the service does not know has a separate state, and is checked further", async () => {
    const { clock, list, stateOf, looks } = setUp({ A: new ServiceError("not-found", "no") });
    list.add([account("A")]);
    await clock.advance(11_000);
    expect(stateOf("A")).toBe("404");
    expect(list.snapshot().entries[0]?.trouble).toBeNull();
    expect(looks.map(({ at }) => at)).toEqual([0, 5_000, 10_000]);
  });

  test("backs off on its own while it fails, and the state last seen stays", async () => {
    const { clock, list, states, stateOf, looksAt } = setUp({ B: "UNKNOWN" });
    list.add([account("A"), account("B")]);
    await clock.advance(1_000);
    states.A = new ServiceError("unavailable", "no", { httpStatus: 503 });
    await clock.advance(59_000);
    expect(looksAt("A")).toEqual([0, 5_000, 10_000, 20_000, 40_000]);
    expect(looksAt("B")).toHaveLength(13);
    expect(stateOf("A")).toBe("UNKNOWN");
    const { entries } = list.snapshot();
    expect(entries[0]?.trouble).toBe(states.A);
    expect(list.progress(entries[0]?.key ?? "")).toMatchObject({
      checks: 5,
      failures: 4,
      checkedAt: 0,
    });
    states.A = "UNKNOWN";
    await clock.advance(30_000);
    expect(list.snapshot().entries[0]?.trouble).toBeNull();
  });

  test("checks are spread by a tenth of the interval", async () => {
    const draws = [0, 1];
    const { clock, list, looksAt } = setUp({}, { random: () => draws.shift() ?? 0.5 });
    list.add([account("A"), account("B")]);
    await clock.advance(6_000);
    expect([looksAt("A")[1], looksAt("B")[1]]).toEqual([4_500, 5_500]);
  });
});

describe("many at once", () => {
  const hundred = Array.from({ length: 100 }, (_, n) => account(`E${n}`));

  test("are no burst: the rate is kept, and the interval is reported as it is now", async () => {
    const { clock, list, looks } = setUp();
    list.add(hundred);
    await clock.advance(60_000);
    for (let from = 0; from < 60_000; from += 1_000) {
      const within = looks.filter(({ at }) => at >= from && at < from + 1_000).length;
      expect(within).toBeLessThanOrEqual(8 + 8);
    }
    expect(looks.length).toBeLessThanOrEqual(60 * 8 + 8);
    expect(new Set(looks.map(({ number }) => number)).size).toBe(100);
    expect(list.snapshot()).toMatchObject({ intervalMs: 5_000, everyMs: 12_500 });
  });

  test("cannot stop the others when some never answer", async () => {
    const { clock, list, looksAt } = setUp(
      {},
      {
        check: ({ number }, signal) =>
          number === "DEAF"
            ? new Promise((_, reject) =>
                signal.addEventListener("abort", () => reject(signal.reason)),
              )
            : Promise.resolve(seen("UNKNOWN")),
      },
    );
    list.add([account("DEAF"), account("A")]);
    await clock.advance(20_000);
    const { entries } = list.snapshot();
    expect(looksAt("A")).toEqual([]);
    expect(list.progress(entries[1]?.key ?? "")?.checks).toBe(5);
    expect(list.progress(entries[0]?.key ?? "")).toMatchObject({ checking: true, checks: 0 });
  });

  test("beyond the cap are refused, and none of them is added", () => {
    const { list } = setUp();
    const many = Array.from({ length: maxWatched + 7 }, (_, n) => account(`E${n}`));
    expect(list.add([account("E0")])).toEqual({ added: 1, known: 0, beyond: 0 });
    expect(list.add(many)).toEqual({ added: 0, known: 1, beyond: 7 });
    expect(list.snapshot().entries).toHaveLength(1);
  });
});

describe("an answer that comes too late", () => {
  test("is dropped: the account was removed meanwhile, and added again", async () => {
    const answers: PromiseWithResolvers<CheckResult>[] = [];
    const { clock, list, stateOf, finals } = setUp(
      {},
      {
        check: () => {
          const answer = Promise.withResolvers<CheckResult>();
          answers.push(answer);
          return answer.promise;
        },
      },
    );
    list.add([account("A")]);
    await clock.advance(0);
    list.remove([account("A")]);
    list.add([account("A")]);
    await clock.advance(0);
    answers[0]?.resolve(seen("COMPLETED"));
    await clock.advance(0);
    expect(stateOf("A")).toBeUndefined();
    answers[1]?.resolve(seen("IN_PROGRESS"));
    await clock.advance(0);
    expect(stateOf("A")).toBe("IN_PROGRESS");
    expect(finals).toEqual([]);
  });

  test("is dropped after the list was closed, and nothing is left asleep", async () => {
    const late = Promise.withResolvers<CheckResult>();
    const { clock, list, finals } = setUp({}, { check: () => late.promise });
    list.add([account("A")]);
    await clock.advance(0);
    list.close();
    late.resolve(seen("COMPLETED"));
    await clock.advance(60_000);
    expect(finals).toEqual([]);
    expect(clock.pending()).toBe(0);
  });
});

describe("pausing", () => {
  test("stops every look, one asked for is made all the same, and going on looks at once", async () => {
    const { clock, list, looks } = setUp();
    list.add([account("A"), account("B")]);
    await clock.advance(1_000);
    list.togglePause();
    await clock.advance(60_000);
    expect(looks).toHaveLength(2);
    expect(list.snapshot().pause).toEqual({ kind: "requested" });
    list.refresh();
    await clock.advance(60_000);
    expect(looks).toHaveLength(4);
    list.togglePause();
    await clock.advance(0);
    expect(looks).toHaveLength(6);
    expect(list.snapshot().pause).toEqual({ kind: "none" });
  });

  test("comes by itself when the credentials are refused: asking on would not help", async () => {
    const refused = new ServiceError("unauthorized", "no", { httpStatus: 401 });
    const { clock, list, looks } = setUp({ A: refused, B: refused });
    list.add([account("A"), account("B")]);
    await clock.advance(120_000);
    expect(looks.length).toBeLessThanOrEqual(2);
    expect(list.snapshot().pause).toEqual({ kind: "refused", error: refused });
  });

  test("pressing refresh again and again starves no subject: what waits keeps its slot", async () => {
    const { clock, list, looks } = setUp();
    list.add(Array.from({ length: 40 }, (_, n) => account(`E${n}`)));
    for (let n = 0; n < 50; n++) {
      list.refresh();
      await clock.advance(100);
    }
    expect(new Set(looks.map(({ number }) => number)).size).toBe(40);
    expect(looks.length).toBeLessThanOrEqual(8 + 5 * 8);
  });
});

describe("one that a screen shows", () => {
  /** Shows an account, and records the states that the screen receives. */
  const shown = (list: ReturnType<typeof setUp>["list"]) => {
    const states: string[] = [];
    const stop = list.show(account("A"), (event) => {
      if (event.kind === "answer") states.push(event.value.state);
    });
    return { states, stop };
  };

  test("is checked once for both, and again for the list when it is due", async () => {
    const { clock, list, looksAt, states, stateOf } = setUp({ A: "UNKNOWN", B: "UNKNOWN" });
    list.add([account("A"), account("B")]);
    await clock.advance(1_000);
    states.A = "IN_PROGRESS";
    const screen = shown(list);
    expect(looksAt("A")).toEqual([0]);
    await clock.advance(0);
    expect(looksAt("A")).toEqual([0, 1_000]);
    expect(screen.states).toEqual(["IN_PROGRESS"]);
    expect(stateOf("A")).toBe("IN_PROGRESS");
    await clock.advance(6_000);
    expect(looksAt("A")).toEqual([0, 1_000, 6_000]);
    screen.stop();
    screen.stop();
    await clock.advance(10_000);
    expect(looksAt("A")).toEqual([0, 1_000, 6_000, 11_000, 16_000]);
    expect(screen.states).toHaveLength(2);
    expect(looksAt("B")).toEqual([0, 5_000, 10_000, 15_000]);
  });

  test("is reported once it is final there, and is checked seldom while it is shown, then not any more", async () => {
    const { clock, list, finals, looksAt, states } = setUp({ A: "IN_PROGRESS" });
    list.add([account("A")]);
    await clock.advance(1_000);
    states.A = "COMPLETED";
    const screen = shown(list);
    await clock.advance(0);
    expect(finals.map(({ number }) => number)).toEqual(["A"]);
    await clock.advance(60_000);
    expect(looksAt("A")).toHaveLength(3);
    screen.stop();
    await clock.advance(120_000);
    expect(looksAt("A")).toHaveLength(3);
    expect(clock.pending()).toBe(0);
  });

  test("stays one when it comes onto the list meanwhile, and while two show it until both are done", async () => {
    const { clock, list, looksAt } = setUp({ A: "UNKNOWN" });
    const [one, other] = [shown(list), shown(list)];
    expect(list.snapshot().entries).toEqual([]);
    list.add([account("A")]);
    await clock.advance(20_000);
    one.stop();
    await clock.advance(20_000);
    other.stop();
    await clock.advance(5_000);
    expect(looksAt("A")).toEqual(Array.from({ length: 10 }, (_, n) => n * 5_000));
    expect(list.snapshot().open).toBe(1);
  });

  test("is checked on when it is removed from the list, until it is covered", async () => {
    const { clock, list, looksAt, record } = setUp({ A: "UNKNOWN" });
    list.add([account("A")]);
    const screen = shown(list);
    await clock.advance(1_000);
    list.remove([account("A")]);
    expect([list.snapshot().entries, record.kept]).toEqual([[], []]);
    await clock.advance(5_000);
    expect(looksAt("A")).toEqual([0, 5_000]);
    screen.stop();
    await clock.advance(60_000);
    expect(looksAt("A")).toHaveLength(2);
    expect(clock.pending()).toBe(0);
  });

  test("is checked while the list is paused, and not when it is released to one that is paused or closed", async () => {
    const { clock, list, looksAt } = setUp({ A: "UNKNOWN" });
    list.add([account("A")]);
    await clock.advance(0);
    const screen = shown(list);
    list.togglePause();
    await clock.advance(6_000);
    expect(looksAt("A")).toEqual([0, 0, 5_000]);
    screen.stop();
    await clock.advance(60_000);
    const again = shown(list);
    list.close();
    await clock.advance(60_000);
    again.stop();
    await clock.advance(60_000);
    expect(looksAt("A")).toHaveLength(3);
    expect(clock.pending()).toBe(0);
  });
});

describe("one memory of what was observed", () => {
  const followed = (states: readonly [string, number][]) => {
    const checkHistory = createCheckHistory();
    for (const [state, at] of states) checkHistory.saw(account("A"), state, at);
    return checkHistory;
  };

  test("a finished account keeps its start time when it is added to the watch list", async () => {
    const checkHistory = followed([
      ["IN_PROGRESS", 0],
      ["COMPLETED", 5_000],
    ]);
    const { clock, list, record, finals } = setUp({ A: "COMPLETED" }, { checkHistory });
    await clock.advance(60_000);
    list.add([account("A")]);
    await clock.advance(2_000);
    const [watched] = list.snapshot().entries;
    expect(watched?.finality).toBe("reached");
    expect(watched?.timeline.map(({ state, firstSeenAt }) => [state, firstSeenAt])).toEqual([
      ["IN_PROGRESS", 0],
      ["COMPLETED", 5_000],
    ]);
    expect(record.kept[0]?.timeline.at(-1)?.firstSeenAt).toBe(5_000);
    // It is no news, so no bell rings.
    expect(finals).toEqual([]);
  });

  test("one that failed before it was watched is watched for what comes next", async () => {
    const checkHistory = followed([
      ["IN_PROGRESS", 0],
      ["UNKNOWN", 5_000],
    ]);
    const { clock, list, states, finals } = setUp({ A: "UNKNOWN" }, { checkHistory });
    await clock.advance(60_000);
    list.add([account("A")]);
    await clock.advance(10_000);
    expect(list.snapshot().open).toBe(1);
    expect(list.snapshot().entries[0]?.timeline[1]?.firstSeenAt).toBe(5_000);
    states.A = "COMPLETED";
    await clock.advance(10_000);
    expect(finals.map(({ finality }) => finality)).toEqual(["reached"]);
  });

  test("one that ended before it was watched is checked once, and followed when it has moved", async () => {
    const checkHistory = createCheckHistory();
    checkHistory.saw(supplyPoint("A"), "ERRORED", 0);
    const { clock, list, looksAt } = setUp({ A: "IN_PROGRESS" }, { checkHistory });
    await clock.advance(60_000);
    list.add([supplyPoint("A")]);
    await clock.advance(11_000);
    expect(list.snapshot().open).toBe(1);
    expect(looksAt("A")).toEqual([60_000, 65_000, 70_000]);
  });

  test("what the record knows from an earlier session is known to the screens too", () => {
    const checkHistory = createCheckHistory();
    const { list, open } = setUp({}, {});
    list.add([account("A")]);
    list.close();
    const later = open({
      checkHistory,
      record: memoryWatched([
        {
          ...account("A"),
          addedAt: 0,
          timeline: [{ state: "IN_PROGRESS", firstSeenAt: 0, lastSeenAt: 0 }],
        },
      ]),
    });
    expect(later.snapshot().entries).toHaveLength(1);
    expect(checkHistory.of(account("A")).map(({ state }) => state)).toEqual(["IN_PROGRESS"]);
  });
});

describe("the next start", () => {
  test("finds what was watched and what was seen, looks on, and leaves what was final alone", async () => {
    const { clock, list, open, states, looks } = setUp({ A: "IN_PROGRESS", B: "COMPLETED" });
    list.add([account("A"), account("B"), account("C")]);
    list.remove([account("C")]);
    await clock.advance(1_500);
    list.close();
    states.A = "UNKNOWN";
    looks.length = 0;
    await clock.advance(3_600_000);
    const later = open();
    await clock.advance(60_000);
    expect(looks.map(({ number }) => number)).toEqual(["A"]);
    // It was IN_PROGRESS before the restart: UNKNOWN now is an attempt that failed.
    expect(later.snapshot().entries.map((one) => [one.number, one.finality])).toEqual([
      ["A", "ended"],
      ["B", "reached"],
    ]);
    expect(later.snapshot().entries[1]?.timeline[0]?.firstSeenAt).toBe(0);
  });

  test("closing the watch list saves the last check", async () => {
    const { clock, list, record, states } = setUp({ A: "UNKNOWN" });
    list.add([account("A")]);
    await clock.advance(4_000);
    states.A = "IN_PROGRESS";
    await clock.advance(1_000);
    list.close();
    expect(record.kept[0]?.timeline.map(({ state }) => state)).toEqual(["UNKNOWN", "IN_PROGRESS"]);
  });

  test("checks are kept if the clock is set back", async () => {
    const { clock, list, open, record, states } = setUp({ A: "UNKNOWN" });
    await clock.advance(86_400_000);
    list.add([account("A")]);
    await clock.advance(2_000);
    list.close();
    const setBack = fakeClock(0);
    const later = open({ clock: setBack });
    states.A = "IN_PROGRESS";
    await setBack.advance(6_000);
    states.A = "COMPLETED";
    await setBack.advance(6_000);
    expect(later.snapshot().entries[0]?.finality).toBe("reached");
    expect(record.kept[0]?.timeline.map(({ state }) => state)).toEqual([
      "UNKNOWN",
      "IN_PROGRESS",
      "COMPLETED",
    ]);
    later.close();
    // And whoever starts next finds it.
    expect(open({ clock: setBack }).snapshot().entries[0]?.finality).toBe("reached");
  });

  test("a save keeps the changes that another process recorded", () => {
    const state = memoryState();
    const open = () => openWatched(state, { profile: "p", service: "s" });
    const [mine, theirs] = [open(), open()];
    const change = { removed: [], added: [], seen: [] };
    const one: StoredWatch = { ...account("A"), addedAt: 0, timeline: [] };
    const at = (name: string, firstSeenAt: number) => [
      { ...one, timeline: [{ state: name, firstSeenAt, lastSeenAt: firstSeenAt }] },
    ];
    const last = () => open().read()[0]?.timeline.at(-1)?.state;
    mine.change({ ...change, added: [one] });
    theirs.read();
    theirs.change({ ...change, seen: at("COMPLETED", 100) });
    mine.change({ ...change, seen: at("IN_PROGRESS", 50) });
    expect(last()).toBe("COMPLETED");
    mine.change({ ...change, seen: at("UNKNOWN", 150) });
    expect(last()).toBe("UNKNOWN");
  });

  test("two programs at once lose nothing of each other, and what one removes stays removed", async () => {
    const { clock, list, open, record } = setUp({ A: "IN_PROGRESS", B: "IN_PROGRESS" });
    const other = open();
    list.add([account("A")]);
    other.add([account("B")]);
    list.add([account("C")]);
    await clock.advance(3_000);
    expect(record.kept.map(({ number }) => number)).toEqual(["A", "B", "C"]);
    other.remove([account("A")]);
    await clock.advance(10_000);
    list.sync();
    expect(
      list
        .snapshot()
        .entries.map(({ number }) => number)
        .toSorted(),
    ).toEqual(["B", "C"]);
    expect(record.kept.map(({ number }) => number)).toEqual(["B", "C"]);
  });

  test("a record that cannot be written is said, does not stop the watching, and is caught up with", async () => {
    const { clock, list, record, looks } = setUp();
    list.add([account("GONE")]);
    record.broken = new Error("the disk is full");
    expect(list.add([account("A")])).toEqual({ added: 1, known: 0, beyond: 0 });
    list.remove([account("GONE")]);
    await clock.advance(6_000);
    expect(list.snapshot().saveProblem).toBe(record.broken);
    expect(looks.filter(({ number }) => number === "A").length).toBe(2);
    record.broken = null;
    list.add([account("B")]);
    expect(list.snapshot().saveProblem).toBeNull();
    expect(record.kept.map(({ number }) => number)).toEqual(["A", "B"]);
    expect(list.snapshot().entries.map(({ number }) => number)).toEqual(["A", "B"]);
  });

  test("a record that cannot be read leaves an empty list that says so", () => {
    const broken = new Error("not JSON");
    const record = {
      read: () => {
        throw broken;
      },
      change: () => {
        throw broken;
      },
    };
    const { list } = setUp({}, { record });
    expect(list.snapshot()).toMatchObject({ entries: [], saveProblem: broken });
  });
});

test("a day of looking leaves no more behind than an hour: timers, timelines, listeners", async () => {
  let turn = 0;
  const record = sharedRecord();
  const { clock, list } = setUp(
    {},
    {
      record,
      intervalMs: 60_000,
      check: async ({ number }) => {
        turn++;
        if (number === "FAILS" && turn % 3 === 0) throw new ServiceError("unavailable", "no");
        return seen(turn % 2 === 0 ? "UNKNOWN" : "STATE_UNHEARD_OF");
      },
    },
  );
  list.add([account("MOVES"), account("FAILS"), supplyPoint("SP")]);
  const size = () => ({
    asleep: clock.pending() <= 4,
    entries: list.snapshot().entries.length,
    longest: Math.max(...list.snapshot().entries.map(({ timeline }) => timeline.length)) <= 200,
    kept: JSON.stringify(record.kept).length < 10_000,
  });
  await clock.advance(3_600_000);
  const afterAnHour = size();
  await clock.advance(23 * 3_600_000);
  expect(size()).toEqual(afterAnHour);
  expect(afterAnHour).toEqual({ asleep: true, entries: 3, longest: true, kept: true });
  expect(turn).toBeGreaterThan(3_000);
});

test("a check that finds nothing new notifies no listener, so that nothing is redrawn", async () => {
  const { clock, list, looks } = setUp({ A: "UNKNOWN" });
  let told = 0;
  list.subscribe(() => told++);
  list.add([account("A")]);
  await clock.advance(2_000);
  const before = { told, snapshot: list.snapshot() };
  await clock.advance(600_000);
  expect(looks.length).toBeGreaterThan(100);
  expect(told).toBe(before.told);
  expect(list.snapshot()).toBe(before.snapshot);
});

test("a budget of its own is shared by all of the list", async () => {
  const clock = fakeClock(0);
  const { list } = setUp(
    {},
    { clock, budget: createBudget(clock, { perSecond: 1, burst: 1, inFlight: 1 }) },
  );
  list.add([account("A"), account("B"), account("C")]);
  expect(list.snapshot().everyMs).toBe(5_000);
  await clock.advance(2_500);
  expect(list.snapshot().entries.filter(({ timeline }) => timeline.length > 0)).toHaveLength(3);
});
