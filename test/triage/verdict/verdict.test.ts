import { utcInstant } from "../../../src/text/dates.ts";
import { minuteMs } from "../../../src/text/durations.ts";
import { widthOf } from "../../../src/text/width.ts";
import { type ImportPace, usualDuration } from "../../../src/triage/import-pace.ts";
import { type ListedAccount, type VerdictFacts, verdictOf } from "../../../src/triage/verdict.ts";
import { tailIn, verdictTimes, verdictWords } from "../../../src/triage/verdict-words.ts";
import { notFound, observe, type Transition } from "../../../src/watch/timeline.ts";

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = "UTC";
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const now = Date.parse("2026-11-28T19:22:00Z");
/** The time `minutes` before now. */
const ago = (minutes: number) => now - minutes * minuteMs;

/** A timeline of checks: the state, and the minutes before now of its first and last check. */
function checks(...states: readonly (readonly [string, number, number])[]): readonly Transition[] {
  return states.map(([state, first, last]) => ({
    state,
    firstSeenAt: ago(first),
    lastSeenAt: ago(last),
  }));
}

const pending = (since: number, at = 0): ListedAccount => ({
  state: "pending",
  at: ago(at),
  leftAt: null,
  pendingSince: ago(since),
  pendingUntil: null,
  createdAt: null,
});
const gone: ListedAccount = {
  ...pending(38, 0),
  state: "gone",
  leftAt: ago(10),
  pendingUntil: ago(11),
};
const imported: ListedAccount = {
  ...pending(0),
  state: "imported",
  pendingSince: null,
  createdAt: ago(60),
};

const usual = { medianMs: 4 * minuteMs, slowMs: 10 * minuteMs, stuckMs: 40 * minuteMs };
const pace: ImportPace = {
  supplier: "ACME",
  pending: usual,
  inProgress: usual,
  list: { at: now, importedLastHour: 44, newestAt: ago(1), stuck: 0 },
};

const account = {
  kind: "account",
  timeline: [],
  listed: null,
  pace: null,
  everyMs: 5_000,
  now,
} as const satisfies VerdictFacts;

/** The first line and the sentence about the others. */
function said(facts: Partial<VerdictFacts>, columns = 200): string {
  const words = verdictWords(verdictOf({ ...account, ...facts }), now);
  const line = `${words.badge.mark} ${words.badge.label}${tailIn(words, columns)}`;
  return words.others === null ? line : `${line} | ${words.others}`;
}

