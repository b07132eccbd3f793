import type { ServerResponse } from "node:http";
import { Board } from "../../src/session/board.ts";
import { createSupplierHistories } from "../../src/session/supplier-histories.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { createBudget } from "../../src/watch/budget.ts";
import type { ReloadPace } from "../../src/watch/pace.ts";
import { connected } from "../api/connected.ts";
import { type FakeClock, fakeClock } from "../helpers/clock.ts";
import { openService, reply } from "../helpers/service.ts";

type Answer = (response: ServerResponse) => void;

/** A list of pending accounts, by their numbers, and a number of imported ones. */
function rows(pending: readonly string[], imported = 1): Answer {
  const item = (external: string, service: string | null) => ({
    external_account_number: external,
    service_account_number: service,
    account_created_at: service === null ? null : "2026-01-10T09:00:00Z",
  });
  const done = Array.from({ length: imported }, (_, at) => item(`I-${at}`, `A-${at}`));
  return (response) => reply(response, 200, [...pending.map((one) => item(one, null)), ...done]);
}

const unavailable: Answer = (response) => reply(response, 503, { detail: "no" });

/** A board over a service whose answers a test sets, by supplier, or by account for a status. */
async function opened(answers: Record<string, Answer>, { recording = true } = {}) {
  const asked: string[] = [];
  const service = await openService((request, response) => {
    const path = decodeURIComponent(new URL(request.path, "http://x").pathname);
    const [kind, ...names] = path.split("/").filter(Boolean).slice(2);
    const name = names.join("/");
    asked.push(kind === "all-account-import-processes" ? name : `${kind} ${name}`);
    const answer = answers[name];
    if (answer) answer(response);
    else reply(response, 404, { detail: "no such supplier" });
  });
  const clock = fakeClock();
  const client = connected(service.baseUrl);
  const observations = await openObservations({
    folder: null,
    origin: service.baseUrl,
    clock,
    recording,
  });
  onTestFinished(() => observations.close());
  const parts = { service: client.service, observations, clock };
  const histories = createSupplierHistories({
    ...parts,
    now: clock.now,
    budget: createBudget(clock),
  });
  const ends: (string | null)[] = [];
  const elsewhere = new Map<string, number | "loading">();
  const create = () =>
    new Board({
      ...parts,
      histories,
      loadedElsewhere: (supplier) => elsewhere.get(supplier) ?? null,
      report: (error) => void ends.push(error === null ? null : String(error)),
    });
  return { asked, answers, clock, observations, create, board: create(), ends, elsewhere };
}

/** Runs the board until what is visible satisfies `holds`; resolves with the way to stop it. */
async function until(board: Board, holds: () => boolean): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const unsubscribe = board.subscribe(() => {
      if (!holds()) return;
      unsubscribe();
      resolve();
    });
  });
}

function start(board: Board, suppliers: readonly string[], pace: ReloadPace = "shown") {
  const stop = new AbortController();
  const ended = board.run({ suppliers, pace, signal: stop.signal });
  onTestFinished(() => stop.abort());
  return { stop: () => stop.abort(), ended };
}

/** Runs the board until every supplier was checked once. */
async function checkedOnce(board: Board, suppliers: readonly string[]): Promise<void> {
  const run = start(board, suppliers);
  const before = board.getSnapshot().checkedAt;
  await until(board, () => board.getSnapshot().checkedAt !== before);
  run.stop();
  await run.ended;
}

const loads = (board: Board) =>
  [...board.getSnapshot().rows.values()].map(({ supplier, load }) => `${supplier} ${load.kind}`);

