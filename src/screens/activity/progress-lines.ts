import { attemptWords, outcomeWords, reasonWords } from "../../components/write-words.ts";
import type { WriteProgress } from "../../hooks/running-writes.ts";
import { failureWords } from "../../hooks/write-acts.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { formatInstant } from "../../text/dates.ts";
import { describeError, oneLine } from "../../text/describe-error.ts";
import { formatDuration } from "../../text/durations.ts";
import type { ActivityDetail } from "../../writes/activity-detail.ts";
import type { SubmitEvent } from "../../writes/submit.ts";
import { type WriteLine, wordLines } from "./write-lines.ts";

/**
 * How a verification or a resend of a write is going, or how it ended; the reason that the record of
 * the `write` gives anyhow is not told twice.
 */
export function progressLines(
  progress: WriteProgress,
  write: Pick<ActivityDetail, "outcome" | "reason">,
  now: number,
  width: number,
  baseUrl: string,
  key: KeyWords,
): WriteLine[] {
  const doing = progress.doing.charAt(0).toUpperCase() + progress.doing.slice(1);
  switch (progress.kind) {
    case "running": {
      const { event, sent } = progress;
      const stop = sent
        ? "Ctrl-C stops it; what has left may still land, so the outcome stays unknown."
        : "Ctrl-C stops it; nothing has been sent by this yet.";
      return [
        ...wordLines(`${doing}: ${eventWords(event, now, key)}`, width, "busy"),
        ...wordLines(stop, width, "muted"),
      ];
    }
    case "failed":
      return wordLines(
        `${doing}: ${failureWords(progress.error, progress.doing.toLowerCase())}`,
        width,
        "bad",
      );
    case "ended": {
      const { result } = progress;
      const words = outcomeWords[write.outcome];
      const told = result === null || result.reason === write.reason;
      const reason = told ? "" : ` ${reasonWords[result.reason]}`;
      return [
        ...wordLines(`${doing}: ended as ${words.label}.${reason}`, width, words.tone),
        ...(result?.error
          ? wordLines(
              oneLine(
                describeError(result.error, { doing: progress.doing.toLowerCase(), baseUrl }),
              ),
              width,
            )
          : []),
      ];
    }
  }
}

function eventWords(event: SubmitEvent | null, now: number, key: KeyWords): string {
  if (event === null) return "starting…";
  switch (event.kind) {
    case "queued":
      return `on record as write ${event.journalId}…`;
    case "waiting-for-account":
      return `write ${event.behind} of process ${event.pid} goes first…`;
    case "looking-up":
      return "looking for it at the service…";
    case "found-before":
      return `it is there already, ${event.process.status}…`;
    case "sending":
      return `attempt ${event.n} goes out, given up on at ${formatInstant(event.until)}…`;
    case "headers-sent":
      return `attempt ${event.n} has left this machine, waiting for the answer…`;
    case "attempt-failed":
      return `attempt ${event.n}: ${attemptWords(event.situation)}…`;
    case "waiting":
      return waitWords(event, now, key);
    case "outcome":
      return "on record.";
  }
}

function waitWords(
  event: Extract<SubmitEvent, { kind: "waiting" }>,
  now: number,
  key: KeyWords,
): string {
  const left = formatDuration(Math.max(0, Math.ceil((event.until - now) / 1_000)) * 1_000);
  const next = event.before === "resend" ? "sent again" : "looked for again";
  const why = {
    settle: ": what was given up on may still be running",
    "as-asked": ": the service asks for time",
    "back-off": "",
  }[event.why];
  return `${next} in ${left}, ${key("cut-short")} goes on now${why}.`;
}
