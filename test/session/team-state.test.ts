/** The state of the team that the header shows. */
import { AppError } from "../../src/errors/app-error.ts";
import { followTeam } from "../../src/session/team-state.ts";
import type { Writes } from "../../src/writes/open-writes.ts";
import type { Ledger } from "../../src/writes/team/ledger.ts";
import { fakeClock } from "../helpers/clock.ts";

/** Follows a team whose ledger and journal answer with what `now` has. */
function follow(team: string | undefined) {
  const clock = fakeClock();
  const now = { opens: 0, journal: true, ledger: true };
  const openWork: Ledger["openWork"] = async () => {
    if (!now.ledger) throw new AppError("team", "team-unavailable", "away");
    return { people: [], fourEyes: "none" };
  };
  const store = followTeam({
    profile: team === undefined ? {} : { team },
    clock,
    writes: async () => {
      now.opens += 1;
      if (!now.journal) throw new AppError("journal", "read-only", "read-only");
      return {
        context: { team: { ledger: { openWork } } },
      } as unknown as Writes;
    },
  });
  onTestFinished(store.subscribe(() => {}));
  const pass = async () => {
    await clock.untilSleeping();
    await clock.advance(5_000);
    await clock.untilSleeping();
  };
  return { clock, store, now, pass };
}

test("a ledger without an answer is away since the first question, until it answers", async () => {
  const { clock, store, now, pass } = follow("postgresql://127.0.0.1:1/ledger");
  await clock.untilSleeping();
  expect(store.get().awaySince).toBeNull();
  now.ledger = false;
  await pass();
  const since = store.get().awaySince;
  expect(since).not.toBeNull();
  await pass();
  expect(store.get().awaySince).toBe(since);
  now.ledger = true;
  await pass();
  expect(store.get().awaySince).toBeNull();
});

test("a journal that cannot be opened is not reported as the team's absence", async () => {
  const { store, now, pass } = follow("postgresql://127.0.0.1:1/ledger");
  now.journal = false;
  await pass();
  expect(store.get().awaySince).toBeNull();
});

test("without a team, nothing is opened", () => {
  const { now, store } = follow(undefined);
  expect(store.get()).toEqual({
    ...{ awaySince: null, open: [], fourEyes: "none", requests: null },
  });
  expect(now.opens).toBe(0);
});
