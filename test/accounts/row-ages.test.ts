import { AccountListStore } from "../../src/accounts/account-list.ts";
import type { AccountSource } from "../../src/accounts/account-load.ts";
import { exportView, hasAges } from "../../src/accounts/export.ts";
import { type KnownAges, lookUpAges } from "../../src/accounts/row-ages.ts";
import { runToEnd } from "../../src/accounts/slices.ts";
import { sortRows } from "../../src/accounts/sort.ts";
import type { AccountRow } from "../../src/accounts/table.ts";
import { batchOf, manyRows, type Row, tableOf } from "./rows.ts";

const noon = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;

/** Ages by account number: since when it is pending, and when it was gone. */
function agesOf(
  ages: Readonly<Record<string, readonly [since: number, gone?: number]>>,
): KnownAges {
  const entries = Object.entries(ages);
  return {
    find: (bytes, from, to) => {
      const number = Buffer.from(bytes.subarray(from, to)).toString();
      return entries.findIndex(([external]) => external === number);
    },
    pendingSince: (row) => entries[row]?.[1][0] ?? Number.NaN,
    goneAt: (row) => entries[row]?.[1][1] ?? Number.NaN,
  };
}

function sourceOf(rows: readonly Row[]): AccountSource {
  return async function* () {
    yield batchOf(rows);
    return { rows: rows.length, unreadableRows: 0, bytes: 0, receivedAt: noon };
  };
}

describe("the ages of a table's rows", () => {
  test("are those of its pending accounts, rounded so that no age is too long", () => {
    const table = tableOf([["a"], ["b", "A-1"], ["c"]]);
    const ages = agesOf({ a: [noon + 250], b: [noon], d: [noon] });
    runToEnd(lookUpAges(table, ages));
    expect(table.row(0).pendingSince).toBe(noon + 1_000);
    expect(table.row(1).pendingSince).toBeNaN();
    expect(table.row(2).pendingSince).toBeNaN();
  });

  test("are not seen while some of them are still being looked up", () => {
    const table = tableOf(manyRows(2_000));
    const first = table.externalAt(0);
    const work = lookUpAges(table, agesOf({ [first]: [noon] }));
    work.next();
    expect(table.row(0).pendingSince).toBeNaN();
    runToEnd(work);
    expect(table.row(0).pendingSince).toBe(noon);
  });

  test("are dropped where rows came while they were looked up", () => {
    const table = tableOf([["a"]]);
    const work = lookUpAges(table, agesOf({ a: [noon] }));
    work.next();
    table.append(batchOf([["b"]]));
    runToEnd(work);
    expect(table.row(0).pendingSince).toBeNaN();
  });

  test("say when an account was missed", () => {
    const table = tableOf([["a"]]);
    runToEnd(lookUpAges(table, agesOf({ a: [noon, noon + minute] })));
    expect(table.row(0)).toMatchObject({ pendingSince: noon, goneAt: noon + minute });
  });
});

test("sorts by how long accounts have been pending, those without an age last either way", () => {
  const table = tableOf([["new"], ["done", "A-1"], ["old"], ["unseen"], ["old too"]]);
  const since = noon - 3 * minute;
  runToEnd(lookUpAges(table, agesOf({ new: [noon], old: [since], "old too": [since] })));
  const order = (descending: boolean) =>
    [...runToEnd(sortRows(table, "pending", descending))].map((row) => table.externalAt(row));
  expect(order(true)).toEqual(["old", "old too", "new", "done", "unseen"]);
  expect(order(false)).toEqual(["new", "old", "old too", "done", "unseen"]);
});

test("are exported in UTC beside what the service lists, once they are known", () => {
  const rows = [["a"], ["b", "A-1", "2026-11-01T00:00:00Z"]] as const;
  const table = tableOf(rows);
  const view = { table, length: 2, rowAt: (position: number) => position };
  expect(hasAges(table)).toBe(false);
  runToEnd(lookUpAges(table, agesOf({ a: [noon] })));
  expect(hasAges(table)).toBe(true);
  const ages = ({ external }: AccountRow) => ({
    pending_since: external === "a" ? "2026-11-20T12:00:00Z" : null,
    first_seen_at: "2026-11-19T12:00:00Z",
    gone_at: null,
  });
  expect([...exportView(view, "csv", { agesOf: ages })].join("").split("\n")).toEqual([
    "external_account_number,service_account_number,account_created_at,pending_since,first_seen_at,gone_at",
    "a,,,2026-11-20T12:00:00Z,2026-11-19T12:00:00Z,",
    "b,A-1,2026-11-01T00:00:00Z,,2026-11-19T12:00:00Z,",
    "",
  ]);
});

describe("a list that has learned the ages of its rows", () => {
  const numbers = (store: AccountListStore) => store.slice(0, 9).map(({ external }) => external);

  test("sorts by them when they come after the order was chosen", async () => {
    const store = new AccountListStore();
    await store.load(sourceOf([["a"], ["b"], ["c"]]));
    store.setSort("pending", true);
    await store.settled();
    expect(numbers(store)).toEqual(["a", "b", "c"]);
    const { version } = store.getSnapshot();
    await store.setAges(agesOf({ a: [noon], b: [noon - minute], c: [noon - 2 * minute] }));
    await store.settled();
    expect(numbers(store)).toEqual(["c", "b", "a"]);
    expect(store.getSnapshot().version).toBeGreaterThan(version);
  });

  test("shows them on the next load until newer ones are known, and not of what is imported", async () => {
    const store = new AccountListStore();
    await store.load(sourceOf([["a"], ["b"]]));
    await store.setAges(agesOf({ a: [noon], b: [noon - minute] }));
    store.setSort("pending", true);
    await store.load(sourceOf([["new"], ["b"], ["a", "A-1", "2026-11-20T12:00:00Z"]]));
    await store.settled();
    expect(store.slice(0, 3).map(({ external, pendingSince }) => [external, pendingSince])).toEqual(
      [
        ["b", noon - minute],
        ["new", Number.NaN],
        ["a", Number.NaN],
      ],
    );
  });

  test("takes the later of two that come while the first is looked up", async () => {
    const store = new AccountListStore();
    await store.load(sourceOf([["a"]]));
    const first = store.setAges(agesOf({ a: [noon] }));
    await store.setAges(agesOf({ a: [noon - minute] }));
    await first;
    expect(store.slice(0, 1)[0]?.pendingSince).toBe(noon - minute);
  });
});
