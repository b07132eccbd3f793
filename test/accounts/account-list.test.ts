import { AccountListStore } from "../../src/accounts/account-list.ts";
import type { AccountListOptions } from "../../src/accounts/account-list-snapshot.ts";
import type { AccountSource } from "../../src/accounts/account-load.ts";
import type { AccountBatch } from "../../src/accounts/ingest/batch.ts";
import { betweenEvents } from "../../src/accounts/slices.ts";
import { ServiceError } from "../../src/api/errors.ts";
import { batchOf, manyRows, type Row, shown, shownAs } from "./rows.ts";

/** A list whose batches the test hands out one by one. */
function feed() {
  const steps: PromiseWithResolvers<AccountBatch | null>[] = [Promise.withResolvers()];
  const taken: PromiseWithResolvers<void>[] = [Promise.withResolvers()];
  let asked = 0;
  let ended = false;
  const source: AccountSource = async function* source() {
    let rows = 0;
    try {
      for (let at = 0; ; at++) {
        const batch = await steps[at]?.promise;
        if (!batch) return { rows, unreadableRows: 2, bytes: 0, receivedAt: 0 };
        rows += batch.count;
        yield batch;
        taken[at]?.resolve();
        taken.push(Promise.withResolvers());
      }
    } finally {
      ended = true;
    }
  };
  const next = () => {
    steps.push(Promise.withResolvers());
    return steps[asked++] as PromiseWithResolvers<AccountBatch | null>;
  };
  return {
    source,
    /** Resolves once the store has taken the rows. */
    async give(rows: readonly Row[]) {
      const at = asked;
      next().resolve(batchOf(rows));
      await taken[at]?.promise;
    },
    end: () => next().resolve(null),
    fail: (error: unknown) => next().reject(error),
    hasEnded: () => ended,
  };
}

/** A list that is there at once. */
function listOf(...batches: (readonly Row[])[]): AccountSource {
  return async function* source() {
    let rows = 0;
    for (const one of batches) {
      rows += one.length;
      yield batchOf(one);
    }
    return { rows, unreadableRows: 0, bytes: 0, receivedAt: 0 };
  };
}

function makeStore(options: AccountListOptions = {}) {
  let time = 1000;
  const store = new AccountListStore({ now: () => time, shown: shownAs(shown), ...options });
  return { store, pass: (ms: number) => (time += ms) };
}

const seen = (store: AccountListStore, count = 100) =>
  store.slice(0, count).map((row) => row.external);

