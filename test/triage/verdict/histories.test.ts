import { coarseAge, formatAge } from "../../../src/text/ages.ts";
import { utcInstant } from "../../../src/text/dates.ts";
import { minuteMs } from "../../../src/text/durations.ts";
import { importPace } from "../../../src/triage/import-pace.ts";
import { type ListedAccount, verdictOf } from "../../../src/triage/verdict.ts";
import { verdictCells, verdictTimes, verdictWords } from "../../../src/triage/verdict-words.ts";
import { notFound, observe, type Transition } from "../../../src/watch/timeline.ts";
import * as fc from "../../helpers/fast-check.ts";

/** One observation of an account: a check of its status, or a list, with or without the account. */
type Event =
  | { readonly kind: "check"; readonly state: string; readonly at: number }
  | {
      readonly kind: "list";
      readonly state: "pending" | "imported" | "absent";
      readonly at: number;
    };

const start = Date.parse("2026-11-28T00:00:00Z");
const states = ["UNKNOWN", "IN_PROGRESS", "COMPLETED", notFound, "PAUSED_BY_PLATFORM"];

const histories = fc
  .array(
    fc.record({
      kind: fc.constantFrom("check", "list"),
      state: fc.constantFrom(...states),
      listed: fc.constantFrom("pending", "pending", "imported", "absent"),
      gapMs: fc.constantFrom(5_000, minuteMs, 20 * minuteMs, 300 * minuteMs),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    let at = start;
    return steps.map(({ kind, state, listed, gapMs }): Event => {
      at += gapMs;
      return kind === "check"
        ? { kind: "check", state, at }
        : { kind: "list", state: listed as "pending", at };
    });
  });

/** Returns the accounts of the lists as the stored observations have them. */
function listedAfter(events: readonly Event[]): ListedAccount | null {
  let listed = null as ListedAccount | null;
  let wasImported = false;
  for (const { kind, state, at } of events) {
    if (kind !== "list") continue;
    const before = listed;
    const none = { at, leftAt: null, pendingSince: null, pendingUntil: null, createdAt: null };
    if (state === "imported") {
      wasImported = true;
      listed = { ...none, state };
    } else if (state === "pending") {
      const isSame = before?.state === "pending";
      listed = { ...none, state, pendingSince: isSame ? (before?.pendingSince ?? at) : at };
    } else if (before !== null) {
      const isLeaving = before.state === "pending" || before.state === "imported";
      listed = isLeaving
        ? {
            ...before,
            at,
            leftAt: at,
            state: before.state === "pending" && !wasImported ? "gone" : "removed",
            pendingUntil: before.state === "pending" ? before.at : null,
            pendingSince: wasImported ? null : before.pendingSince,
          }
        : { ...before, at };
    }
  }
  return listed;
}

function timelineAfter(events: readonly Event[]): readonly Transition[] {
  return events.reduce<readonly Transition[]>(
    (timeline, { kind, state, at }) =>
      kind === "check" ? observe(timeline, { state }, at) : timeline,
    [],
  );
}

const pace = await importPace("ACME", null, Array(20).fill(4 * minuteMs));

function verdictAfter(events: readonly Event[], now: number, isAway: boolean) {
  return verdictOf({
    kind: "account",
    timeline: timelineAfter(events),
    listed: listedAfter(events),
    pace,
    everyMs: 5_000,
    isAway,
    now,
  });
}

/** Returns true if an observation showed the account in the state of a verdict. */
function shows({ kind, state }: Event, wanted: string | null): boolean {
  if (kind === "list" && state === "absent") return wanted === "gone" || wanted === "removed";
  return state === wanted;
}

test("no verdict has a time of another state, and no age exceeds what was checked", () => {
  fc.assert(
    fc.property(histories, fc.boolean(), fc.nat(40), (events, isAway, minutes) => {
      const newest = events.at(-1)?.at ?? start;
      const now = newest + minutes * minuteMs;
      const verdict = verdictAfter(events, now, isAway);
      const { state, since, checkedAt, pendingSince, pendingUntil, wasPending } = verdict;
      if (state === null || since === null) return;
      const own = events.filter((event) => shows(event, state)).map(({ at }) => at);
      const lists = events
        .filter((event) => event.kind === "list" && event.state === "pending")
        .map(({ at }) => at);
      // The start is an observation of this state, and no check before the last one denies it.
      expect(own).toContain(since.at);
      expect(checkedAt).toBeLessThanOrEqual(newest);
      const denials = events.filter(
        (event) =>
          event.kind === (verdict.isListed ? "list" : "check") &&
          event.at > since.at &&
          event.at <= (checkedAt ?? 0) &&
          !shows(event, state),
      );
      if (state !== "gone" && state !== "removed") expect(denials).toEqual([]);
      // The pending time is of lists, and ends with a list or with a check without an account.
      if (pendingSince !== null) expect(lists).toContain(pendingSince);
      if (pendingUntil !== null) {
        const open = events.filter(
          (event) =>
            (event.kind === "list" && event.state === "pending") ||
            (!wasPending && event.kind === "check" && event.state === state),
        );
        expect(open.map(({ at }) => at)).toContain(pendingUntil);
      }
      // Each sentence has only these times, each behind its own word.
      const sentence = verdictTimes(verdict, utcInstant).join(", ");
      const named = [...sentence.matchAll(/(\w+(?: \w+)?) (2026\S+Z)/g)].map(([, word, at]) => [
        word,
        at,
      ]);
      for (const [word = "", at = ""] of named) {
        const time = Date.parse(at);
        if (word.startsWith("pending")) expect(time).toBe(pendingSince);
        else if (word === "began after" || word === "checked at" || word === "listed at")
          expect([since.after, checkedAt]).toContain(time);
        else expect(time).toBe(since.at);
      }
      // A cell says that an account was just seen only of a check or list of this minute.
      if (verdictCells(verdict, now, utcInstant).since.includes("just seen"))
        expect(now - (checkedAt ?? 0)).toBeLessThan(minuteMs);
    }),
    { numRuns: 2_000 },
  );
});

/** The ages in a sentence or a cell: `for at least 20 min`, `for 5 s`, `≥ 5 h`. */
const agePattern = /(?:for at least|for|≥) (a few seconds|\d+ (?:s|min|h|d)(?: \d+ (?:min|h))?)/g;

/** Returns the forms in which an age can be written. */
function formsOf(from: number | null | undefined, until: number | null): readonly string[] {
  if (from == null || until === null) return [];
  const ms = until - from;
  return [formatAge(ms), coarseAge(ms), `${Math.max(1, Math.floor(ms / 1_000))} s`];
}

test("each age in a sentence and in a cell is of the state, or of the pending time, as checked", () => {
  let ages = 0;
  fc.assert(
    fc.property(histories, fc.boolean(), fc.nat(4_000), (events, isAway, minutes) => {
      const now = (events.at(-1)?.at ?? start) + minutes * minuteMs;
      const verdict = verdictAfter(events, now, isAway);
      const { since, checkedAt, pendingSince, pendingUntil } = verdict;
      const known = [...formsOf(since?.at, checkedAt), ...formsOf(pendingSince, pendingUntil)];
      const texts = [
        ...verdictWords(verdict, now, utcInstant).tails,
        verdictCells(verdict, now, utcInstant).since,
      ];
      for (const text of texts)
        for (const [, age] of text.matchAll(agePattern)) {
          ages += 1;
          expect(known, text).toContain(age);
        }
    }),
    { numRuns: 2_000 },
  );
  expect(ages).toBeGreaterThan(1_000);
});

test("no age of an open state grows while the service is away", () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 3_000 }), (events, minutes) => {
      const newest = events.at(-1)?.at ?? start;
      const [soon, later] = [newest + minuteMs, newest + (1 + minutes) * minuteMs];
      const [before, after] = [soon, later].map((now) => {
        const verdict = verdictAfter(events, now, true);
        const { tails } = verdictWords(verdict, now, utcInstant);
        const ages = tails.map((tail) => tail.replace(/(just now|[\w ]+ ago)/g, ""));
        return { ages, since: verdictCells(verdict, now, utcInstant).since, usual: verdict.usual };
      });
      expect(after).toEqual(before);
    }),
    { numRuns: 2_000 },
  );
});
