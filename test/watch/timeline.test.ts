import {
  accountFinality,
  cohortState,
  finalityOf,
  notFound,
  observe,
  progressIn,
  supplyPointFinality,
  type Transition,
} from "../../src/watch/timeline.ts";

const seen = (...states: readonly string[]) =>
  states.reduce<readonly Transition[]>((line, state, at) => observe(line, { state }, at), []);

describe("the timeline of what was seen", () => {
  test("a repeated state only updates the time it was last seen", () => {
    expect(seen("PENDING", "PENDING", "PENDING")).toEqual([
      { state: "PENDING", firstSeenAt: 0, lastSeenAt: 2 },
    ]);
  });

  test("a changed state is a new entry, even if it occurred before", () => {
    expect(seen("UNKNOWN", "IN_PROGRESS", "IN_PROGRESS", "UNKNOWN")).toEqual([
      { state: "UNKNOWN", firstSeenAt: 0, lastSeenAt: 0 },
      { state: "IN_PROGRESS", firstSeenAt: 1, lastSeenAt: 2 },
      { state: "UNKNOWN", firstSeenAt: 3, lastSeenAt: 3 },
    ]);
  });

  test("not found is a state of its own, and not UNKNOWN", () => {
    expect(seen(notFound, "UNKNOWN")).toHaveLength(2);
  });

  test("extending a timeline does not change the earlier one", () => {
    const before = seen("PENDING");
    observe(before, { state: "PENDING" }, 9);
    observe(before, { state: "PROCESSED" }, 9);
    expect(before).toEqual([{ state: "PENDING", firstSeenAt: 0, lastSeenAt: 0 }]);
  });

  test("a timeline keeps its latest 200 changes", () => {
    const line = seen(...Array.from({ length: 500 }, (_, n) => `S${n}`));
    expect(line).toHaveLength(200);
    expect(line.at(-1)?.state).toBe("S499");
  });
});

describe("when there is no more to wait for", () => {
  test.each([
    [[], "open"],
    [["COMPLETED"], "reached"],
    [["IN_PROGRESS"], "open"],
    [["UNKNOWN"], "open"],
    [["UNKNOWN", "IN_PROGRESS", "UNKNOWN"], "ended"],
    [["IN_PROGRESS", "AWAITING_REVIEW", "UNKNOWN"], "ended"],
    [["IN_PROGRESS", "UNKNOWN", "IN_PROGRESS"], "open"],
    [["IN_PROGRESS", "UNKNOWN", "COMPLETED"], "reached"],
    [[notFound], "open"],
    [["IN_PROGRESS", notFound], "open"],
    [["AWAITING_REVIEW"], "open"],
    [["completed"], "open"],
  ] as const)("an account seen as %j: %s", (states, finality) => {
    expect(accountFinality(seen(...states))).toBe(finality);
  });

  test.each([
    [[], "open"],
    [["PENDING"], "open"],
    [["IN_PROGRESS"], "open"],
    [["PENDING", "IN_PROGRESS", "PROCESSED"], "reached"],
    [["ERRORED"], "ended"],
    [["CANCELLED"], "ended"],
    [["DRY_RUN_SUCCEEDED"], "ended"],
    [["DRY_RUN_ERRORED"], "ended"],
    [["ERRORED", "PENDING"], "open"],
    [[notFound], "open"],
    [["AWAITING_REVIEW"], "open"],
  ] as const)("a supply point seen as %j: %s", (states, finality) => {
    expect(supplyPointFinality(seen(...states))).toBe(finality);
  });

  test.each([
    [[], "open"],
    [[[0, 3, 0]], "open"],
    [[[2, 1, 1]], "open"],
    [[[3, 0, 0]], "reached"],
    [[[2, 0, 1]], "ended"],
    [[[0, 0, 0]], "reached"],
    [
      [
        [2, 0, 1],
        [2, 1, 0],
      ],
      "open",
    ],
  ] as const)("a cohort with the figures %j (done, open, failed): %s", (figures, finality) => {
    const timeline = figures.reduce<readonly Transition[]>(
      (line, [done, open, failed], at) => observe(line, cohortState({ done, open, failed }), at),
      [],
    );
    expect(finalityOf("cohort", timeline)).toBe(finality);
    expect(timeline).toHaveLength(figures.length);
    const [done, open, failed] = figures.at(-1) ?? [];
    expect(progressIn(timeline)).toEqual(figures.length === 0 ? null : { done, open, failed });
  });
});