async function until(store: AccountListStore, holds: () => boolean): Promise<void> {
  if (holds()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = store.subscribe(() => {
    if (holds()) resolve();
  });
  await promise;
  stop();
}

const day = "2026-01-01T00:00:00Z";

describe("the first load", () => {
  test("shows its rows while they arrive, then when it was complete", async () => {
    const { store, pass } = makeStore();
    const list = feed();
    expect(store.getSnapshot()).toMatchObject({ load: { kind: "idle" }, total: 0, loadedAt: null });
    const loading = store.load(list.source);
    await list.give([["b"], ["a", "A-1", day]]);
    await until(store, () => store.getSnapshot().total === 2);
    expect(store.getSnapshot().load).toEqual({
      kind: "loading",
      rows: 2,
      startedAt: 1000,
      reload: false,
    });
    expect(store.slice(0, 5)).toEqual([
      {
        external: "b",
        service: null,
        created: null,
        createdAt: Number.NaN,
        pending: true,
        gone: false,
        goneAt: Number.NaN,
        pendingSince: Number.NaN,
        marked: false,
        change: null,
        extras: null,
        unstoredExtras: false,
      },
      {
        external: "a",
        service: "A-1",
        created: day,
        createdAt: Date.parse(day),
        pending: false,
        gone: false,
        goneAt: Number.NaN,
        pendingSince: Number.NaN,
        marked: false,
        change: null,
        extras: null,
        unstoredExtras: false,
      },
    ]);
    await list.give([["c"]]);
    pass(500);
    list.end();
    await loading;
    expect(store.getSnapshot()).toMatchObject({
      load: { kind: "loaded", rows: 3, at: 1500, tookMs: 500, unreadableRows: 2 },
      loadedAt: 1500,
      total: 3,
      matched: 3,
      changes: null,
    });
  });

  test("the filter and the sort order apply to rows that arrive later", async () => {
    const { store } = makeStore();
    const list = feed();
    store.setFilter("x");
    store.setSort("external", true);
    const loading = store.load(list.source);
    await list.give([["x1"], ["y1"], ["x3"]]);
    await store.settled();
    expect(seen(store)).toEqual(["x3", "x1"]);
    await list.give([["x2"], ["y2"]]);
    await until(store, () => store.getSnapshot().matched === 3);
    await store.settled();
    list.end();
    await loading;
    await store.settled();
    expect(seen(store)).toEqual(["x3", "x2", "x1"]);
    expect(store.getSnapshot()).toMatchObject({
      total: 5,
      matched: 3,
      sort: { column: "external", descending: true, settled: true },
    });
  });

  test("new rows wait while the user types a filter", async () => {
    // Work slow enough that every step of it is a slice.
    let elapsed = 0;
    const { store } = makeStore({ slicing: { ...betweenEvents, elapsed: () => (elapsed += 5) } });
    const list = feed();
    const loading = store.load(list.source);
    await list.give(manyRows(40_000));
    store.expectFilter();
    store.setFilter("99");
    expect(store.getSnapshot().filter.settled).toBe(false);
    const rowsWhenFound = store.settled().then(() => store.viewRows().table.rows);
    const given = list.give([["99-last"]]);
    expect(await rowsWhenFound).toBe(40_000);
    await given;
    list.end();
    await loading;
    await store.settled();
    expect(seen(store, 40_001).at(-1)).toBe("99-last");
  });

  test("a list that is cut off keeps the rows that arrived", async () => {
    const { store } = makeStore();
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["a"], ["b"]]);
    const error = new ServiceError("unreadable", "cut off");
    list.fail(error);
    await loading;
    expect(store.getSnapshot()).toMatchObject({
      load: { kind: "failed", error, rows: 2, at: 1000 },
      loadedAt: null,
      total: 2,
    });
    expect(seen(store)).toEqual(["a", "b"]);
  });

  test("a load after a failed load replaces it and reports no differences", async () => {
    const { store } = makeStore();
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["a"]]);
    list.fail(new ServiceError("unreadable", "cut off"));
    await loading;
    await store.load(listOf([["a"], ["b"]]));
    expect(store.getSnapshot()).toMatchObject({ total: 2, changes: null, loadedAt: 1000 });
    expect(store.slice(0, 2).map((row) => row.change)).toEqual([null, null]);
  });

  test("a load beyond the memory cap keeps the first rows and reports it", async () => {
    const { store } = makeStore({ maxBytes: 50_000 });
    await store.load(listOf(manyRows(400), manyRows(400)));
    const { truncatedAt, total, load, arrived } = store.getSnapshot();
    expect(arrived).toBe(800);
    expect(truncatedAt).toBe(total);
    expect(total).toBeGreaterThan(100);
    expect(total).toBeLessThan(800);
    expect(load).toMatchObject({ kind: "loaded", rows: 800 });
  });

  test("listeners are notified of the first rows at once, then a few times per second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { store } = makeStore();
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["a"]]);
    await vi.advanceTimersByTimeAsync(40);
    expect(store.getSnapshot().matched).toBe(1);
    await list.give([["b"]]);
    await vi.advanceTimersByTimeAsync(40);
    expect(store.getSnapshot().matched).toBe(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(store.getSnapshot().matched).toBe(2);
    list.end();
    await loading;
  });

  test("listeners are notified once per batch", async () => {
    const { store } = makeStore();
    let told = 0;
    store.subscribe(() => {
      told += 1;
    });
    await store.load(listOf(...Array.from({ length: 500 }, (_, at): Row[] => [[`E${at}`]])));
    expect(store.getSnapshot().total).toBe(500);
    expect(told).toBeLessThan(100);
  });
});

