import { cachedDataVersionTag } from "node:v8";
import { expect, test } from "vitest";
import { YoungGeneration } from "../../../src/accounts/ingest/young-generation.ts";

test("V8's flags are what they were once no long list is being read", () => {
  const before = cachedDataVersionTag();
  const [one, other] = [new YoungGeneration(), new YoungGeneration()];
  one.holdFrom(99_999);
  expect(cachedDataVersionTag()).toBe(before);
  one.holdFrom(100_000);
  one.holdFrom(100_001);
  const held = cachedDataVersionTag();
  expect(held).not.toBe(before);
  other.holdFrom(1_000_000);
  one.release();
  one.release();
  expect(cachedDataVersionTag()).toBe(held);
  other.release();
  expect(cachedDataVersionTag()).toBe(before);
});
