import { expect, test } from "vitest";
import { DocumentBuilder } from "../../src/components/document.tsx";
import { addHistory } from "../../src/screens/review/result-lines.ts";
import { shownZone } from "../../src/text/dates.ts";
import type { SubmitEvent } from "../../src/writes/send/events.ts";

const at = (seconds: number) => Date.parse("2026-11-24T05:58:00Z") + seconds * 1000;

function attempt(n: number, seconds: number, journalId = 1): SubmitEvent {
  const end = {
    outcome: "no-answer",
    httpStatus: null,
    code: null,
    detail: "The connection broke before the response arrived (ECONNRESET).",
    startedAt: at(seconds),
    endedAt: at(seconds) + n,
  };
  return { kind: "attempt-ended", journalId, n, end, error: null } as SubmitEvent;
}

function waiting(seconds: number): SubmitEvent {
  const times = { until: at(seconds), skip: null };
  return { kind: "waiting", journalId: 1, why: "settle", before: "resend", ...times };
}

function linesOf(events: readonly SubmitEvent[]): readonly string[] {
  shownZone.set("utc");
  const page = new DocumentBuilder(200);
  addHistory(page, events, at(60));
  shownZone.set("local");
  return page.lines.map((pieces) => pieces.map(({ text }) => text).join(""));
}

test("attempts that ended alike are one line with their times", () => {
  const events = [
    { kind: "queued", journalId: 1 } as const,
    attempt(1, 12),
    waiting(15),
    attempt(2, 15),
    waiting(19),
    attempt(3, 19),
  ];
  expect(linesOf(events)).toEqual([
    "05:58:12 to 05:58:19  3 attempts, each: no answer: the connection broke before the response arrived (ECONNRESET)",
  ]);
});

test("a single attempt has its duration", () => {
  expect(linesOf([attempt(1, 12)])[0]).toMatch(/^05:58:12 {2}attempt 1: no answer after 1 ms: /);
});

test("attempts of several requests name their entries", () => {
  const queued = [1, 2].map((journalId) => ({ kind: "queued", journalId }) as const);
  const lines = linesOf([...queued, attempt(1, 1, 1), attempt(1, 2, 2)]);
  expect(lines.map((line) => line.slice(0, 28))).toEqual([
    "05:58:01  entry 1, attempt 1",
    "05:58:02  entry 2, attempt 1",
  ]);
});
