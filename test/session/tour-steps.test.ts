import { expect, test } from "vitest";
import { resumedStep, tourSteps } from "../../src/session/tour-steps.ts";

const words = tourSteps.map((step) => step.words((id) => `<${id}>`));

test("the steps of the tour name keys from the table only, the review's among them", () => {
  expect(words[5]).toContain("<review>");
  expect(words.join(" ")).not.toMatch(/\b(Enter|End|Esc|Ctrl-\w)\b/);
});

test("no step claims a state of an account that may have moved on since", () => {
  expect(words[3]).not.toMatch(/is being imported/);
});

test("a step that needs the result of the one before resumes there", () => {
  expect(resumedStep(6)).toBe(5);
  expect(resumedStep(4)).toBe(4);
  expect(resumedStep(99)).toBe(tourSteps.length - 1);
});
