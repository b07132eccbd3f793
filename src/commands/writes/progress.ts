import { describeError, type ErrorContext } from "../../text/describe-error.ts";
import { waitText } from "../../text/durations.ts";
import type { SubmitEvent } from "../../writes/submit.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Says something about a write under way, on stderr; not with `--quiet`. A script that asked for
 * JSON reads stderr too, where an error is to stand alone: only people are told.
 */
export function narrate({ globals, io, notice }: Invocation, text: string): void {
  if (speaksJson(globals) && io.stderr.isTTY !== true) return;
  notice(text);
}

/** Tells what happens to a write while it is under way. */
export function progressOf(
  invocation: Invocation,
  context: ErrorContext,
): (event: SubmitEvent) => void {
  const { clock } = invocation.io;
  return (event) => {
    const words = wordsOf(event, context, () => clock.now());
    if (words !== null) narrate(invocation, words);
  };
}

function wordsOf(event: SubmitEvent, context: ErrorContext, now: () => number): string | null {
  switch (event.kind) {
    case "queued":
      return `Recorded as journal entry ${event.journalId}; sending.`;
    case "waiting-for-account":
      return `Waiting: entry ${event.behind} (process ${event.pid}) is being sent to the same account first.`;
    case "looking-up":
      return event.purpose === "after" ? "Looking whether it is there." : null;
    case "found-before":
      return `An import process is there already: ${event.process.status}, created ${event.process.created_at ?? "at an unknown time"}. The service decides.`;
    case "attempt-failed":
      return event.error === null
        ? `Attempt ${event.n} failed.`
        : `Attempt ${event.n}: ${describeError(event.error, context).what}`;
    case "waiting":
      return waitingWords(event, now());
    case "sending":
      return event.n === 1 ? null : `Attempt ${event.n}: sending the same bytes again.`;
    case "headers-sent":
    case "outcome":
      return null;
  }
}

function waitingWords(event: Extract<SubmitEvent, { kind: "waiting" }>, now: number): string {
  const span = waitText(event.until - now);
  const then = event.before === "resend" ? "then it is sent again" : "then it is looked for";
  switch (event.why) {
    case "settle":
      return `Waiting ${span}, because the last request may still be running; ${then}.`;
    case "as-asked":
      return `Waiting ${span}, as the service asks; ${then}.`;
    case "back-off":
      return `Waiting ${span}; ${then}.`;
  }
}
