import { ServiceError } from "../../../src/api/errors.ts";
import type { NumberSet } from "../../../src/triage/account-numbers.ts";
import { createListPace, type ListPace } from "../../../src/triage/list-watch/list-pace.ts";
import { createListWatch, type ListWatchEvent } from "../../../src/triage/list-watch/list-watch.ts";
import { fakeClock } from "../../helpers/clock.ts";
import { batchOf, imported, indexOf, type Listed, pending } from "./lists.ts";

interface World {
  /** The list: its rows, an error, or rows and then an error. */
  list: Listed | Error | { readonly rows: Listed; readonly error: Error };
  /** Milliseconds that the list takes. */
  takesMs: number;
  requests: number;
  trusted: boolean | null;
  /** The status by number; errors are thrown. */
  readonly statuses: Record<string, string | Error>;
}

/** A watch of lists that a test describes, on a clock that it moves. */
function setUp(numbers: string[], options: { intervalMs?: number; pace?: ListPace } = {}) {
  const clock = fakeClock(0);
  const world: World = { list: [], takesMs: 0, requests: 1, trusted: null, statuses: {} };
  const sent: { at: number; what: string }[] = [];
  const events: ListWatchEvent[] = [];
  const lines: string[] = [];
  const stop = new AbortController();
  let index: NumberSet = indexOf(...numbers);
  const watch = createListWatch({
    numbers: () => index,
    clock,
    pace: options.pace ?? createListPace(clock),
    intervalMs: options.intervalMs ?? 5_000,
    signal: stop.signal,
    async *list(request, signal) {
      for (let nth = 0; nth < world.requests; nth++) {
        await request(signal);
        sent.push({ at: clock.now(), what: "list" });
      }
      if (world.takesMs > 0) await clock.sleep(world.takesMs, signal);
      const { list } = world;
      if (list instanceof Error) throw list;
      const rows = "rows" in list ? list.rows : list;
      if (rows.length > 0) yield batchOf(rows as Listed);
      if ("error" in list) throw list.error;
      return { rows: (rows as Listed).length, trusted: world.trusted };
    },
    async lookUp(number) {
      sent.push({ at: clock.now(), what: number });
      const state = world.statuses[number] ?? "UNKNOWN";
      if (state instanceof Error) throw state;
      return { state, serviceNumber: "" };
    },
  });
  const run = async () => {
    for await (const event of watch.events()) {
      events.push(event);
      const at = clock.now() / 1_000;
      if (event.kind === "round")
        for (const { previous, number, state } of event.seen)
          if (previous !== state) lines.push(`${at} ${number} ${state}`);
      if (event.kind === "looked-up") {
        const { number, state, hasFailed } = event.seen;
        lines.push(`${at} ${number} ${state}${hasFailed ? " failed" : ""}`);
      }
      if (event.kind === "failed") lines.push(`${at} failed`);
    }
  };
  const ended = run();
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const times = (what = "list") =>
    sent.filter((one) => one.what === what).map(({ at }) => at / 1_000);
  /** The most requests in any minute. */
  const busiest = () =>
    Math.max(...sent.map(({ at }) => sent.filter((o) => o.at >= at && o.at < at + 60_000).length));
  const watchOthers = (...next: string[]) => {
    index = indexOf(...next);
  };
  return { clock, world, sent, events, lines, stop, watch, ended, times, busiest, watchOthers };
}

const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `EXT-${from + at}`);
const down = () => new ServiceError("unavailable", "down", { httpStatus: 503 });