describe("the first line of an account", () => {
  test.each<[string, Partial<VerdictFacts>, string]>([
    ["is unknown before the first check", {}, "– not seen yet"],
    [
      "has the exact start of a state that began between two checks",
      { timeline: checks(["UNKNOWN", 30, 6], ["IN_PROGRESS", 5, 0]) },
      "● IN_PROGRESS for 5 min, since 19:17:00",
    ],
    [
      "has a lower bound if the first check found the state",
      { timeline: checks(["IN_PROGRESS", 22, 0]) },
      "● IN_PROGRESS for at least 22 min",
    ],
    [
      "has the last check before a state that began while nothing was checked",
      { timeline: checks(["UNKNOWN", 90, 60], ["IN_PROGRESS", 22, 0]) },
      "● IN_PROGRESS for at least 22 min; it began after 18:22:00",
    ],
    [
      "has the pending time as a second figure",
      { timeline: checks(["IN_PROGRESS", 5, 0]), listed: pending(28) },
      "● IN_PROGRESS for at least 5 min, pending for at least 28 min",
    ],
    [
      "has only the pending time if nothing was tried since then",
      { timeline: checks(["UNKNOWN", 5, 0]), listed: pending(28) },
      "○ UNKNOWN, pending for at least 28 min",
    ],
    [
      "has the state of a list if nothing was checked",
      { listed: pending(28) },
      "○ pending for at least 28 min",
    ],
    [
      "has the machines of a team after the pending time that their lists show",
      { timeline: checks(["IN_PROGRESS", 5, 0]), listed: { ...pending(28), machines: 4 } },
      "● IN_PROGRESS for at least 5 min, pending for at least 28 min, by 4 machines",
    ],
    [
      "has the machines of a team after the state of a list",
      { listed: { ...pending(28), machines: 1 } },
      "○ pending for at least 28 min, by 1 machine",
    ],
    [
      "has the creation time of an account that is imported",
      { timeline: checks(["COMPLETED", 5, 0]), listed: imported },
      "✓ COMPLETED, created 1 h ago",
    ],
    [
      "is as current as the list that confirms it",
      { timeline: checks(["COMPLETED", 50, 15]), listed: imported },
      "✓ COMPLETED, created 1 h ago",
    ],
    [
      "has the failure and its time, and not the pending time instead",
      { timeline: checks(["IN_PROGRESS", 9, 3], ["UNKNOWN", 2, 0]), listed: pending(58) },
      "✗ UNKNOWN (failed) since 19:20:00, pending for at least 58 min",
    ],
    [
      "has the time of a final state that is not checked again",
      { timeline: checks(["IN_PROGRESS", 90, 61], ["UNKNOWN", 60, 60]), everyMs: null },
      "✗ UNKNOWN (failed) since 18:22:00",
    ],
    [
      "begins with gone if a check confirms it",
      { timeline: checks([notFound, 5, 0]), listed: { ...gone, at: ago(6) } },
      "✗ gone since 19:12:00, NOT FOUND (404); it was pending for at least 27 min",
    ],
    [
      "has no time for which an account was pending that only one list had",
      {
        timeline: checks([notFound, 5, 0]),
        listed: { ...gone, at: ago(6), pendingUntil: gone.pendingSince },
      },
      "✗ gone since 19:12:00, NOT FOUND (404)",
    ],
    [
      "begins with gone if the list is newer than the check",
      { timeline: checks(["UNKNOWN", 30, 12]), listed: gone },
      "✗ gone since 19:12:00, UNKNOWN; it was pending for at least 27 min",
    ],
    [
      "has a check that is newer than the list, in which the account is gone",
      { timeline: checks(["IN_PROGRESS", 5, 0]), listed: { ...gone, at: ago(6) } },
      "● IN_PROGRESS for at least 5 min",
    ],
    [
      "has a list that is newer than the check",
      { timeline: checks(["IN_PROGRESS", 80, 70]), listed: imported },
      "✓ imported, created 1 h ago",
    ],
    [
      "is about the last check if the service is away",
      { timeline: checks(["IN_PROGRESS", 39, 17]), isAway: true },
      "● IN_PROGRESS when last checked, 17 min ago; then for at least 22 min",
    ],
    [
      "is about the last check if that is older than three intervals",
      { timeline: checks(["IN_PROGRESS", 39, 17]) },
      "● IN_PROGRESS when last checked, 17 min ago; then for at least 22 min",
    ],
    [
      "is about the last list if that is old and nothing was checked",
      { listed: pending(39, 17) },
      "○ pending when last listed, 17 min ago; then for at least 22 min",
    ],
    [
      "was pending if the service does not find it anymore",
      { timeline: checks([notFound, 5, 0]), listed: pending(38, 10) },
      "✗ NOT FOUND (404) for at least 5 min; it was pending for at least 28 min",
    ],
    [
      "is about the last check if the service just went away",
      { timeline: checks(["IN_PROGRESS", 39, 0]), isAway: true },
      "● IN_PROGRESS when last checked, just now; then for at least 39 min",
    ],
  ])("%s", (_, facts, line) => {
    expect(said(facts)).toBe(line);
  });

  test.each<[string, number, Partial<VerdictFacts>, string]>([
    [
      "as usual",
      3,
      {},
      "● IN_PROGRESS for at least 3 min: as usual (others of ACME take 4 min) | ACME imported 44 in the last hour, the newest 1 min ago.",
    ],
    [
      "slow",
      12,
      {},
      "● IN_PROGRESS for at least 12 min: slow (others of ACME take 4 min) | Only this one: ACME imported 44 in the last hour, the newest 1 min ago.",
    ],
    [
      "stuck",
      50,
      { pace: { ...pace, list: { at: now, importedLastHour: 0, newestAt: ago(72), stuck: 11 } } },
      "● IN_PROGRESS for at least 50 min: stuck (others of ACME take 4 min) | Not only this one: 11 others are stuck, nothing imported since 18:10:00.",
    ],
    [
      "stuck by a list of an hour ago",
      50,
      {
        pace: { ...pace, list: { at: ago(60), importedLastHour: 44, newestAt: ago(61), stuck: 1 } },
      },
      "● IN_PROGRESS for at least 50 min: stuck (others of ACME take 4 min) | Not only this one: 1 other is stuck, ACME imported 44 in the hour before 18:22:00.",
    ],
    [
      "not judged below twenty durations",
      50,
      { pace: { ...pace, pending: null, inProgress: null, list: null } },
      "● IN_PROGRESS for at least 50 min",
    ],
  ])("judges an import that is %s", (_, minutes, facts, line) => {
    expect(said({ timeline: checks(["IN_PROGRESS", minutes, 0]), pace, ...facts })).toBe(line);
  });

  test("does not count the account itself among the others that are stuck", () => {
    const list = { at: now, importedLastHour: 2, newestAt: ago(1), stuck: 1 };
    const verdict = verdictOf({ ...account, listed: pending(90), pace: { ...pace, list } });
    expect(verdict.usual?.kind).toBe("stuck");
    expect(verdict.others?.stuck).toBe(0);
  });

  test.each([60, 80])(
    "is never cut at %i columns, and keeps the state and the judgment",
    (columns) => {
      const timelines = [
        checks(["IN_PROGRESS", 39_000, 0]),
        checks(["UNKNOWN", 50_000, 40_000], ["IN_PROGRESS", 39_000, 0]),
        checks(["IN_PROGRESS", 39_000, 30], ["UNKNOWN", 29, 0]),
        checks(["IN_PROGRESS", 39_000, 17]),
        checks([notFound, 3_000, 0]),
      ];
      for (const timeline of timelines)
        for (const listed of [null, pending(40_000), gone]) {
          const verdict = verdictOf({ ...account, timeline, listed, pace });
          const words = verdictWords(verdict, now);
          const line = `${words.badge.mark} ${words.badge.label}${tailIn(words, columns)}`;
          expect(widthOf(line), line).toBeLessThanOrEqual(columns);
          if (verdict.usual !== null) expect(line).toContain("stuck");
        }
    },
  );
});

