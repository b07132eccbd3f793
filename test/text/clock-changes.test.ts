/** Promise: a day begins and ends, and a time is shown and read, by the clocks of its zone. */
import { parseFilter } from "../../src/accounts/filter-query.ts";
import { instantWriter } from "../../src/accounts/shown-instant.ts";
import { axisOf } from "../../src/components/created-chart.tsx";
import { lastDayParts } from "../../src/components/figure-words.ts";
import {
  dayBefore,
  formatInstant,
  localZone,
  shortDay,
  startOfDay,
  zoneLabel,
} from "../../src/text/dates.ts";
import { exactDatetime } from "../../src/text/loose-dates.ts";
import { spanEnd, spanStart } from "../../src/text/time-bounds.ts";
import { ageFacts } from "../../src/triage/age-facts.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../accounts/rows.ts";
import { fakeClock } from "../helpers/clock.ts";

const { TZ: zoneBefore = "UTC" } = process.env;
afterEach(() => {
  process.env.TZ = zoneBefore;
});

const hour = 3_600_000;
const day = 24 * hour;
const iso = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");
const at = (text: string) => Date.parse(text);

/** Zone, a time on a day, when that day and the one before it begin, and when it ends. */
const days: readonly (readonly [string, string, string, string, string])[] = [
  // 23 and 25 hours.
  [
    "Europe/Berlin",
    "2026-03-29T18:00:00Z",
    "2026-03-27T23:00:00Z",
    "2026-03-28T23:00:00Z",
    "2026-03-29T22:00:00Z",
  ],
  [
    "Europe/Berlin",
    "2026-10-25T22:30:00Z",
    "2026-10-23T22:00:00Z",
    "2026-10-24T22:00:00Z",
    "2026-10-25T23:00:00Z",
  ],
  [
    "Europe/Berlin",
    "2026-03-29T22:30:00Z",
    "2026-03-28T23:00:00Z",
    "2026-03-29T22:00:00Z",
    "2026-03-30T22:00:00Z",
  ],
  [
    "America/New_York",
    "2026-03-08T20:00:00Z",
    "2026-03-07T05:00:00Z",
    "2026-03-08T05:00:00Z",
    "2026-03-09T04:00:00Z",
  ],
  [
    "America/New_York",
    "2026-11-01T05:30:00Z",
    "2026-10-31T04:00:00Z",
    "2026-11-01T04:00:00Z",
    "2026-11-02T05:00:00Z",
  ],
  [
    "America/New_York",
    "2026-11-01T06:30:00Z",
    "2026-10-31T04:00:00Z",
    "2026-11-01T04:00:00Z",
    "2026-11-02T05:00:00Z",
  ],
  // Half an hour.
  [
    "Australia/Lord_Howe",
    "2026-04-05T00:00:00Z",
    "2026-04-03T13:00:00Z",
    "2026-04-04T13:00:00Z",
    "2026-04-05T13:30:00Z",
  ],
  [
    "Australia/Lord_Howe",
    "2026-10-04T00:00:00Z",
    "2026-10-02T13:30:00Z",
    "2026-10-03T13:30:00Z",
    "2026-10-04T13:00:00Z",
  ],
  [
    "Asia/Kathmandu",
    "2026-11-20T18:20:00Z",
    "2026-11-19T18:15:00Z",
    "2026-11-20T18:15:00Z",
    "2026-11-21T18:15:00Z",
  ],
  // Midnight is skipped, and comes twice.
  [
    "Africa/Cairo",
    "2026-04-24T12:00:00Z",
    "2026-04-22T22:00:00Z",
    "2026-04-23T22:00:00Z",
    "2026-04-24T21:00:00Z",
  ],
  [
    "America/Havana",
    "2026-11-01T12:00:00Z",
    "2026-10-31T04:00:00Z",
    "2026-11-01T04:00:00Z",
    "2026-11-02T05:00:00Z",
  ],
  [
    "UTC",
    "2026-03-29T18:00:00Z",
    "2026-03-28T00:00:00Z",
    "2026-03-29T00:00:00Z",
    "2026-03-30T00:00:00Z",
  ],
];