describe("rounds", () => {
  test("are one list each, five seconds apart, and end when all have ended", async () => {
    const { clock, world, lines, ended, times, sent } = setUp(["A", "B"]);
    world.list = pending("A", "B");
    await clock.advance(12_000);
    world.list = [...imported("A"), ...pending("B")];
    await clock.advance(5_000);
    world.list = imported("A", "B");
    await clock.advance(5_000);
    await ended;
    expect(lines).toEqual(["0 A pending", "0 B pending", "15 A COMPLETED", "20 B COMPLETED"]);
    expect(times()).toEqual([0, 5, 10, 15, 20]);
    expect(sent.every(({ what }) => what === "list")).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  test("are as far apart as asked, and never closer than five seconds", async () => {
    const slow = setUp(["A"], { intervalMs: 60_000 });
    slow.world.list = pending("A");
    await slow.clock.advance(130_000);
    expect(slow.times()).toEqual([0, 60, 120]);
    const fast = setUp(["A"], { intervalMs: 10 });
    fast.world.list = pending("A");
    await fast.clock.advance(11_000);
    expect(fast.times()).toEqual([0, 5, 10]);
  });

  test("of a list that takes long rest for as long as it took", async () => {
    const { clock, world, times } = setUp(["A"]);
    world.list = pending("A");
    world.takesMs = 20_000;
    await clock.advance(100_000);
    expect(times()).toEqual([0, 40, 80]);
  });

  test("can be asked for at once, but not within five seconds", async () => {
    const { clock, world, times, watch } = setUp(["A"], { intervalMs: 60_000 });
    world.list = pending("A");
    await clock.advance(2_000);
    watch.refresh();
    watch.refresh();
    await clock.advance(20_000);
    watch.refresh();
    await clock.advance(1_000);
    expect(times()).toEqual([0, 5, 22]);
  });

  test("end without an error when they are stopped, also in the middle of a list", async () => {
    const { clock, world, ended, stop, lines } = setUp(["A"]);
    world.list = imported("A");
    world.takesMs = 20_000;
    await clock.advance(1_000);
    stop.abort();
    await ended;
    expect(lines).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  test("take up accounts that are added, and drop those that are removed", async () => {
    const { clock, world, lines, watchOthers } = setUp(["A", "B"]);
    world.list = pending("A", "B", "C");
    await clock.advance(1_000);
    watchOthers("B", "C");
    await clock.advance(5_000);
    world.list = imported("A", "B", "C");
    await clock.advance(5_000);
    expect(lines).toEqual([
      "0 A pending",
      "0 B pending",
      "5 C pending",
      "10 B COMPLETED",
      "10 C COMPLETED",
    ]);
  });
});

describe("a list that fails", () => {
  test("is void, also where rows came before, and the wait doubles up to a minute", async () => {
    const { clock, world, lines, times, events } = setUp(["A", "B"]);
    world.list = pending("A", "B");
    await clock.advance(1_000);
    world.list = { rows: imported("A"), error: new ServiceError("unreadable", "cut off") };
    await clock.advance(130_000);
    world.list = imported("A", "B");
    await clock.advance(60_000);
    expect(times()).toEqual([0, 5, 10, 20, 40, 80, 140]);
    expect(lines.slice(2, -2)).toEqual([
      "5 failed",
      "10 failed",
      "20 failed",
      "40 failed",
      "80 failed",
    ]);
    expect(lines.slice(-2)).toEqual(["140 A COMPLETED", "140 B COMPLETED"]);
    expect(events.filter(({ kind }) => kind === "looked-up")).toEqual([]);
  });

  test("with a 429 waits for as long as the service asks", async () => {
    const { clock, world, times } = setUp(["A"]);
    world.list = new ServiceError("rate-limited", "wait", { retryAfterMs: 30_000 });
    await clock.advance(29_000);
    expect(times()).toEqual([0]);
    world.list = pending("A");
    await clock.advance(2_000);
    expect(times()).toEqual([0, 30]);
  });

  test("does not take back what an earlier one showed, nor look anything up", async () => {
    const { clock, world, sent, lines } = setUp(["A", "B"]);
    world.list = pending("A");
    world.statuses.B = down();
    await clock.advance(1_000);
    expect(sent.map(({ what }) => what)).toEqual(["list", "B"]);
    world.list = down();
    await clock.advance(30_000);
    expect(sent.filter(({ what }) => what === "B")).toHaveLength(1);
    expect(lines.filter((line) => !line.endsWith("failed"))).toEqual(["0 A pending"]);
  });
});

describe("look-ups", () => {
  test("are of accounts alone that left the list without being imported", async () => {
    const { clock, world, lines, sent } = setUp(["A", "B", "C"]);
    world.list = pending("A", "B", "C");
    await clock.advance(1_000);
    world.list = [...imported("A"), ...pending("B")];
    await clock.advance(10_000);
    expect(lines).toEqual([
      "0 A pending",
      "0 B pending",
      "0 C pending",
      "5 A COMPLETED",
      // The second list without it decides.
      expect.stringMatching(/^1\d(\.\d+)? C UNKNOWN failed$/),
    ]);
    expect(new Set(sent.map(({ what }) => what))).toEqual(new Set(["list", "C"]));
    expect(sent.filter(({ what }) => what === "C")).toHaveLength(2);
  });

  test.each([
    ["1 account", 1],
    ["60 accounts", 60],
    ["1,000 accounts", 1_000],
  ])(
    "of %s on no list stay within twelve requests in any minute, and rounds go on",
    async (_, n) => {
      const { clock, world, busiest, times } = setUp([...many(0, n), "LISTED"]);
      world.list = pending("LISTED");
      await clock.advance(300_000);
      expect(busiest()).toBeLessThanOrEqual(12);
      const rounds = times();
      const gaps = rounds.slice(1).map((at, nth) => at - (rounds[nth] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(20);
    },
  );

  test("of several suppliers share the twelve requests", async () => {
    const clock = fakeClock(0);
    const pace = createListPace(clock);
    const sent: number[] = [];
    const stop = new AbortController();
    const numbers = indexOf(...many(0, 60));
    const rounds = Array.from({ length: 5 }, () => {
      const watch = createListWatch({
        numbers: () => numbers,
        clock,
        pace,
        intervalMs: 5_000,
        signal: stop.signal,
        // biome-ignore lint/correctness/useYield: an empty list has no rows
        async *list(request, signal) {
          await request(signal);
          sent.push(clock.now());
          return { rows: 0, trusted: null };
        },
        lookUp: async () => {
          sent.push(clock.now());
          return { state: "IN_PROGRESS", serviceNumber: "" };
        },
      });
      return (async () => {
        for await (const event of watch.events()) if (event.kind === "failed") throw event.error;
      })();
    });
    await clock.advance(600_000);
    stop.abort();
    await Promise.all(rounds);
    const busiest = sent.map((at) => sent.filter((o) => o >= at && o < at + 60_000).length);
    expect(Math.max(...busiest)).toBeLessThanOrEqual(12);
    expect(sent.length).toBeGreaterThan(80);
    expect(clock.pending()).toBe(0);
  });

  test("leave room for lists that take three requests", async () => {
    const { clock, world, busiest, times } = setUp(many(0, 60));
    world.requests = 3;
    world.list = pending("X");
    await clock.advance(300_000);
    expect(busiest()).toBeLessThanOrEqual(12);
    expect(times().length / 3).toBeGreaterThanOrEqual(5);
  });

  test("that fail are tried again after a later list, behind the others", async () => {
    const { clock, world, sent, events } = setUp(["A", "B"]);
    world.list = pending("X");
    world.statuses.A = down();
    await clock.advance(1_000);
    expect(events.at(-1)).toMatchObject({ kind: "look-up-failed", number: "A" });
    await clock.advance(5_500);
    expect(sent.map(({ what }) => what)).toEqual(["list", "A", "list", "B"]);
    await clock.advance(30_000);
    expect(sent.filter(({ what }) => what === "A")).toHaveLength(2);
  });

  test("that find nothing have the state 404", async () => {
    const { clock, world, lines, watch, ended } = setUp(["A"]);
    world.list = pending("X");
    world.statuses.A = new ServiceError("not-found", "no");
    await clock.advance(1_000);
    expect(lines).toEqual(["0 A 404"]);
    watch.close("A");
    await clock.advance(5_000);
    await ended;
  });

  test("are not made of accounts that an empty list lacks", async () => {
    const { clock, world, events, sent } = setUp(["A"]);
    world.list = pending("A");
    await clock.advance(1_000);
    world.list = [];
    await clock.advance(5_000);
    expect(events.at(-1)).toMatchObject({ kind: "round", isHeldBack: true });
    expect(sent.every(({ what }) => what === "list")).toBe(true);
  });
});

test("a clock that is set back does not stop the rounds", async () => {
  const clock = fakeClock(1_000_000_000);
  const pace = createListPace(clock);
  const rounds = pace.join(5_000);
  const { signal } = new AbortController();
  for (let nth = 0; nth < 12; nth++) await rounds.request(signal);
  clock.set(-500_000_000);
  const next = rounds.request(signal);
  await clock.advance(60_000);
  await next;
  expect(rounds.takeLookUp()).toBe(true);
});
