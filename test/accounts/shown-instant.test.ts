import { instantWriter } from "../../src/accounts/shown-instant.ts";
import { formatInstant } from "../../src/text/dates.ts";
import * as fc from "../helpers/fast-check.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const decoder = new TextDecoder();

function written(ms: number, write = instantWriter()): string {
  const bytes = new Uint8Array(40);
  return decoder.decode(bytes.subarray(3, write(ms, bytes, 3)));
}

test.each(["UTC", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York", "Africa/Monrovia"])(
  "writes what is shown, in %s",
  (name) => {
    process.env.TZ = name;
    const write = instantWriter();
    const lately = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) });
    const ever = fc.integer({ min: -8.64e15, max: 8.64e15 });
    fc.assert(
      fc.property(fc.oneof(lately, ever), (ms) => {
        expect(written(ms, write)).toBe(formatInstant(ms));
      }),
      { numRuns: 2000 },
    );
  },
);

test("the hour that is there twice, and clocks that were set by odd minutes", () => {
  process.env.TZ = "Africa/Monrovia";
  const write = instantWriter();
  expect(formatInstant(Date.UTC(1971, 5, 1, 12))).toBe("1971-06-01 11:15:30");
  // Liberia went from -0:44:30 to UTC in January 1972.
  for (let ms = Date.UTC(1972, 0, 6, 23); ms < Date.UTC(1972, 0, 7, 2); ms += 7_001) {
    expect(written(ms, write)).toBe(formatInstant(ms));
  }
  process.env.TZ = "America/New_York";
  const inAutumn = instantWriter();
  for (let ms = Date.UTC(2026, 10, 1, 4); ms < Date.UTC(2026, 10, 1, 8); ms += 59_999) {
    expect(written(ms, inAutumn)).toBe(formatInstant(ms));
  }
});

test("an unreadable time", () => {
  expect(written(Number.NaN)).toBe(formatInstant(Number.NaN));
});
