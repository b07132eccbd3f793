import { createService } from "../../../src/api/client.ts";
import { memoryCredentials } from "../../../src/settings/credentials.ts";
import { createSecrets } from "../../../src/settings/secrets.ts";
import { openCohorts } from "../../../src/triage/cohorts/cohorts.ts";
import { createRounds } from "../../../src/triage/list-watch/rounds.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { latestState } from "../../../src/triage/state-words.ts";
import { createCheckHistory } from "../../../src/watch/check-history.ts";
import type { WatchRecord } from "../../../src/watch/record.ts";
import { createWatchList, type WatchList } from "../../../src/watch/watch-list.ts";
import { accountResult } from "../../../src/watch/watched.ts";
import { fastClock } from "../../helpers/clock.ts";
import { openFolders } from "../../helpers/folders.ts";
import { listOf, numbers, openListService } from "../../helpers/list-service.ts";
import { memoryWatched } from "../../helpers/state.ts";

const account = (number: string) => ({ kind: "account", supplier: "ACME", number }) as const;

/** A watch list of a profile on a service of lists; time passes by itself. */
async function openList(
  script: Parameters<typeof openListService>[0],
  {
    record = memoryWatched(),
    cohorts = {},
  }: { record?: WatchRecord; cohorts?: Readonly<Record<string, readonly string[]>> } = {},
) {
  const folders = await openFolders();
  const stored = openCohorts(folders.state);
  for (const [name, accounts] of Object.entries(cohorts))
    await stored.add({
      name,
      supplier: "ACME",
      bytes: Buffer.from(accounts.join("\n")),
      from: "wave.txt",
      column: null,
      now: 0,
    });
  const http = await openListService(script);
  const clock = fastClock();
  const service = createService({
    baseUrl: http.baseUrl,
    credentials: memoryCredentials(createSecrets({ apiKey: "key-1" })),
    clock,
  });
  const observations = await openObservations({
    folder: null,
    origin: http.baseUrl,
    clock,
    recording: true,
  });
  const checkHistory = createCheckHistory();
  const checked: unknown[] = [];
  const list = createWatchList({
    check: async ({ supplier, number }, signal) =>
      accountResult((await service.accounts.status(supplier, number, { signal })).value),
    lists: createRounds({
      service,
      clock,
      checkHistory,
      intervalMs: 5_000,
      cohorts: stored,
      observations,
      checked: (error) => void checked.push(error),
    }),
    clock,
    intervalMs: 5_000,
    record,
    checkHistory,
  });
  onTestFinished(async () => {
    list.close();
    await service.close();
    await observations.close();
    await http[Symbol.asyncDispose]();
  });
  return { http, list, checkHistory, observations, checked };
}

/** Resolves once the list is as wanted. */
function until(list: WatchList, wanted: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!wanted()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = list.subscribe(look);
    look();
  });
}

const states = (list: WatchList) =>
  new Map(list.snapshot().entries.map((one) => [one.number, latestState(one.timeline)]));
const isEvery = (list: WatchList, state: string) =>
  [...states(list).values()].every((one) => one === state);

test("more than 50 accounts of a supplier are watched with lists, and each is final once", async () => {
  const { http, list, observations, checked } = await openList({
    lists: [listOf(numbers), listOf([], numbers)],
  });
  const finals: string[] = [];
  list.onFinal(({ number, finality, serviceNumber }) =>
    finals.push(`${number} ${finality} ${serviceNumber}`),
  );
  list.add(numbers.map(account));
  await until(list, () => isEvery(list, "pending"));
  expect(list.snapshot()).toMatchObject({ open: 51, everyMs: 5_000, byLists: ["ACME"] });
  await until(list, () => list.snapshot().open === 0);
  expect(finals).toEqual(numbers.map((number) => `${number} reached A-${number}`));
  expect([http.listRequests(), http.lookUps()]).toEqual([2, 0]);
  expect(checked).toEqual([null, null]);
  // Both lists are observations.
  expect(await observations.summary("ACME", Date.now())).toMatchObject({
    observations: 2,
    imported: 51,
  });
});

