import { parseFilter } from "../../src/accounts/filter-query.ts";
import { pendingLongerThan } from "../../src/accounts/filter-words.ts";
import { importPace, stuckBefore } from "../../src/triage/import-pace.ts";
import * as fc from "../helpers/fast-check.ts";

const at = Date.parse("2026-11-28T20:00:00.000Z");
const ms = (max: number) => fc.integer({ min: 0, max });

test("the filter of stuck accounts matches exactly those that are counted as stuck", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ms(10_000_000), { minLength: 20, maxLength: 40 }),
      fc.array(ms(200_000_000), { maxLength: 30 }),
      async (durations, ages) => {
        const since = ages.map((age) => at - age);
        const before = (time: number) => since.filter((one) => one < time).length;
        const figures = { at, importedLastHour: 0, newestAt: null, durations };
        const count = async (times: readonly number[]) => {
          since.push(...times);
          const pendingBefore = (time: number) => Promise.resolve(before(time));
          return importPace("ACME", { ...figures, pendingBefore }, []);
        };
        const limit = stuckBefore(await count([])) ?? Number.NaN;
        // The accounts at the limit itself are those that rounding would move.
        const pace = await count([limit - 1, limit, limit + 1]);
        const { words, problem } = parseFilter(
          pendingLongerThan(pace.pending?.stuckMs ?? Number.NaN),
          at,
        );
        expect(problem).toBeNull();
        const [word] = words;
        if (word?.kind !== "age") throw new Error("the filter is no age");
        expect(word.ms % 60_000).toBe(0);
        const matches = since.filter((one) => at - one > word.ms === word.longer);
        expect(matches).toHaveLength(pace.list?.stuck ?? Number.NaN);
      },
    ),
    { numRuns: 100 },
  );
});