describe("a reload", () => {
  const first: Row[] = [["a"], ["b", "B", day], ["c"], ["d"]];

  test("a reload keeps the old rows visible and then highlights the differences", async () => {
    const { store } = makeStore();
    await store.load(listOf(first));
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["new"], ["b", "B", day]]);
    await until(store, () => store.getSnapshot().load.kind === "loading");
    expect(store.getSnapshot().load).toMatchObject({ reload: true });
    expect(seen(store)).toEqual(["a", "b", "c", "d"]);
    await list.give([["a", "A", day], ["d"]]);
    list.end();
    await loading;
    expect(store.slice(0, 9).map((row) => [row.external, row.change])).toEqual([
      ["new", "added"],
      ["b", null],
      ["a", "changed"],
      ["d", null],
    ]);
    expect(store.getSnapshot().changes).toEqual({ added: 1, changed: 1, removed: 1 });
    await store.load(listOf([["new"], ["b", "B", day], ["a", "A", day], ["d"]]));
    expect(store.getSnapshot().changes).toEqual({ added: 0, changed: 0, removed: 0 });
    expect(store.slice(0, 9).every((row) => row.change === null)).toBe(true);
  });

  test("a reload keeps the cursor on its account", async () => {
    const { store } = makeStore();
    await store.load(listOf(first));
    expect(store.positionOf("c")).toBe(2);
    await store.load(listOf([["x"], ["y"], ["z"], ["c"], ["a"]]));
    expect(store.positionOf("c")).toBe(3);
    expect(store.positionOf("b")).toBe(-1);
    store.setSort("external", false);
    await store.settled();
    expect(store.positionOf("c")).toBe(1);
    store.setFilter("!a");
    await store.settled();
    expect(store.positionOf("c")).toBe(0);
    expect(store.positionOf("a")).toBe(-1);
    store.setSort("wire", true);
    await store.settled();
    expect(seen(store)).toEqual(["c", "z", "y", "x"]);
    expect(store.positionOf("z")).toBe(1);
  });

  test("a failed reload keeps the rows, the marks and their time", async () => {
    const { store, pass } = makeStore();
    await store.load(listOf(first));
    store.marks.toggle("c");
    pass(100);
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["z"]]);
    list.fail(new Error("gone"));
    await loading;
    expect(store.getSnapshot()).toMatchObject({
      load: { kind: "failed", rows: 1, at: 1100 },
      loadedAt: 1000,
      total: 4,
      marks: 1,
    });
    expect(seen(store)).toEqual(["a", "b", "c", "d"]);
  });

  test("a reload keeps the filter, sort and marks even if they change meanwhile", async () => {
    const { store } = makeStore();
    await store.load(listOf(first));
    store.marks.toggle("b");
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["d"], ["b"], ["a"]]);
    store.setFilter("!a");
    store.setSort("external", false);
    store.marks.toggle("d");
    list.end();
    await loading;
    await store.settled();
    expect(store.slice(0, 9).map((row) => [row.external, row.marked])).toEqual([
      ["b", true],
      ["d", true],
    ]);
    expect(store.getSnapshot()).toMatchObject({ total: 3, matched: 2, marks: 2 });
  });

  test("a reload after a cut-off load reports neither new nor gone accounts", async () => {
    const { store } = makeStore({ maxBytes: 20_000 });
    await store.load(listOf(manyRows(400)));
    await store.load(listOf(manyRows(400).toReversed()));
    expect(store.getSnapshot()).toMatchObject({ changes: null });
    expect(store.getSnapshot().truncatedAt).not.toBeNull();
  });
});

describe("giving up", () => {
  test("Ctrl-C ends a load even if its source never responds", async () => {
    const { store } = makeStore();
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["a"]]);
    store.cancelLoad();
    await loading;
    const { load, total } = store.getSnapshot();
    expect(load).toMatchObject({ kind: "failed", rows: 1 });
    expect(load.kind === "failed" && load.error).toMatchObject({ kind: "cancelled" });
    expect(total).toBe(1);
    list.end();
    await until(store, () => true);
    expect(store.getSnapshot().load.kind).toBe("failed");
  });

  test("closing a screen restores the state from before its load", async () => {
    const { store } = makeStore();
    const screen = new AbortController();
    const loading = store.load(feed().source, screen.signal);
    screen.abort();
    await loading;
    await until(store, () => store.getSnapshot().load.kind === "idle");
    await store.load(listOf([["a"]]));
    const other = new AbortController();
    const again = store.load(feed().source, other.signal);
    other.abort();
    await again;
    await until(store, () => store.getSnapshot().load.kind === "loaded");
    expect(seen(store)).toEqual(["a"]);
  });

  test("a load continues while at least one of its callers is active", async () => {
    const { store } = makeStore();
    const list = feed();
    let started = 0;
    const source: AccountSource = (signal, table) => {
      started += 1;
      return list.source(signal, table);
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = store.load(source, one.signal);
    const second = store.load(source, two.signal);
    one.abort();
    await first;
    await list.give([["a"]]);
    list.end();
    await second;
    expect(started).toBe(1);
    expect(store.getSnapshot().load.kind).toBe("loaded");
    two.abort();
    expect(store.getSnapshot().load.kind).toBe("loaded");
  });

  test("a source that throws before its first row is a failed load", async () => {
    const { store } = makeStore();
    await store.load(() => {
      throw new ServiceError("credentials", "no key");
    });
    expect(store.getSnapshot().load).toMatchObject({ kind: "failed", rows: 0 });
  });

  test("dispose ends the load and notifies no listener", async () => {
    const { store } = makeStore();
    const list = feed();
    const loading = store.load(list.source);
    await list.give([["a"]]);
    let told = 0;
    store.subscribe(() => {
      told += 1;
    });
    store.dispose();
    await loading;
    await store.load(listOf([["b"]]));
    expect(told).toBe(0);
    expect(store.slice(0, 1)).toEqual([]);
  });
});