test("50 accounts are watched by their statuses, and lists begin with one more", async () => {
  const [last = "", ...fifty] = numbers;
  const { http, list } = await openList({
    lists: [listOf(numbers)],
    statuses: Object.fromEntries(fifty.map((number) => [number, ["IN_PROGRESS"]])),
  });
  list.add(fifty.map(account));
  await until(list, () => isEvery(list, "IN_PROGRESS"));
  expect(http.listRequests()).toBe(0);
  list.add([account(last)]);
  await until(list, () => states(list).get(last) === "pending");
  expect(http.listRequests()).toBe(1);
  // The list does not show whether an account on it is in progress: what was seen stays.
  expect(fifty.map((number) => states(list).get(number))).toEqual(fifty.map(() => "IN_PROGRESS"));
  list.remove([account(fifty[0] ?? "")]);
  const before = http.lookUps();
  await until(list, () => states(list).get(last) === "404");
  expect(http.lookUps()).toBeGreaterThan(before);
});

test("an account that leaves the list has failed, and stays so after a restart", async () => {
  const [first = "", ...others] = numbers;
  const record = memoryWatched();
  const script = {
    lists: [listOf(numbers), listOf(others)],
    statuses: { [first]: ["UNKNOWN"] },
  };
  const { list, checkHistory } = await openList(script, { record });
  list.add(numbers.map(account));
  await until(list, () => states(list).get(first) === "gone");
  expect(list.snapshot().entries[0]).toMatchObject({ number: first, finality: "ended" });
  expect(checkHistory.of(account(first)).map(({ state }) => state)).toEqual(["UNKNOWN"]);
  list.close();
  const again = createWatchList({
    check: () => new Promise(() => {}),
    clock: fastClock(),
    intervalMs: 5_000,
    record,
  });
  onTestFinished(() => again.close());
  expect(again.snapshot().entries[0]).toMatchObject({ number: first, finality: "ended" });
});

test("a list that fails is trouble of each account, and passes with the next", async () => {
  const { list, checked } = await openList({
    lists: [listOf(numbers), 503, 404, listOf(numbers)],
  });
  list.add(numbers.map(account));
  const failing = () => list.snapshot().entries.filter(({ trouble }) => trouble !== null).length;
  await until(list, () => isEvery(list, "pending"));
  await until(list, () => failing() === 51);
  await until(list, () => failing() === 0);
  expect(isEvery(list, "pending")).toBe(true);
  expect(checked.filter((error) => error !== null)).toHaveLength(2);
});

test("refused credentials pause the whole list", async () => {
  const { list, http } = await openList({ lists: [listOf(numbers), 403, 401] });
  list.add(numbers.map(account));
  await until(list, () => list.snapshot().entries.every(({ trouble }) => trouble !== null));
  await until(list, () => list.snapshot().pause.kind === "refused");
  expect(http.lookUps()).toBe(0);
});

test("an account that a screen shows is checked by its status, and lists continue", async () => {
  const [first = ""] = numbers;
  const { list, http } = await openList({
    lists: [listOf(numbers), listOf([], numbers)],
    statuses: { [first]: ["IN_PROGRESS"] },
  });
  const stop = list.show(account(first), () => {});
  list.add(numbers.map(account));
  await until(list, () => list.snapshot().open === 1);
  expect(states(list).get(first)).toBe("IN_PROGRESS");
  expect(http.listRequests()).toBe(2);
  const before = http.lookUps();
  stop();
  await expect.poll(() => http.lookUps()).toBeGreaterThan(before);
});

test("pausing stops the rounds, and refreshing begins one", async () => {
  const { list, http } = await openList({ lists: [listOf(numbers), listOf([], numbers)] });
  list.add(numbers.map(account));
  await until(list, () => isEvery(list, "pending"));
  list.togglePause();
  list.refresh();
  expect(http.listRequests()).toBe(1);
  list.togglePause();
  await until(list, () => list.snapshot().open === 0);
  expect(http.listRequests()).toBe(2);
});

const cohort = (number: string) => ({ kind: "cohort", supplier: "ACME", number }) as const;

