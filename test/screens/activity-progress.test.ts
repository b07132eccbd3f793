import { expect, test } from "vitest";
import { DocumentBuilder } from "../../src/components/document.tsx";
import { addProgress } from "../../src/components/entry-record.tsx";
import type { EntryTask } from "../../src/session/tasks.ts";
import { type ActivityOutcome, outcomeOf } from "../../src/writes/activity.ts";

function wordsOf(task: EntryTask, reason: "no-answer" | null) {
  const page = new DocumentBuilder(200);
  addProgress(page, task, { reason }, 0, "https://api.example.com", () => "f");
  return page.lines.map((line) => line.map(({ text }) => text).join("")).join("\n");
}

test("a run says how it ended itself, also while the record of before is still shown", () => {
  const progress: EntryTask["progress"] = {
    doing: "Sending again",
    reason: null,
    events: [],
    sent: false,
  };
  const ended = (outcome: ActivityOutcome): EntryTask => ({
    kind: "ended",
    progress,
    end: { outcome, result: null },
  });
  // The record says `confirmed` as soon as it is read again.
  expect(wordsOf(ended("confirmed"), "no-answer")).toBe("");
  expect(wordsOf(ended("closed"), "no-answer")).toBe("Sending again: ended as closed.");
  expect(wordsOf(ended(outcomeOf("intent")), null)).toBe("Sending again: ended as unsent.");
});
