/** What happens to an entry while it is sent, in words; one source for the console and the commands. */
import { waitText } from "../../text/durations.ts";
import { safe } from "../../text/sanitise.ts";
import type { SubmitEvent } from "../send/events.ts";
import { attemptWords } from "./attempts.ts";

/** The sentence for one event; `now` is null for what is past, and the outcome has no sentence here. */
export function eventWords(event: SubmitEvent, now: number | null): string | null {
  switch (event.kind) {
    case "queued":
      return `Recorded as journal entry ${event.journalId}.`;
    case "waiting-for-account":
      return `Entry ${event.behind} (process ${event.pid}) is sent to the same account first.`;
    case "looking-up":
      return event.purpose === "before"
        ? "Checking whether the service has it already."
        : "Checking whether it exists now.";
    case "found-before":
      return `An import process already exists: ${safe(event.process.status)}, created ${safe(event.process.created_at ?? "at an unknown time")}. The service decides.`;
    case "sending":
      return event.n === 1
        ? "Attempt 1: sending."
        : `Attempt ${event.n}: sending the same bytes again.`;
    case "headers-sent":
      return `Attempt ${event.n}: sent, waiting for the answer.`;
    case "attempt-ended":
      return `Attempt ${event.n}: ${attemptWords(event.end)}.`;
    case "waiting":
      return waitingWords(event, now);
    case "outcome":
      return null;
  }
}

/** What stopping an entry means while it is being sent; `key` is the name of the key that stops it. */
export function stopWords(sent: boolean, key: string): string {
  return sent
    ? `${key} stops waiting; its outcome would be unknown.`
    : `${key} stops it; nothing has been sent yet.`;
}

/** The events that are still worth a line: how an attempt ended says that it was sent. */
export function lastingEvents(told: readonly SubmitEvent[]): readonly SubmitEvent[] {
  const ended = new Set(told.flatMap((one) => (one.kind === "attempt-ended" ? [one.n] : [])));
  return told.filter(
    (one) => !(one.kind === "sending" || one.kind === "headers-sent") || !ended.has(one.n),
  );
}

function waitingWords(
  { why, before, until }: Extract<SubmitEvent, { kind: "waiting" }>,
  now: number | null,
): string {
  const then = before === "resend" ? "sending the same bytes again" : "checking whether it exists";
  const because = {
    settle: ", because the last request might still be running",
    "as-asked": ", as the service asks",
    "back-off": "",
  }[why];
  if (now === null) return `Waited before ${then}${because}.`;
  return `Waiting ${waitText(Math.max(0, until - now))} before ${then}${because}.`;
}
