/** Runs of a team: the database that is away, and a colleague with the same file. */
import { serviceKey } from "../../src/api/url.ts";
import type { RunProgress } from "../../src/bulk/progress.ts";
import { readRun } from "../../src/bulk/runs.ts";
import { runExitCodes } from "../../src/commands/bulk/exit-code-of-run.ts";
import { AppError, type ErrorKinds } from "../../src/errors/app-error.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { openTeam } from "../../src/writes/team/team.ts";
import { type FakeClock, fakeClock, passing } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import type { TestSandbox } from "../helpers/service.ts";
import { memoryWorld } from "../writes/team/memory-ledger.ts";
import type { TeamWorld } from "../writes/team/world.ts";
import { bulkFor, carryOut, instructionRequest, recordedRun, sandboxWith } from "./bulking.ts";

/** The database of a team, which answers unless `away` has a kind of error. */
interface Database {
  readonly world: TeamWorld;
  away: ErrorKinds["team"] | null;
}

async function machineOf(
  name: string,
  sandbox: TestSandbox,
  database: Database,
  clock: FakeClock,
): Promise<WriteContext> {
  const { baseUrl, apiKey } = sandbox;
  const alone = await bulkFor({ baseUrl, apiKey, folder: journalFolder(), clock });
  const errorNow = () =>
    database.away === null ? null : new AppError("team", database.away, "away");
  const team = openTeam({
    journal: alone.journal,
    place: { service: serviceKey(baseUrl), address: "db/ledger" },
    names: { machine: name, person: name },
    clock,
    steady: clock.now,
    every: () => () => {},
    open: (user) => {
      const real = database.world.ledgerFor(name, user);
      return {
        ...real,
        claim: async (...given) => {
          const error = errorNow();
          if (error !== null) return { kind: "away", error };
          const askedAt = { wall: clock.now(), steady: clock.now() };
          const answer = await real.claim(...given);
          return answer.kind === "claimed" ? { ...answer, askedAt } : answer;
        },
        publish: async (...given) => {
          const error = errorNow();
          if (error !== null) throw error;
          return real.publish(...given);
        },
      };
    },
  });
  onTestFinished(async () => {
    database.away = null;
    const closing = team.close();
    await passing(clock, closing).catch(() => {});
  });
  return { ...alone, team };
}

const payments = (count: number) =>
  Array.from({ length: count }, (_, at) => instructionRequest(2 + at));

const effects = (sandbox: TestSandbox) =>
  sandbox
    .ledger()
    .filter(({ cause }) => cause === "request")
    .map(({ key }) => key);

async function desk(away: Database["away"]) {
  const sandbox = await sandboxWith();
  const clock = fakeClock(Date.now());
  const database: Database = { world: memoryWorld(), away };
  const context = await machineOf("m1", sandbox, database, clock);
  const run = await recordedRun(context, "payment-instructions", payments(3));
  return { sandbox, clock, database, context, run };
}

test("a run waits for the team's database, and goes on when it answers", async () => {
  const { sandbox, clock, database, context, run } = await desk("team-unavailable");
  const pauses: RunProgress["pause"][] = [];
  const waits = Promise.withResolvers<void>();
  const onProgress = ({ pause }: RunProgress) => {
    pauses.push(pause);
    if (pause?.of === "team" && clock.now() - pause.since > 20_000) waits.resolve();
  };
  const running = carryOut(context, run, { onProgress });
  await passing(clock, waits.promise);
  expect(effects(sandbox)).toEqual([]);
  expect(pauses.at(-1)).toMatchObject({ why: "away" });
  database.away = null;
  expect(await passing(clock, running)).toEqual({ kind: "ended" });
  expect(effects(sandbox)).toHaveLength(3);
  expect(pauses.at(-1)).toBeNull();
});

test("a run stops after ten minutes without the team's database, and is resumed", async () => {
  const { sandbox, clock, database, context, run } = await desk("team-unavailable");
  const began = clock.now();
  const end = await passing(clock, carryOut(context, run), 1_000);
  expect(end.kind).toBe("team-away");
  expect(clock.now() - began).toBeGreaterThanOrEqual(600_000);
  expect(effects(sandbox)).toEqual([]);
  expect(readRun(context, run)).toMatchObject({ state: "stopped" });
  expect([...runExitCodes(context.journal, run)]).toEqual([6]);
  database.away = null;
  expect(await passing(clock, carryOut(context, run))).toEqual({ kind: "ended" });
  expect(effects(sandbox)).toHaveLength(3);
});

test.each(["team-credentials", "team-version", "team-not-set-up"] as const)(
  "a run stops at once after %s, because no wait helps",
  async (kind) => {
    const { sandbox, clock, context, run } = await desk(kind);
    const began = clock.now();
    const end = await passing(clock, carryOut(context, run));
    expect(end).toMatchObject({ kind: "team-away", error: { kind } });
    expect(clock.now() - began).toBeLessThan(60_000);
    expect(effects(sandbox)).toEqual([]);
  },
);

test("of two machines with the same rows, each row is sent by one", async () => {
  const { sandbox, clock, database, context, run } = await desk(null);
  const other = await machineOf("m2", sandbox, database, clock);
  const theirs = await recordedRun(other, "payment-instructions", payments(3));
  await passing(clock, Promise.all([carryOut(context, run), carryOut(other, theirs)]));
  expect(effects(sandbox)).toHaveLength(3);
  expect(new Set(effects(sandbox)).size).toBe(3);
});
