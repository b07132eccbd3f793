import type { DocumentBuilder } from "../../components/document-builder.ts";
import { failureWords } from "../../hooks/journal-actions.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { EntryTask } from "../../session/tasks.ts";
import { capital, describeError, oneLine } from "../../text/describe-error.ts";
import type { ActivityDetail } from "../../writes/activity-detail.ts";
import { eventWords, stopWords } from "../../writes/words/events.ts";
import { outcomeWords, reasonWords } from "../../writes/words/outcomes.ts";

/**
 * How a verification or a resend of an entry is going, or how it ended; the reason that the record
 * of the entry gives is not repeated.
 */
export function sayProgress(
  page: DocumentBuilder,
  task: EntryTask,
  entry: Pick<ActivityDetail, "reason">,
  now: number,
  baseUrl: string,
  key: KeyWords,
): void {
  const { progress } = task;
  const lead = capital(progress.doing);
  const doing = progress.doing.toLowerCase();
  switch (task.kind) {
    case "running": {
      const event = progress.events.at(-1) ?? null;
      const words = (event && eventWords(event, now)) ?? "Starting.";
      const skip = event?.kind === "waiting" ? ` ${key("cut-short")} continues now.` : "";
      page.say(`${lead}: ${words}${skip}`, { tone: "busy" });
      page.say(stopWords(progress.sent, key("cancel")), { tone: "muted" });
      return;
    }
    case "failed":
      page.say(`${lead}: ${failureWords(task.error, doing)}`, { tone: "bad" });
      return;
    case "ended": {
      const { result } = task.end;
      // The record may not have been read again yet: the run itself knows how it ended.
      const outcome = task.end.outcome === "intent" ? "unsent" : task.end.outcome;
      if (outcome === "confirmed") return;
      const { label, tone } = outcomeWords[outcome];
      const known = result === null || result.reason === entry.reason;
      page.say(`${lead}: ended as ${label}.${known ? "" : ` ${reasonWords[result.reason]}`}`, {
        tone,
      });
      if (result?.error) page.say(oneLine(describeError(result.error, { doing, baseUrl })));
    }
  }
}