test("suppliers are loaded one after another, and again when it is time; one that fails stops none", async () => {
  const { board, asked, clock, ends, answers } = await opened({
    ACME: rows(["E-1", "E-2"], 3),
    DONE: rows([]),
  });
  start(board, ["ACME", "NOSUCH", "DONE"]);
  await until(board, () => board.getSnapshot().checkedAt !== null);
  expect(loads(board)).toEqual(["ACME loaded", "NOSUCH failed", "DONE loaded"]);
  expect(board.getSnapshot().rows.get("ACME")?.figures).toMatchObject({
    from: "list",
    total: 5,
    pending: 2,
    imported: 3,
  });
  expect(asked.filter((path) => !path.includes("NOSUCH"))).toEqual(["ACME", "DONE"]);
  expect(ends.map((error) => error === null)).toEqual([true, false, true]);
  answers.ACME = unavailable;
  await clock.untilSleeping();
  const { everyMs, checkedAt } = board.getSnapshot();
  expect(everyMs).toBe(30_000);
  await clock.advance(everyMs);
  await until(board, () => board.getSnapshot().checkedAt !== checkedAt);
  // The last known figures stay, with their age.
  expect(loads(board)).toEqual(["ACME failed", "NOSUCH failed", "DONE loaded"]);
  expect(board.getSnapshot().rows.get("ACME")?.figures).toMatchObject({
    pending: 2,
    listedAt: checkedAt ?? 0,
  });
});

test("a round that was cut off continues with the supplier that was being loaded", async () => {
  const waiting: ServerResponse[] = [];
  const { board, asked, answers } = await opened({
    ACME: rows(["E-1"]),
    SLOW: (response) => void waiting.push(response),
    DONE: rows([]),
  });
  const first = start(board, ["ACME", "SLOW", "DONE"]);
  await until(board, () => board.getSnapshot().rows.get("SLOW")?.load.kind === "loading");
  first.stop();
  await first.ended;
  expect(loads(board)).toEqual(["ACME loaded", "SLOW waiting"]);
  answers.SLOW = rows(["S-1"]);
  asked.length = 0;
  start(board, ["ACME", "SLOW", "DONE"]);
  await until(board, () => board.getSnapshot().checkedAt !== null);
  expect(asked).toEqual(["SLOW", "DONE"]);
});

test("every load is recorded, and the stored figures are there before the next answer", async () => {
  const { board, clock, create, asked, answers } = await opened({ ACME: rows(["E-1", "E-2"], 4) });
  await checkedOnce(board, ["ACME"]);
  expect(board.getSnapshot().rows.get("ACME")?.figures?.history).toMatchObject({
    oldestPendingSince: clock.now(),
    gone: { count: 0, atLeast: false },
  });
  await clock.advance(25 * 3_600_000);
  answers.ACME = () => {};
  asked.length = 0;
  const later = create();
  start(later, ["ACME"]);
  await until(later, () => Boolean(later.getSnapshot().rows.get("ACME")?.figures));
  expect(asked).toEqual([]);
  expect(later.getSnapshot().rows.get("ACME")?.figures).toMatchObject({
    from: "observations",
    pending: 2,
    imported: 4,
    history: { pendingOverADay: 2 },
  });
});

test.each([
  ["recorded", true],
  ["not recorded", false],
])(
  "an account that left lists that are %s is gone once the service knows of no import",
  async (_, recording) => {
    const { board, clock, answers } = await opened(
      { ACME: rows(["E-1", "E-2", "E-3"]) },
      { recording },
    );
    await checkedOnce(board, ["ACME"]);
    await clock.advance(60_000);
    const status =
      (value: string): Answer =>
      (response) =>
        reply(response, 200, { status: value, service_account_number: "" });
    Object.assign(answers, { "ACME/E-2": status("IN_PROGRESS"), "ACME/E-3": status("UNKNOWN") });
    answers.ACME = rows(["E-1"]);
    const gone = () => board.getSnapshot().rows.get("ACME")?.figures?.history?.gone;
    start(board, ["ACME"]);
    await until(board, () => board.getSnapshot().rows.get("ACME")?.figures?.pending === 1);
    await until(board, () => gone() !== null && gone()?.count !== 0);
    expect(gone()).toMatchObject({ count: 1, atLeast: false });
  },
);

test("without suppliers nothing is asked for, and the board ends at once", async () => {
  const { board, asked } = await opened({});
  await start(board, []).ended;
  expect(asked).toEqual([]);
  expect(board.getSnapshot().checkedAt).toBeNull();
});

const minute = 60_000;