describe.each(days)("TZ=%s at %s", (TZ, now, yesterday, today, tomorrow) => {
  const typed = () => ({ now: at(now), timeZone: localZone() });
  const start = (text: string) => {
    const edge = spanStart(text, typed());
    return edge.ok ? iso(edge.ms) : edge.message;
  };

  test("today and yesterday begin with their first minute, in options and in filters", () => {
    process.env.TZ = TZ;
    expect([start("yesterday"), start("today")]).toEqual([yesterday, today]);
    const end = spanEnd("today", typed());
    expect(end.ok && iso(end.ms)).toBe(tomorrow);
    for (const word of ["yesterday", "today"]) {
      const { words, problem } = parseFilter(`since:${word}`, at(now));
      expect(problem).toBeNull();
      expect(words).toMatchObject([{ kind: "since", ms: at(start(word)) }]);
    }
  });

  test("is:new is not in the last list before today", async () => {
    process.env.TZ = TZ;
    expect(iso(startOfDay(at(now)))).toBe(today);
    const clock = fakeClock(at(today) - 60_000);
    const observations = await openObservations({
      folder: null,
      origin: "https://x.example",
      clock,
      recording: true,
    });
    const list = (...rows: Row[]) => {
      const recorder = observations.begin("ACME", clock.now());
      recorder.take(batchOf(rows));
      return recorder.finish();
    };
    await list(["OLD"]);
    await clock.advance(60_000);
    await list(["OLD"], ["NEW"]);
    await clock.advance(at(now) - clock.now());
    const isNew = async () => {
      const ages = await observations.ages("ACME");
      const facts = ageFacts(ages, clock.now());
      return ["OLD", "NEW"].map((number) => facts.isNew(ages?.rowOf(number) ?? -1));
    };
    expect(await isNew()).toEqual([false, true]);
    await clock.advance(at(tomorrow) - 1 - clock.now());
    expect(await isNew()).toEqual([false, true]);
    await clock.advance(1);
    expect(await isNew()).toEqual([false, false]);
    await observations.close();
  });

  test("the day before is named by the calendar, not by 24 hours", () => {
    process.env.TZ = TZ;
    expect(dayBefore(at(now))).toBe(formatInstant(at(today) - 1).slice(0, 10));
    const lastDay = { imported: 0, staged: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 };
    const words = (since: number) => {
      const history = { lastDay, gone: null, since } as Parameters<typeof lastDayParts>[0];
      return lastDayParts(history, at(now)).flat()[0]?.text;
    };
    const late = at(now) - day;
    const shown = formatInstant(late, { seconds: false });
    const [date = "", time = ""] = shown.split(" ");
    const name = late >= at(today) ? time : late >= at(yesterday) ? `yesterday ${time}` : shown;
    expect(words(late - hour)).toBe(`No changes since ${name}.`);
    expect(date).not.toBe("");
  });

  test("a list writes each quarter of an hour as every screen does", () => {
    process.env.TZ = TZ;
    const write = instantWriter();
    const bytes = new Uint8Array(64);
    for (let time = at(yesterday); time < at(tomorrow) + day; time += 450_000) {
      const end = write(time, bytes, 0);
      expect(new TextDecoder().decode(bytes.subarray(0, end))).toBe(formatInstant(time));
    }
  });
});

/** Zone, what is typed on the day of the change, and what is sent: the first of two, or a refusal. */
test.each([
  [
    "Europe/Berlin",
    "2026-10-25 02:30",
    "2026-10-25T02:30:00+02:00",
    /twice; the second is 2026-10-25T02:30:00\+01:00/,
  ],
  ["Europe/Berlin", "2026-03-29 02:30", null, /skip that time/],
  ["Europe/Berlin", "2026-03-29 03:00", "2026-03-29T03:00:00+02:00", null],
  [
    "America/New_York",
    "2026-11-01 01:30",
    "2026-11-01T01:30:00-04:00",
    /twice; the second is 2026-11-01T01:30:00-05:00/,
  ],
  ["America/New_York", "2026-03-08 02:30", null, /skip that time/],
  [
    "Australia/Lord_Howe",
    "2026-04-05 01:45",
    "2026-04-05T01:45:00+11:00",
    /twice; the second is 2026-04-05T01:45:00\+10:30/,
  ],
  ["Australia/Lord_Howe", "2026-10-04 02:15", null, /skip that time/],
  ["Australia/Lord_Howe", "2026-10-04 02:30", "2026-10-04T02:30:00+11:00", null],
  ["Asia/Kathmandu", "2026-11-20 02:30", "2026-11-20T02:30:00+05:45", null],
  ["America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00", /twice/],
  ["Africa/Cairo", "2026-04-24", null, /skip that time/],
] as const)("TZ=%s: %s is %s", (TZ, typed, text, words) => {
  process.env.TZ = TZ;
  const exact = exactDatetime(typed, { now: at("2026-06-01T00:00:00Z"), timeZone: localZone() });
  expect(exact.ok ? exact.text : null).toBe(text);
  const said = exact.ok ? (exact.note ?? "") : exact.message;
  if (words === null) expect(said).toBe("");
  else expect(said).toMatch(words);
});

test("the zone in the header distinguishes the two hours of a clock change", () => {
  process.env.TZ = "Europe/Berlin";
  const [first, second] = [at("2026-10-25T00:30:00Z"), at("2026-10-25T01:30:00Z")];
  expect(formatInstant(first)).toBe(formatInstant(second));
  expect([zoneLabel(first), zoneLabel(second)]).toEqual(["UTC+2", "UTC+1"]);
  process.env.TZ = "Asia/Kathmandu";
  expect(zoneLabel(first)).toBe("UTC+5:45");
});

test.each([
  ["Europe/Berlin", "2026-04-10T12:00:00Z", "2026-03-20"],
  ["Europe/Berlin", "2026-11-10T12:00:00Z", "2026-10-20"],
  ["Australia/Lord_Howe", "2026-10-20T12:00:00Z", "2026-09-20"],
  ["America/New_York", "2026-03-20T12:00:00Z", "2026-03-01"],
  ["Asia/Kathmandu", "2026-03-20T12:00:00Z", "2026-03-01"],
])(
  "TZ=%s: a chart of days is labeled with the first day, before a change of the clocks",
  (TZ, now, first) => {
    process.env.TZ = TZ;
    // Days of the zone as it is now, as figures count them.
    const offset = -new Date(at(now)).getTimezoneOffset() * 60_000;
    const startMs = at(`${first}T00:00:00Z`) - offset;
    const count = Math.floor((at(now) - startMs) / day) + 1;
    const axis = axisOf({ startMs, bucketMs: day, counts: new Array(count).fill(1) }, 2, at(now));
    expect(axis).toMatch(new RegExp(`^${shortDay(at(`${first}T12:00:00Z`), at(now))} `));
    const mondays = [...axis.matchAll(/Mo (\d+ \w+)/g)];
    expect(mondays.length).toBeGreaterThan(0);
    for (const [, shown, place] of mondays.map((found) => [...found, found.index] as const)) {
      const date = new Date(at(`${first}T12:00:00Z`) + (Number(place) / 2) * day);
      expect(date.getUTCDay()).toBe(1);
      expect(shortDay(date.getTime(), at(now))).toBe(shown);
    }
  },
);
