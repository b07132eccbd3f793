import { expect, it } from "vitest";
import { progressLines } from "../../src/screens/activity/progress-lines.ts";
import type { EntryTask } from "../../src/session/tasks.ts";
import type { State } from "../../src/writes/journal/entry.ts";

const wordsOf = (task: EntryTask, reason: "no-answer" | null) =>
  progressLines(task, { reason }, 0, 200, "https://api.example.com", () => "f")
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");

it("a run says how it ended itself, also while the record of before is still shown", () => {
  const progress = { doing: "sending again", events: [], sent: false };
  const ended = (outcome: State): EntryTask => ({
    kind: "ended",
    progress,
    end: { outcome, result: null },
  });
  // The record says `confirmed` as soon as it is read again.
  expect(wordsOf(ended("confirmed"), "no-answer")).toBe("");
  expect(wordsOf(ended("closed"), "no-answer")).toBe("Sending again: ended as closed.");
  expect(wordsOf(ended("intent"), null)).toBe("Sending again: ended as unsent.");
});