describe("filter, sort and marks on the screen", () => {
  test("the filter text is shown at once, and its rows when they are found", async () => {
    const { store } = makeStore();
    await store.load(listOf(manyRows(40_000)));
    store.setFilter("EXT-00");
    const typed = store.getSnapshot();
    expect(typed.filter).toMatchObject({ text: "EXT-00", settled: false, problem: null });
    expect(typed.matched).toBe(40_000);
    store.setFilter("EXT-0000");
    await store.settled();
    const found = store.getSnapshot();
    expect(found.filter.settled).toBe(true);
    expect(found.matched).toBe(
      manyRows(40_000).filter(([one]) => one.startsWith("EXT-0000")).length,
    );
    expect(store.getSnapshot()).toBe(found);
    store.setFilter("");
    expect(store.getSnapshot()).toMatchObject({ matched: 40_000, filter: { settled: true } });
    expect(store.getSnapshot().version).toBeGreaterThan(found.version);
  });

  test("a bad filter is reported and does not hide rows", async () => {
    const { store } = makeStore();
    await store.load(listOf([["a"], ["b"]]));
    store.setFilter("ext:");
    expect(store.getSnapshot()).toMatchObject({ matched: 2, filter: { text: "ext:" } });
    expect(store.getSnapshot().filter.problem).toContain("no search text");
  });

  test("mark-all marks every match even while the filter is still running", async () => {
    const { store } = makeStore();
    await store.load(listOf(manyRows(40_000)));
    store.setFilter("pending");
    store.markMatching();
    expect(store.getSnapshot().marks).toBe(8000);
    store.setFilter("");
    expect(store.slice(0, 6).map((row) => row.marked)).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(store.marks.externals(2)).toEqual([manyRows(6)[0]?.[0], manyRows(6)[5]?.[0]]);
    store.marks.clear();
    expect(store.getSnapshot().marks).toBe(0);
  });

  test("taken marks keep the state of each account after later changes", async () => {
    const { store } = makeStore();
    await store.load(listOf([["a"], ["b", "A-B", ""], ["c", "A-C", ""]]));
    for (const external of ["a", "c", "elsewhere"]) store.marks.toggle(external);
    const taken = store.marks.snapshot();
    store.marks.toggle("b");
    store.marks.toggle("c");
    await store.load(
      listOf([
        ["c", "A-C", ""],
        ["a", "A-A", ""],
      ]),
    );
    const expected = [
      { external: "a", standing: "staged" },
      { external: "c", standing: "imported" },
      { external: "elsewhere", standing: "not-listed" },
    ];
    expect(taken.count).toBe(3);
    expect([...taken.each()]).toEqual(expected);
    expect([...taken.each()]).toEqual(expected);
    expect([...store.marks.snapshot().each()]).toEqual([
      { external: "a", standing: "imported" },
      { external: "b", standing: "not-listed" },
      { external: "elsewhere", standing: "not-listed" },
    ]);
  });

  test("long work yields to other events repeatedly", async () => {
    let turns = 0;
    const { store } = makeStore({
      slicing: {
        ...betweenEvents,
        yieldNow: () => {
          turns += 1;
          return betweenEvents.yieldNow();
        },
      },
    });
    await store.load(listOf(manyRows(300_000)));
    turns = 0;
    store.setSort("external", false);
    await store.settled();
    expect(turns).toBeGreaterThan(1);
    const inOrder = seen(store, 1000);
    expect(inOrder).toEqual(inOrder.toSorted());
  });

  test("a filter typed while a sort runs shows sorted matches", async () => {
    const { store } = makeStore();
    const rows = manyRows(40_000);
    await store.load(listOf(rows));
    store.setSort("external", true);
    store.setFilter("99");
    await store.settled();
    const wanted = rows.filter(([one, service, created]) => {
      const time = created ? `${created} ${shown(Date.parse(created))}` : "";
      return `${one} ${service ?? ""} ${time}`.includes("99");
    });
    expect(seen(store, 1e6)).toEqual(
      wanted
        .map(([one]) => one)
        .toSorted()
        .toReversed(),
    );
    store.setSort("wire", false);
    expect(seen(store, 1e6)).toEqual(wanted.map(([one]) => one));
  });
});
