import { instantWriter } from "../../src/accounts/shown-instant.ts";
import { checkedWords } from "../../src/text/ages.ts";
import {
  formatInstant,
  shortInstant,
  shownZone,
  utcInstant,
  zoneLabel,
} from "../../src/text/dates.ts";

const NOON = Date.UTC(2026, 10, 20, 13, 0, 5);

describe("instants", () => {
  const before = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = "Europe/Berlin";
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  test("are written in the local zone, with the zone to name beside", () => {
    expect(formatInstant(NOON)).toBe("2026-11-20 14:00:05");
    expect(zoneLabel(NOON)).toBe("UTC+1");
    expect(zoneLabel(Date.UTC(2026, 6, 1))).toBe("UTC+2");
  });

  test("west of Greenwich and odd offsets are named rightly", () => {
    process.env.TZ = "America/St_Johns";
    expect(zoneLabel(NOON)).toBe("UTC-3:30");
    process.env.TZ = "Asia/Kathmandu";
    expect(zoneLabel(NOON)).toBe("UTC+5:45");
  });

  test("can be written in UTC and to the minute", () => {
    expect(formatInstant(NOON, { utc: true })).toBe("2026-11-20 13:00:05");
    expect(formatInstant(NOON, { utc: true, seconds: false })).toBe("2026-11-20 13:00");
  });

  test("are written in UTC everywhere once that zone is chosen", () => {
    onTestFinished(() => shownZone.set("local"));
    const write = instantWriter();
    const bytes = new Uint8Array(32);
    const written = () => new TextDecoder().decode(bytes.subarray(0, write(NOON, bytes, 0)));
    expect(written()).toBe("2026-11-20 14:00:05");
    shownZone.set("utc");
    expect(formatInstant(NOON)).toBe("2026-11-20 13:00:05");
    expect(written()).toBe("2026-11-20 13:00:05");
    expect(zoneLabel(NOON)).toBe("UTC");
    shownZone.set("local");
    expect(written()).toBe("2026-11-20 14:00:05");
  });

  test("are copied in UTC with Z, whatever zone is shown", () => {
    expect(utcInstant(NOON)).toBe("2026-11-20T13:00:05Z");
    expect(utcInstant(Number.NaN)).toBe("");
  });

  test("of today are written without their date, others to the minute", () => {
    expect(shortInstant(NOON, NOON + 3_600_000)).toBe("14:00:05");
    expect(shortInstant(NOON, NOON + 86_400_000)).toBe("2026-11-20 14:00");
  });

  test("that are none say so", () => {
    expect(formatInstant(Number.NaN)).toBe("unreadable time");
  });
});

test("a check is reported in steps that let a screen rest", () => {
  expect(checkedWords(NOON - 9_000, NOON)).toBe("checked just now");
  expect(checkedWords(NOON - 29_000, NOON)).toBe("checked 20 s ago");
  expect(checkedWords(NOON - 130_000, NOON)).toBe("checked 2 min ago");
});
