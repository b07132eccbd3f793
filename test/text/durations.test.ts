import { expect, it } from "vitest";
import { wholeSeconds } from "../../src/text/durations.ts";

it("a screen that ticks once a second tells whole seconds, and never a negative span", () => {
  expect([-450, 0, 999, 1_000, 61_999].map(wholeSeconds)).toEqual([
    "under 1 s",
    "under 1 s",
    "under 1 s",
    "1 s",
    "1 min 1 s",
  ]);
});
