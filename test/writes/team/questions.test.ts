/** The questions to the ledger: grouping, repetition, and answers that are late, wrong or missing. */
import {
  type ClaimAnswer,
  type ClaimRequest,
  claimGoodMs,
  isGood,
} from "../../../src/writes/team/ledger.ts";
import { sqlLedger } from "../../../src/writes/team/sql-ledger.ts";
import { fakeClock } from "../../helpers/clock.ts";
import { Folder, Machine } from "./world.ts";

type Answer = (values: readonly unknown[], call: number) => unknown;

/** A machine whose ledger answers as the test says. */
function machineWith(answer: Answer) {
  const clock = fakeClock();
  const folder = new Folder("a");
  const calls: (readonly unknown[])[] = [];
  const connection = {
    ask: async (_: string, values: readonly unknown[]) => {
      calls.push(values);
      return answer(values, calls.length);
    },
    open: () => {},
    close: async () => {},
  };
  let steady = 0;
  const ledger = sqlLedger(connection, {
    ...{ host: "db.example.com", schema: "supplyline", service: "s", user: folder, clock },
    ...{ random: () => 0.5, steady: () => steady },
  });
  const pass = async (ms: number) => {
    steady += ms;
    await clock.advance(ms);
  };
  return { machine: new Machine(folder, ledger), folder, calls, clock, pass };
}

const state = { epoch: "e1", newest: 7 };
const requestsIn = (values: readonly unknown[]) =>
  JSON.parse(String(values[3])) as readonly ClaimRequest[];
const grant: Answer = (values) => ({
  ...state,
  answers: requestsIn(values).map(({ token, localId: id }) => ({
    ...{ kind: "claimed", token, id, findings: [] },
  })),
});
const failing = (code: string) => () => {
  throw Object.assign(new Error("text of the driver"), { code });
};

test("claims wait five milliseconds for the answer to earlier ones, and are then asked together", async () => {
  const answered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { machine, calls, pass } = machineWith(async (values, call) => {
    await answered[call - 1]?.promise;
    return grant(values, call);
  });
  const claim = () => machine.claim(machine.request([{ key: `${machine.nextId}` }]));
  const first = claim();
  await pass(0);
  const [second, third] = [claim(), claim()];
  await pass(4);
  expect(calls).toHaveLength(1);
  await pass(1);
  expect(calls.map((values) => requestsIn(values).length)).toEqual([1, 2]);
  answered[1]?.resolve();
  expect((await second).kind).toBe("claimed");
  expect((await third).kind).toBe("claimed");
  const fourth = claim();
  await pass(0);
  expect((await fourth).kind).toBe("claimed");
  answered[0]?.resolve();
  expect((await first).kind).toBe("claimed");
});

test("claims of one moment share a question, of at most 64", async () => {
  const { machine, calls, folder } = machineWith(grant);
  const requests = Array.from({ length: 70 }, (_, n) => machine.request([{ key: `${n}` }]));
  const answers = await Promise.all(requests.map((request) => machine.claim(request)));
  expect(answers.map((answer) => answer.kind === "claimed" && answer.id)).toEqual(
    requests.map(({ localId }) => localId),
  );
  expect(calls.map((values) => requestsIn(values).length)).toEqual([64, 6]);
  expect(folder.state).toEqual(state);
});

test("answers in another order reach the claims with their tokens", async () => {
  const { machine } = machineWith((values, call) => {
    const { answers, ...rest } = grant(values, call) as { answers: readonly unknown[] };
    return { ...rest, answers: answers.toReversed() };
  });
  const requests = [machine.request([{ key: "1" }]), machine.request([{ key: "2" }])];
  const answers = await Promise.all(requests.map((request) => machine.claim(request)));
  expect(answers).toMatchObject(requests.map(({ localId: id }) => ({ id })));
});

