import { AppError } from "../../src/errors/app-error.ts";
import { CohortReads } from "../../src/session/list-facts.ts";
import { NumberSet, numberColumn } from "../../src/triage/account-numbers.ts";

/** Cohorts whose reads end when the test says so. */
function setUp() {
  const reads: { name: string; end: PromiseWithResolvers<NumberSet> }[] = [];
  let changes = 0;
  let heard = Promise.withResolvers<void>();
  const answers = new CohortReads(
    (name) => {
      const end = Promise.withResolvers<NumberSet>();
      reads.push({ name, end });
      return end.promise;
    },
    () => {
      changes += 1;
      heard.resolve();
      heard = Promise.withResolvers();
    },
  );
  return { answers, reads, changes: () => changes, changed: () => heard.promise };
}

const wave = () => new NumberSet(numberColumn(["EXT-1", "EXT-2"]));

test("a cohort is read once, at the first question, and answers from then on", async () => {
  const { answers, reads, changes, changed } = setUp();
  const first = answers.lookup();
  expect(first("wave3")).toEqual({ kind: "reading" });
  expect(answers.lookup()("wave3")).toEqual({ kind: "reading" });
  expect(reads.map(({ name }) => name)).toEqual(["wave3"]);
  const heard = changed();
  reads[0]?.end.resolve(wave());
  await heard;
  expect(changes()).toBe(1);
  // What was answered stays the same for those who asked before.
  expect(first("wave3").kind).toBe("reading");
  const answer = answers.lookup()("wave3");
  if (answer.kind !== "known") throw new Error(answer.kind);
  const has = (number: string) =>
    answer.value.has(Buffer.from(`<${number}>`), 1, number.length + 1);
  expect([has("EXT-1"), has("EXT-2"), has("EXT-3"), has("EXT-")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  answers.retry();
  expect(answers.lookup()("wave3")).toBe(answer);
  expect(reads).toHaveLength(1);
});

test("a cohort that cannot be read says why, and is tried again only when asked to", async () => {
  const { answers, reads, changed } = setUp();
  answers.lookup()("wave9");
  const heard = changed();
  reads[0]?.end.reject(
    new AppError("cohort", "unknown", "there is no cohort wave9", {
      remedy: "`supplyline cohorts list` shows them all",
    }),
  );
  await heard;
  const why = "There is no cohort wave9. `supplyline cohorts list` shows them all.";
  expect(answers.lookup()("wave9")).toEqual({ kind: "unknown", why });
  expect(reads).toHaveLength(1);
  answers.retry();
  expect(answers.lookup()("wave9")).toEqual({ kind: "reading" });
  const again = changed();
  reads[1]?.end.resolve(wave());
  await again;
  expect(answers.lookup()("wave9").kind).toBe("known");
});
