import { causeLines } from "../../src/screens/runs/run-screen.tsx";
import type { Cause } from "../../src/writes/causes.ts";

const causes = Array.from(
  { length: 6 },
  (_, n): Cause => ({
    key: `k${n}`,
    operation: "notes",
    httpStatus: 400,
    code: `code_${n}`,
    errorCodes: [],
    count: 10 - n,
    retryable: 0,
    inDoubt: 0,
    message: "No.",
    sample: [],
  }),
);

/** The codes in the lines, and the words about the others. */
const listed = (rows: number, all: readonly Cause[] = causes) =>
  causeLines(all, { columns: 120, rows })
    .map((pieces) => pieces.map(({ text }) => text).join(""))
    .flatMap((text) => /code_\d|and \d.*/.exec(text)?.[0] ?? []);

test.each([
  [-3, ["code_0", "code_1", "and 4 other causes"]],
  [5, ["code_0", "code_1", "code_2", "and 3 other causes"]],
  [6, ["code_0", "code_1", "code_2", "code_3", "and 2 other causes"]],
  [40, ["code_0", "code_1", "code_2", "code_3", "code_4", "code_5"]],
])("with %i free lines, a run lists the causes that fit, and at least two", (rows, expected) => {
  expect(listed(rows)).toEqual(expected);
});

test("a run without failures has no causes above its rows", () => {
  expect(listed(40, [])).toEqual([]);
});
