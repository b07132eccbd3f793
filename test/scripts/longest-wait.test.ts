import { waitOf } from "../helpers/longest-wait.ts";

test.each([
  ["a machine of a contributor", {}, 20_000],
  ["CI", { CI: "true" }, 100_000],
  ["a wait that is given", { CI: "true", SUPPLYLINE_TEST_WAIT: "5" }, 5_000],
  ["a wait above the bound of the runner", { SUPPLYLINE_TEST_WAIT: "900" }, 100_000],
  ["a wait that is no number", { SUPPLYLINE_TEST_WAIT: "long" }, 20_000],
])("on %s a test gives up in time", (_, env, expected) => {
  expect(waitOf(env)).toBe(expected);
});