test.each<[string, Answer]>([
  ["no answer for its token", () => ({ ...state, answers: [] })],
  [
    "the answer of another claim",
    () => ({ ...state, answers: [{ kind: "claimed", token: "other", id: 1, findings: [] }] }),
  ],
  ["another shape", () => ({ answers: "claimed" })],
  ["nothing", () => undefined],
  ["an unknown kind", () => ({ ...state, answers: [{ kind: "granted", token: "t" }] })],
])("a claim that gets %s is away", async (_, answer) => {
  const { machine } = machineWith(answer);
  expect(await machine.claim(machine.request([{ key: "1" }]))).toMatchObject({
    kind: "away",
    error: { kind: "team-unavailable" },
  });
});

test.each(["ECONNREFUSED", "ETIMEDOUT", "57P01", "40001", "55P03", "25006", "53300", ""])(
  "after %s, the same claim is asked again, and found",
  async (code) => {
    const { machine, calls, pass, clock } = machineWith((values, call) =>
      call < 3 ? failing(code)() : grant(values, call),
    );
    const answer = machine.claim(machine.request([{ key: "1" }]));
    await clock.untilSleeping();
    await pass(1_000);
    const claimed = await answer;
    expect(claimed).toMatchObject({ kind: "claimed", askedAt: { steady: 1_000 } });
    expect(new Set(calls.map((values) => requestsIn(values)[0]?.token)).size).toBe(1);
  },
);

test.each([
  ["28P01", "team-credentials"],
  ["42501", "team-not-set-up"],
  ["SL001", "team-version"],
  ["SL002", "team-version"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "team-unavailable"],
  ["23505", "team-unavailable"],
])("after %s, a claim is away as %s without another question", async (code, kind) => {
  const { machine, calls } = machineWith(failing(code));
  const answer = await machine.claim(machine.request([{ key: "1" }]));
  expect(answer).toMatchObject({ kind: "away", error: { kind } });
  expect(answer.kind === "away" && answer.error.message).not.toContain("text of the driver");
  expect(calls).toHaveLength(1);
});

test("a claim is away when the patience is over, and the claims behind it are asked", async () => {
  const { machine, calls, pass, clock } = machineWith(failing("ECONNREFUSED"));
  const answer = machine.claim(machine.request([{ key: "1" }]));
  await clock.untilSleeping();
  await pass(14_000);
  expect(await answer).toMatchObject({ kind: "away" });
  expect(calls.length).toBeGreaterThan(5);
});

test("a canceled claim is away at once, and its late answer reaches no one", async () => {
  const { machine } = machineWith(grant);
  const ending = new AbortController();
  const request = machine.request([{ key: "1" }]);
  const answer = machine.ledger.claim(request, ending.signal);
  ending.abort();
  expect(await answer).toMatchObject({ kind: "away" });
  expect(await machine.claim(request)).toMatchObject({ kind: "claimed" });
});

test("only the last part of many outcomes reports that everything is published", async () => {
  const { machine, folder, calls } = machineWith(() => ({ ...state, refused: [] }));
  folder.isComplete = true;
  const request = machine.request([{ key: "1" }]);
  const outcome = { ...request, state: "unsent", tookEffect: null, reason: null } as const;
  const facts = { doubt: "none", httpStatus: null, code: null, items: [] };
  await machine.ledger.publish(Array.from({ length: 300 }, () => ({ ...outcome, ...facts })));
  expect(calls.map((values) => JSON.parse(String(values[2])).isComplete)).toEqual([false, true]);
});

test.each<[string, number, number, boolean]>([
  ["before its end", claimGoodMs - 1, claimGoodMs - 1, true],
  ["when the wall clock was set forward", claimGoodMs, 10, false],
  ["when the wall clock was set back", -claimGoodMs, claimGoodMs, false],
  ["after the machine slept", claimGoodMs, 0, false],
])("a claim is good by both clocks: %s", (_, wall, steady, expected) => {
  const claimed: ClaimAnswer = {
    ...{ kind: "claimed", id: 1, findings: [], askedAt: { wall: 1_000, steady: 50 } },
  };
  expect(isGood(claimed, { wall: 1_000 + wall, steady: 50 + steady })).toBe(expected);
});
