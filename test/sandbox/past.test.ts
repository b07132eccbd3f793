import type { PastList } from "../../src/sandbox/lists.ts";
import { fakeClock, json, noon, opened, paths } from "./client.ts";

interface Row {
  readonly external_account_number: string;
  readonly account_created_at: string | null;
}

const hourMs = 3_600_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const rowsOf = ({ body }: PastList): readonly Row[] => JSON.parse(new TextDecoder().decode(body));

/** Imports of a supplier in each of some numbers of hours before the start. */
async function importsWithin(supplier: string, startedAt: number, spans: readonly number[]) {
  const client = await opened({ now: () => startedAt });
  const rows: readonly Row[] = await json(await client.get(paths.list("imported", supplier)));
  const ages = rows.map((row) => startedAt - Date.parse(row.account_created_at ?? ""));
  return spans.map((span) => ages.filter((age) => age >= 0 && age < span * hourMs).length);
}

describe("the last hours before the start", () => {
  test.each(hours)("NORTH is in the middle of a wave if it starts at %i:00", async (hour) => {
    const startedAt = Date.UTC(2025, 10, 22, hour);
    const [lastHour = 0, lastDay = 0] = await importsWithin("NORTH", startedAt, [1, 24]);
    expect(lastHour).toBeGreaterThanOrEqual(20);
    expect(lastDay).toBeGreaterThan(500);
  });

  test.each([0, 5, 12, 19])("ACME has imports in them if it starts at %i:00", async (hour) => {
    const startedAt = Date.UTC(2025, 10, 22, hour);
    const [lastHour = 0, lastDay = 0] = await importsWithin("ACME", startedAt, [1, 24]);
    expect(lastHour).toBeGreaterThanOrEqual(1);
    expect(lastDay).toBeGreaterThanOrEqual(20);
  });

  test("PAUSED and DONE have none in the last hours", async () => {
    expect(await importsWithin("PAUSED", noon, [12])).toEqual([0]);
    expect(await importsWithin("DONE", noon, [12])).toEqual([0]);
  });
});

test("the wave of NORTH that is under way moves before the first list of NORTH", async () => {
  const clock = fakeClock();
  const client = await opened({ now: clock.now, faults: ["token-life=999999m"] });
  clock.pass(3600);
  const rows: readonly Row[] = await json(await client.get(paths.list("imported", "NORTH")));
  const since = rows.filter((row) => Date.parse(row.account_created_at ?? "") > noon);
  expect(since.length).toBeGreaterThanOrEqual(20);
});

describe("the lists before the start", () => {
  test("come from all suppliers, of each the oldest first, from before the start", async () => {
    const { sandbox } = await opened();
    const lists = Object.groupBy(await sandbox.pastLists(), ({ supplier }) => supplier);
    expect(Object.keys(lists).toSorted()).toEqual(["ACME", "DONE", "NORTH", "PAUSED"]);
    for (const ofOne of Object.values(lists)) {
      const times = (ofOne ?? []).map(({ at }) => at);
      expect(times.toSorted((one, other) => one - other)).toEqual(times);
      expect(times.at(-1)).toBeLessThan(noon);
    }
  });

  test("have no import from after their time", async () => {
    const { sandbox } = await opened();
    for (const list of await sandbox.pastLists()) {
      const created = rowsOf(list).flatMap((row) => row.account_created_at ?? []);
      expect(created.length).toBeGreaterThan(0);
      expect(created.every((text) => Date.parse(text) <= list.at)).toBe(true);
    }
  });

  test("are the same of a second sandbox with the same seed and start", async () => {
    const lists = async () => (await (await opened()).sandbox.pastLists()).map(rowsOf);
    expect(await lists()).toEqual(await lists());
  });

  test("do not begin the day of NORTH", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now, faults: ["token-life=999999m"] });
    await client.sandbox.pastLists();
    clock.pass(3600);
    const status = await client.get(paths.account("NORTH-0001265", "NORTH"));
    expect(status.status).toBe(200);
  });

  test("show some accounts of NORTH pending for days, and one that was pending and is gone", async () => {
    const client = await opened();
    const lists = (await client.sandbox.pastLists()).filter(({ supplier }) => supplier === "NORTH");
    const pendingIn = (rows: readonly Row[]) =>
      rows.filter((row) => !row.account_created_at).map((row) => row.external_account_number);
    const now: readonly Row[] = await json(await client.get(paths.list("all", "NORTH")));
    const pending = new Set(pendingIn(now));
    const daysAgo = lists.filter(({ at }) => at <= noon - 48 * hourMs);
    const forDays = daysAgo.flatMap((list) => pendingIn(rowsOf(list)));
    expect(forDays.filter((one) => pending.has(one))).toHaveLength(4);
    const listed = new Set(now.map((row) => row.external_account_number));
    const once = new Set(lists.flatMap((list) => pendingIn(rowsOf(list))));
    expect([...once].filter((one) => !listed.has(one))).toEqual(["NORTH-0001377"]);
    const gone = await client.get(paths.account("NORTH-0001377", "NORTH"));
    expect((await json(gone)).status).toBe("UNKNOWN");
  });
});
