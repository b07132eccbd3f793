import { ServiceError } from "../../src/api/errors.ts";
import { DocumentBuilder } from "../../src/components/document.tsx";
import { addProgress } from "../../src/components/entry-record.tsx";
import type { EntryTask } from "../../src/session/tasks.ts";
import { type ActivityOutcome, outcomeOf } from "../../src/writes/activity.ts";
import type { ActivityDetail } from "../../src/writes/activity-detail.ts";
import type { WriteResult } from "../../src/writes/send/events.ts";

function wordsOf(
  task: EntryTask,
  reason: "no-answer" | null,
  entry: Pick<ActivityDetail, "outcome" | "operation"> = {
    outcome: "unknown",
    operation: "notes create",
  },
) {
  const page = new DocumentBuilder(200);
  addProgress(page, task, { reason, ...entry }, 0, "https://api.example.com", () => "f");
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
    end: { outcome, results: [] },
  });
  // The record says `confirmed` as soon as it is read again.
  expect(wordsOf(ended("confirmed"), "no-answer")).toBe("");
  expect(wordsOf(ended("closed"), "no-answer")).toBe("Sending again: ended as closed.");
  expect(wordsOf(ended(outcomeOf("intent")), null)).toBe("Sending again: ended as unsent.");
});

test.each([
  ["an unknown note", "unknown", "notes create", true],
  [
    "an unknown payment, which cannot be read back",
    "unknown",
    "payment-instructions create",
    false,
  ],
  ["unknown statements, which cannot be read back", "unknown", "statements create", false],
  ["a closed note", "closed", "notes create", false],
  ["a rejected note", "rejected", "notes create", false],
] as const)(
  "%s says Verify it only if it can be verified",
  (_, outcome, operation, isVerifiable) => {
    const error = new ServiceError("timeout", "No complete response within 30 s.", {
      method: "POST",
      url: "https://api.example.com/v1/data-import/notes/create/",
      sent: true,
    });
    const result = { reason: "no-answer", error } as unknown as WriteResult;
    const words = wordsOf(
      {
        kind: "ended",
        progress: { doing: "Sending again", reason: null, events: [], sent: true },
        end: { outcome: "unknown", results: [result] },
      },
      "no-answer",
      { outcome, operation },
    );
    expect(words).toContain("It is unknown whether the service applied the request.");
    expect(words.includes("Verify it")).toBe(isVerifiable);
  },
);
