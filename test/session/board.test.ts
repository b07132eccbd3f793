import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { Board } from "../../src/session/board.ts";
import { createSupplierHistories } from "../../src/session/supplier-histories.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { createBudget } from "../../src/watch/budget.ts";
import { connected } from "../api/connected.ts";
import { fakeClock } from "../helpers/clock.ts";
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
    ...{ folder: null, origin: service.baseUrl, clock, recording },
  });
  onTestFinished(() => observations.close());
  const parts = { service: client.service, observations: async () => observations, clock };
  const histories = createSupplierHistories({ ...parts, budget: createBudget(clock) });
  const ends: (string | null)[] = [];
  const create = () =>
    new Board({
      ...{ ...parts, histories },
      report: (error) => void ends.push(error === null ? null : String(error)),
    });
  return { asked, answers, clock, observations, create, board: create(), ends };
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

function start(
  board: Board,
  suppliers: readonly string[],
  how: { now?: boolean; once?: boolean } = {},
) {
  const stop = new AbortController();
  const ended = board.run(suppliers, { now: false, once: false, ...how, signal: stop.signal });
  onTestFinished(() => stop.abort());
  return { stop: () => stop.abort(), ended };
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
    ...{ from: "list", total: 5, pending: 2, imported: 3 },
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
    ...{ pending: 2, listedAt: checkedAt ?? 0 },
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
  await start(board, ["ACME"], { once: true }).ended;
  expect(board.getSnapshot().rows.get("ACME")?.figures?.history).toMatchObject({
    ...{ oldestPendingSince: clock.now(), gone: { count: 0, atLeast: false } },
  });
  await clock.advance(25 * 3_600_000);
  answers.ACME = () => {};
  asked.length = 0;
  const later = create();
  start(later, ["ACME"]);
  await until(later, () => Boolean(later.getSnapshot().rows.get("ACME")?.figures));
  expect(asked).toEqual([]);
  expect(later.getSnapshot().rows.get("ACME")?.figures).toMatchObject({
    ...{ from: "observations", pending: 2, imported: 4 },
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
    await start(board, ["ACME"], { once: true }).ended;
    await clock.advance(60_000);
    const status =
      (value: string): Answer =>
      (response) =>
        reply(response, 200, { status: value, service_account_number: "" });
    Object.assign(answers, { "ACME/E-2": status("IN_PROGRESS"), "ACME/E-3": status("UNKNOWN") });
    answers.ACME = rows(["E-1"]);
    const gone = () => board.getSnapshot().rows.get("ACME")?.figures?.history?.gone;
    void start(board, ["ACME"], { now: true });
    await until(board, () => board.getSnapshot().rows.get("ACME")?.figures?.pending === 1);
    await until(board, () => gone() !== null && gone()?.count !== 0);
    expect(gone()).toEqual({ count: 1, atLeast: false });
  },
);

test("without suppliers nothing is asked for, and the board ends at once", async () => {
  const { board, asked } = await opened({});
  await start(board, []).ended;
  expect(asked).toEqual([]);
  expect(board.getSnapshot().checkedAt).toBeNull();
});
