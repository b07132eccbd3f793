import { forms } from "../../src/forms/forms.ts";
import { exactText, withExactDates } from "../../src/forms/values-json.ts";
import { exactDate, exactDatetime } from "../../src/text/loose-dates.ts";
import { typedAt } from "../forms/payloads.ts";
import * as fc from "../helpers/fast-check.ts";

const told = (exact: ReturnType<typeof exactDate>) => (exact.ok ? exact.text : exact.message);

describe("typed on 20 November 2026 at 10:30:05 in Berlin", () => {
  test.each([
    ["today", "2026-11-20", "2026-11-20T00:00:00+01:00"],
    ["Yesterday", "2026-11-19", "2026-11-19T00:00:00+01:00"],
    ["tomorrow", "2026-11-21", "2026-11-21T00:00:00+01:00"],
    ["now", "2026-11-20", "2026-11-20T10:30:05+01:00"],
    ["-3d", "2026-11-17", "2026-11-17T10:30:05+01:00"],
    ["+2w", "2026-12-04", "2026-12-04T10:30:05+01:00"],
    ["-1mo", "2026-10-20", "2026-10-20T10:30:05+02:00"],
    ["+1y", "2027-11-20", "2027-11-20T10:30:05+01:00"],
    ["2026-11-20", "2026-11-20", "2026-11-20T00:00:00+01:00"],
    ["2026-7-1", "2026-07-01", "2026-07-01T00:00:00+02:00"],
    ["20.11.2026", "2026-11-20", "2026-11-20T00:00:00+01:00"],
    ["20.11.26", "2026-11-20", "2026-11-20T00:00:00+01:00"],
    ["1.9.26", "2026-09-01", "2026-09-01T00:00:00+02:00"],
    ["01.01.46", "2046-01-01", "2046-01-01T00:00:00+01:00"],
    ["01.01.47", "1947-01-01", "1947-01-01T00:00:00+01:00"],
    [" 1.7.2026 ", "2026-07-01", "2026-07-01T00:00:00+02:00"],
  ])("%j is %s, or %s", (typed, date, datetime) => {
    expect(told(exactDate(typed, typedAt))).toBe(date);
    expect(told(exactDatetime(typed, typedAt))).toBe(datetime);
  });

  test.each([
    ["2026-11-20 14:00", "2026-11-20T14:00:00+01:00"],
    ["2026-11-20T14:00:09", "2026-11-20T14:00:09+01:00"],
    ["1.9.26 9:05", "2026-09-01T09:05:00+02:00"],
    ["20.11.2026 9:05", "2026-11-20T09:05:00+01:00"],
    ["14:00", "2026-11-20T14:00:00+01:00"],
    ["yesterday 09:30", "2026-11-19T09:30:00+01:00"],
    ["-3d 14:00", "2026-11-17T14:00:00+01:00"],
    ["-2h", "2026-11-20T08:30:05+01:00"],
    ["+90min", "2026-11-20T12:00:05+01:00"],
    ["2026-11-20T14:00:00Z", "2026-11-20T14:00:00Z"],
    ["2026-11-20T14:00:00.125-02:30", "2026-11-20T14:00:00.125-02:30"],
    ["2026-11-20 14:00 utc", "2026-11-20T14:00:00Z"],
    ["2026-11-20 14:00 +0530", "2026-11-20T14:00:00+05:30"],
    ["2026-03-29 02:30Z", "2026-03-29T02:30:00Z"],
  ])("%j is %s", (typed, datetime) => {
    expect(told(exactDatetime(typed, typedAt))).toBe(datetime);
  });

  test.each([
    ["1/9/26", /2026-09-01 or 2026-01-09/],
    ["1/2/2026", /2026-02-01 or 2026-01-02/],
    ["24/11/2026", /Write 2026-11-24\./],
    ["2026/9/1", /2026-01-09 or 2026-09-01/],
    ["31/4/2026", /no such day/],
    ["2026-02-30", /no such day/],
    ["constructor", /Write a (date|time) such as/],
    ["31.4.2026", /no such day/],
    ["2026-13-01", /no such day/],
    ["31.4.26", /no such day/],
    ["1.9.126", /Write a/],
    ["-3m", /mo for months or min/],
    ["next week", /Write a/],
    ["+999999y", /no such day/],
  ])("%j is not guessed at", (typed, message) => {
    expect(told(exactDate(typed, typedAt))).toMatch(message);
    expect(told(exactDatetime(typed, typedAt))).toMatch(message);
  });

  test.each([
    ["24:00", /no such time/],
    ["2026-11-20 12:60", /no such time/],
    ["2026-11-20 14:00 +25:00", /no such time zone/],
    ["2026-11-20 noon", /Write a time/],
  ])("%j is no time", (typed, message) => {
    expect(told(exactDatetime(typed, typedAt))).toMatch(message);
  });

  test("a time of day is no date", () => {
    expect(exactDate("2026-11-20 14:00", typedAt).ok).toBe(false);
  });
});

