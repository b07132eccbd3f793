import { correctTimeZone } from "../../src/text/zones.ts";

const { TZ: zone = "UTC" } = process.env;
afterEach(() => {
  process.env.TZ = zone;
});

test.each([
  ["UTC", "UTC"],
  ["Europe/Berlin", "Europe/Berlin"],
  [":Europe/Berlin", "Europe/Berlin"],
  ["/usr/share/zoneinfo/America/New_York", "America/New_York"],
  ["posix/Europe/Berlin", "Europe/Berlin"],
  ["right/Europe/Berlin", "Europe/Berlin"],
  // Node takes these for UTC.
  ["europe/berlin", "Europe/Berlin"],
  ["AUSTRALIA/LORD_HOWE", "Australia/Lord_Howe"],
])("TZ=%s is a zone, by its plain name", (typed, name) => {
  const env = { TZ: typed };
  expect(correctTimeZone(env)).toBeNull();
  expect(env.TZ).toBe(name);
});

test("without TZ the zone of the machine counts", () => {
  const env = {};
  expect(correctTimeZone(env)).toBeNull();
  expect(env).toEqual({});
});

test.each([
  ["JST-9", "JST-9"],
  ["<+0530>-5:30", "Asia/Kolkata"],
  ["EST+5", "America/Bogota"],
])("TZ=%s is a rule that Node follows", (typed, machine) => {
  process.env.TZ = machine;
  const env = { TZ: typed };
  expect(correctTimeZone(env)).toBeNull();
  expect(env.TZ).toBe(typed);
});

test.each(["Europe", "America/Argentina", "Factory", "localtime", "leapseconds", "+03:00"])(
  "TZ=%s is UTC for Node, and that is mentioned",
  (typed) => {
    const env = { TZ: typed };
    expect(correctTimeZone(env)).toBe(`Times are in UTC: TZ=${typed} names no known time zone.`);
    expect(env.TZ).toBe("UTC");
  },
);

test.each(["CET-1CEST", "EST5EDT4", "XYZ-5:30", "Bad/Zone"])(
  "TZ=%s never stands for another zone that Node took for it, the machine's or a guess",
  (typed) => {
    for (const taken of ["America/New_York", "Europe/Brussels"]) {
      process.env.TZ = taken;
      const env = { TZ: typed };
      expect(correctTimeZone(env)).toBe(`Times are in UTC: TZ=${typed} names no known time zone.`);
      expect(env.TZ).toBe("UTC");
    }
  },
);
