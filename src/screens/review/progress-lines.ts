import type { KeyWords } from "../../keys/keymap.ts";
import { describeError } from "../../text/describe-error.ts";
import { wholeSeconds } from "../../text/durations.ts";
import type { SubmitEvent } from "../../writes/submit.ts";
import { type DocumentLine, LineSetter } from "./document.ts";
import type { DescribeContext } from "./words.ts";

/** How a write under way goes, a line for each thing that was told. */
export function progressLines(
  told: readonly SubmitEvent[],
  context: DescribeContext,
  now: number,
  columns: number,
  key: KeyWords,
): readonly DocumentLine[] {
  const page = new LineSetter(columns);
  for (const [at, event] of told.entries()) {
    const words = wordsOf(event, context, at === told.length - 1 ? now : null, key);
    if (words === null) continue;
    const failed = event.kind === "attempt-failed";
    page.say(words, failed ? { tone: "bad" } : {});
  }
  return page.lines;
}

/** `now` is null for what is past. */
function wordsOf(
  event: SubmitEvent,
  context: DescribeContext,
  now: number | null,
  key: KeyWords,
): string | null {
  switch (event.kind) {
    case "queued":
      return `In the journal as entry ${event.journalId}.`;
    case "waiting-for-account":
      return `Entry ${event.behind} (process ${event.pid}) is being sent to the same account first.`;
    case "looking-up":
      return event.purpose === "before"
        ? "Looking whether the service has it already."
        : "Looking whether it is there now.";
    case "found-before":
      return `An import process is there already: ${event.process.status}, created ${event.process.created_at ?? "at an unknown time"}. The service decides.`;
    case "sending":
      return `Attempt ${event.n}: sending${event.n > 1 ? " the same bytes again" : ""}.`;
    case "headers-sent":
      return `Attempt ${event.n}: it has left this machine, waiting for the answer.`;
    case "attempt-failed":
      return event.error === null
        ? `Attempt ${event.n} failed.`
        : `Attempt ${event.n}: ${describeError(event.error, context).what}`;
    case "waiting":
      return waitingWords(event, now, key);
    case "outcome":
      return null;
  }
}

function waitingWords(
  { why, before, until }: Extract<SubmitEvent, { kind: "waiting" }>,
  now: number | null,
  key: KeyWords,
): string {
  const then = before === "resend" ? "sending the same bytes again" : "looking whether it is there";
  const because = {
    settle: ", because the last request may still be running",
    "as-asked": ", as the service asks",
    "back-off": "",
  }[why];
  if (now === null) return `Waited before ${then}${because}.`;
  return `Waiting ${wholeSeconds(Math.max(0, until - now))} before ${then}${because}; ${key("cut-short")} goes on now.`;
}