describe("when the clocks change", () => {
  test("a skipped time is refused", () => {
    expect(told(exactDatetime("2026-03-29 02:30", typedAt))).toMatch(/clocks skip/);
  });

  test("of a time shown twice the first is taken, and that is said", () => {
    expect(exactDatetime("2026-10-25 02:30", typedAt)).toEqual({
      ok: true,
      text: "2026-10-25T02:30:00+02:00",
      note: "The clocks show that time twice; the second is 2026-10-25T02:30:00+01:00.",
    });
  });

  test("a day less is the same time of day, or right after the gap", () => {
    const monday = { ...typedAt, now: Date.UTC(2026, 2, 30, 0, 30) };
    expect(told(exactDatetime("-1d", monday))).toBe("2026-03-29T03:30:00+02:00");
    expect(told(exactDatetime("-2d", monday))).toBe("2026-03-28T02:30:00+01:00");
  });

  test("the last day of a shorter month", () => {
    const march = { now: Date.UTC(2024, 2, 31, 12), timeZone: "UTC" };
    expect(told(exactDate("-1mo", march))).toBe("2024-02-29");
    expect(told(exactDate("-13mo", march))).toBe("2023-02-28");
  });
});

test("UTC is written as Z, and a zone of half an hour as it is", () => {
  const noon = (timeZone: string) => told(exactDatetime("2026-07-01 12:00", { now: 0, timeZone }));
  expect(noon("UTC")).toBe("2026-07-01T12:00:00Z");
  expect(noon("Asia/Kolkata")).toBe("2026-07-01T12:00:00+05:30");
  expect(noon("America/St_Johns")).toBe("2026-07-01T12:00:00-02:30");
});

test("the day depends on the zone", () => {
  const now = Date.UTC(2026, 10, 20, 11);
  expect(told(exactDate("today", { now, timeZone: "Pacific/Auckland" }))).toBe("2026-11-21");
  expect(told(exactDate("today", { now, timeZone: "Pacific/Pago_Pago" }))).toBe("2026-11-20");
});

test("any instant, written exactly, is the same instant and stays as it is written", () => {
  const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe");
  const instants = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(instants, zones, (now, timeZone) => {
      const exact = told(exactDatetime("now", { now, timeZone }));
      expect(Date.parse(exact)).toBe(Math.floor(now / 1000) * 1000);
      expect(told(exactDatetime(exact, typedAt))).toBe(exact);
    }),
  );
});

describe("what will be sent is known before", () => {
  test.each([
    [{ type: "date" }, "-3d", "2026-11-17"],
    [{ type: "amount" }, "+1.10", "1.10"],
    [{ type: "boolean" }, "Yes", "true"],
    [{ type: "boolean" }, "off", "false"],
    [{ type: "text" }, " a b ", "a b"],
    [{ type: "multiline" }, " a\n", " a\n"],
    [{ type: "datetime" }, " ", ""],
  ] as const)("%o: %j is sent as %j", (leaf, typed, text) => {
    expect(exactText(leaf, typed, typedAt)).toEqual({ ok: true, text });
  });

  test("what cannot be read says why", () => {
    expect(exactText({ type: "boolean" }, "maybe", typedAt)).toEqual({
      ok: false,
      message: "Write yes or no.",
    });
  });
});

test("a kept draft holds the days that were meant when they were typed", () => {
  const form = forms["supply-points"];
  const account = { customer_at_supply_address_from_date: "today", account_type: "today" };
  const values = { accounts: [account, { customer_at_supply_address_from_date: "someday" }] };
  expect(withExactDates(form, values, typedAt)).toEqual({
    accounts: [
      { customer_at_supply_address_from_date: "2026-11-20", account_type: "today" },
      { customer_at_supply_address_from_date: "someday" },
    ],
  });
});