/** A board that was shown once and is covered from now on. */
async function covered(answers: Record<string, Answer>) {
  const opening = await opened(answers);
  const { board, clock, asked } = opening;
  const suppliers = Object.keys(answers);
  await checkedOnce(board, suppliers);
  asked.length = 0;
  const run = start(board, suppliers, "covered");
  await clock.untilSleeping();
  return { ...opening, run };
}

/** Lets `ms` pass, and what is due in it end. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  await clock.advance(ms);
  await clock.untilSleeping();
}

test("a covered board is checked every five minutes, and finds what is gone", async () => {
  const { board, asked, clock, answers } = await covered({
    ACME: rows(["E-1", "E-2"]),
    DONE: rows([]),
  });
  await pass(clock, 4 * minute);
  expect(asked).toEqual([]);
  answers.ACME = rows(["E-1"]);
  const gone = () => board.getSnapshot().rows.get("ACME")?.figures?.history?.gone?.count;
  const seen = until(board, () => gone() === 1);
  await pass(clock, minute);
  expect(asked.slice(0, 2)).toEqual(["ACME", "DONE"]);
  await seen;
  await pass(clock, 5 * minute);
  expect(asked.filter((path) => path === "DONE")).toHaveLength(2);
});

test("a covered board loads nothing while it is paused, and shows nothing that it did not", async () => {
  const { board, asked, clock } = await covered({ ACME: rows([]) });
  board.setPaused(true);
  await pass(clock, 60 * minute);
  expect(asked).toEqual([]);
  board.setPaused(false);
  await until(board, () => asked.length === 1);
});

test("a list that another screen has loaded is not loaded behind it", async () => {
  const { board, asked, clock, elsewhere } = await covered({ ACME: rows([]), DONE: rows([]) });
  elsewhere.set("ACME", clock.now() + 4 * minute);
  await pass(clock, 5 * minute);
  expect(asked).toEqual(["DONE"]);
  expect(board.getSnapshot().rows.get("ACME")?.checkedAt).toBe(elsewhere.get("ACME"));
  await pass(clock, 5 * minute);
  expect(asked).toEqual(["DONE", "ACME", "DONE"]);
  elsewhere.set("ACME", "loading");
  await pass(clock, 5 * minute);
  expect(asked).toEqual(["DONE", "ACME", "DONE", "DONE"]);
});

test("a supplier whose list takes long rests longer, and the others do not wait for it", async () => {
  const { board, asked, clock, answers } = await opened({ ACME: rows([]), BIG: rows([]) });
  answers.BIG = (response) => void clock.advance(60_000).then(() => rows([])(response));
  start(board, ["ACME", "BIG"]);
  await until(board, () => board.getSnapshot().checkedAt !== null);
  asked.length = 0;
  answers.BIG = rows([]);
  await clock.untilSleeping();
  for (let at = 0; at < 39; at++) await pass(clock, 30_000);
  expect(asked.filter((path) => path === "ACME")).toHaveLength(39);
  expect(asked).not.toContain("BIG");
  await pass(clock, 30_000);
  expect(asked).toContain("BIG");
});

test("refused credentials are not tried again behind another screen", async () => {
  const { asked, clock, answers, board } = await covered({ ACME: rows([]) });
  answers.ACME = (response) => reply(response, 401, { detail: "no" });
  await pass(clock, 5 * minute);
  expect(loads(board)).toEqual(["ACME failed"]);
  asked.length = 0;
  await pass(clock, 60 * minute);
  expect(asked).toEqual([]);
});

test("the board names the time for which a supplier was not checked", async () => {
  const { board, clock, answers } = await covered({ ACME: rows([]), DONE: rows([]) });
  const from = clock.now();
  await pass(clock, 5 * minute);
  const unchecked = (supplier: string) => board.getSnapshot().rows.get(supplier)?.unchecked;
  expect([unchecked("ACME"), unchecked("DONE")]).toEqual([null, null]);
  answers.ACME = unavailable;
  for (let round = 0; round < 2; round++) await pass(clock, 5 * minute);
  answers.ACME = rows([]);
  await pass(clock, 5 * minute);
  expect(unchecked("ACME")).toEqual({ from: from + 5 * minute, to: from + 20 * minute });
  expect(unchecked("DONE")).toBeNull();
});
