import { expect, test } from "vitest";
import { settleTimeZone } from "../../src/text/time-zone.ts";

test.each([
  ["UTC", "UTC"],
  ["Europe/Berlin", "Europe/Berlin"],
  [":Europe/Berlin", "Europe/Berlin"],
  ["/usr/share/zoneinfo/America/New_York", "America/New_York"],
])("TZ=%s is a zone, by its plain name", (typed, name) => {
  const env = { TZ: typed };
  expect(settleTimeZone(env)).toBeNull();
  expect(env.TZ).toBe(name);
});

test("without TZ the zone of the machine counts", () => {
  const env = {};
  expect(settleTimeZone(env)).toBeNull();
  expect(env).toEqual({});
});
