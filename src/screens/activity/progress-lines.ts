import { failureWords } from "../../hooks/journal-actions.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { EntryTask } from "../../session/tasks.ts";
import { describeError, oneLine } from "../../text/describe-error.ts";
import type { ActivityDetail } from "../../writes/activity-detail.ts";
import { eventWords } from "../../writes/words/events.ts";
import { outcomeWords, reasonWords } from "../../writes/words/outcomes.ts";
import { type WriteLine, wordLines } from "./write-lines.ts";

/**
 * How a verification or a resend of a write is going, or how it ended; the reason that the record of
 * the `write` gives anyhow is not told twice.
 */
export function progressLines(
  task: EntryTask,
  write: Pick<ActivityDetail, "reason">,
  now: number,
  width: number,
  baseUrl: string,
  key: KeyWords,
): WriteLine[] {
  const { progress } = task;
  const doing = progress.doing.charAt(0).toUpperCase() + progress.doing.slice(1);
  switch (task.kind) {
    case "running": {
      const event = progress.events.at(-1) ?? null;
      const stop = progress.sent
        ? "Ctrl-C stops it; the request may still take effect, so the outcome stays unknown."
        : "Ctrl-C stops it; nothing has been sent yet.";
      const words = (event && eventWords(event, now)) ?? "Starting.";
      const skip = event?.kind === "waiting" ? ` ${key("cut-short")} continues now.` : "";
      return [
        ...wordLines(`${doing}: ${words}${skip}`, width, "busy"),
        ...wordLines(stop, width, "muted"),
      ];
    }
    case "failed":
      return wordLines(
        `${doing}: ${failureWords(task.error, progress.doing.toLowerCase())}`,
        width,
        "bad",
      );
    case "ended": {
      const { result } = task.end;
      // The record may not have been read again yet: the run itself knows how it ended.
      const outcome = task.end.outcome === "intent" ? "unsent" : task.end.outcome;
      const words = outcomeWords[outcome];
      const told = result === null || result.reason === write.reason;
      // The record says it.
      if (outcome === "confirmed") return [];
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