describe("a watched cohort", () => {
  const wave = Array.from({ length: 1_200 }, (_, at) => `W-${at + 1}`);
  const [first = "", second = "", ...others] = wave;
  const state = (list: WatchList) => states(list).get("wave-3");

  test("of 1,200 accounts is one entry, with one list for it and the accounts of its supplier", async () => {
    const { list, http } = await openList(
      {
        lists: [
          listOf([...others, ...numbers], [first, second]),
          listOf([], [...wave, ...numbers]),
        ],
      },
      { cohorts: { "wave-3": wave } },
    );
    list.add([cohort("wave-3"), ...numbers.map(account)]);
    await until(list, () => state(list) === "2 done, 1198 open, 0 failed");
    expect(list.snapshot().entries).toHaveLength(52);
    expect(http.listRequests()).toBe(1);
    await until(list, () => list.snapshot().open === 0);
    expect(state(list)).toBe("1200 done, 0 open, 0 failed");
    expect([http.listRequests(), http.lookUps()]).toEqual([2, 0]);
  });

  test("names an account that fails, and reports its end", async () => {
    const { list } = await openList(
      {
        lists: [
          listOf(wave),
          listOf([second, ...others]),
          listOf([second, ...others]),
          listOf([], wave.slice(1)),
        ],
        statuses: { [first]: ["UNKNOWN"] },
      },
      { cohorts: { "wave-3": wave } },
    );
    const news: string[] = [];
    list.onFinal(({ number, finality }, failed) => news.push(`${number} ${finality} ${failed}`));
    list.add([cohort("wave-3")]);
    await until(list, () => list.snapshot().open === 0);
    expect(state(list)).toBe("1199 done, 0 open, 1 failed");
    expect(news).toEqual([`wave-3 open ${first}`, "wave-3 ended null"]);
  });

  test("keeps its failed accounts over a restart, and reports them once", async () => {
    const record = memoryWatched();
    const script = {
      lists: [listOf(wave), listOf([second, ...others])],
      statuses: { [first]: ["UNKNOWN"] },
    };
    const before = await openList(script, { record, cohorts: { "wave-3": wave } });
    before.list.add([cohort("wave-3")]);
    await until(before.list, () => state(before.list) === "0 done, 1199 open, 1 failed");
    before.list.close();
    const again = await openList(
      { ...script, lists: script.lists.slice(1) },
      { record, cohorts: { "wave-3": wave } },
    );
    const seen = new Set([state(again.list)]);
    again.list.subscribe(() => seen.add(state(again.list)));
    const news: unknown[] = [];
    again.list.onFinal((_, failed) => news.push(failed));
    await expect.poll(() => again.http.lookUps()).toBe(2);
    await expect.poll(() => again.http.listRequests()).toBeGreaterThan(4);
    expect([...seen]).toEqual(["0 done, 1199 open, 1 failed"]);
    expect(news).toEqual([]);
  });

  test("has its failed account open again once the list shows it", async () => {
    const { list } = await openList(
      {
        lists: [
          listOf(wave),
          listOf([second, ...others]),
          listOf([second, ...others]),
          listOf(wave),
          listOf([], wave),
        ],
        statuses: { [first]: ["UNKNOWN"] },
      },
      { cohorts: { "wave-3": wave } },
    );
    const seen: (string | null | undefined)[] = [];
    list.subscribe(() => seen.at(-1) === state(list) || seen.push(state(list)));
    list.add([cohort("wave-3")]);
    await until(list, () => list.snapshot().open === 0);
    expect(seen.filter(Boolean)).toEqual([
      "0 done, 1200 open, 0 failed",
      "0 done, 1199 open, 1 failed",
      "0 done, 1200 open, 0 failed",
      "1200 done, 0 open, 0 failed",
    ]);
  });

  test("that cannot be read is in trouble, and asks for no list", async () => {
    const { list, http } = await openList({ lists: [listOf(numbers)] });
    list.add([cohort("wave-3")]);
    await until(list, () => list.snapshot().entries[0]?.trouble != null);
    expect(list.snapshot().open).toBe(1);
    expect(http.listRequests()).toBe(0);
  });

  test("has room beside 500 accounts, and more accounts than have room are not added", async () => {
    const { list } = await openList({ lists: [listOf([])] }, { cohorts: { "wave-3": wave } });
    expect(list.add(wave.slice(0, 501).map(account))).toEqual({ added: 0, known: 0, beyond: 1 });
    expect(list.snapshot().entries).toEqual([]);
    expect(list.add(wave.slice(0, 500).map(account))).toMatchObject({ added: 500, beyond: 0 });
    expect(list.add([cohort("wave-3")])).toEqual({ added: 1, known: 0, beyond: 0 });
  });
});