test.each([72, 60, 50])(
  "a gone account keeps how long it was pending, at %i columns",
  (columns) => {
    const line = said(
      { timeline: checks([notFound, 5, 0]), listed: { ...gone, at: ago(6) } },
      columns,
    );
    expect(line).toBe("✗ gone since 19:12:00, 404; was pending ≥ 27 min");
  },
);

test("the line for a colleague has each time with its own source", () => {
  const times = (facts: Partial<VerdictFacts>) =>
    verdictTimes(verdictOf({ ...account, ...facts }), utcInstant).join(", ");
  expect(times({ timeline: checks(["IN_PROGRESS", 9, 0]), listed: pending(38) })).toBe(
    "since 2026-11-28T19:13:00Z or earlier, pending since 2026-11-28T18:44:00Z or earlier",
  );
  expect(times({ timeline: checks([notFound, 5, 0]), listed: { ...gone, at: ago(6) } })).toBe(
    "since 2026-11-28T19:12:00Z or earlier, NOT FOUND (404), it was pending since 2026-11-28T18:44:00Z or earlier",
  );
  expect(times({ timeline: checks(["IN_PROGRESS", 39, 17]), pace })).toBe(
    "when last checked at 2026-11-28T19:05:00Z, since 2026-11-28T18:43:00Z or earlier, slow (others of ACME take 4 min)",
  );
});

test("a usual duration needs twenty durations, and nothing is stuck before half an hour", () => {
  const minutes = Array.from({ length: 20 }, (_, at) => (at + 1) * minuteMs);
  expect(usualDuration(minutes.slice(1))).toBeNull();
  expect(usualDuration(minutes)).toEqual({
    medianMs: 10 * minuteMs,
    slowMs: 18 * minuteMs,
    stuckMs: 100 * minuteMs,
  });
  expect(usualDuration(Array(20).fill(1_000))?.stuckMs).toBe(30 * minuteMs);
});

test("a state that is checked again keeps its start", () => {
  const timeline = observe(checks(["IN_PROGRESS", 22, 5]), { state: "IN_PROGRESS" }, now);
  expect(verdictOf({ ...account, timeline }).since).toMatchObject({ at: ago(22), isExact: false });
});
