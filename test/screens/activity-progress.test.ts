import { expect, it } from "vitest";
import { DocumentBuilder } from "../../src/components/document-builder.ts";
import { sayProgress } from "../../src/screens/activity/progress-lines.ts";
import type { WriteProgress } from "../../src/session/running-writes.ts";

function wordsOf(progress: WriteProgress, reason: "no-answer" | null) {
  const page = new DocumentBuilder(200);
  sayProgress(page, progress, { reason }, 0, "https://api.example.com", () => "f");
  return page.lines.map((line) => line.map(({ text }) => text).join("")).join("\n");
}

it("a run says how it ended itself, also while the record of before is still shown", () => {
  const ended = { kind: "ended", doing: "sending again", result: null } as const;
  // The record says `confirmed` as soon as it is read again.
  expect(wordsOf({ ...ended, outcome: "confirmed" }, "no-answer")).toBe("");
  expect(wordsOf({ ...ended, outcome: "closed" }, "no-answer")).toBe(
    "Sending again: ended as closed.",
  );
  expect(wordsOf({ ...ended, outcome: "intent" }, null)).toBe("Sending again: ended as unsent.");
});
