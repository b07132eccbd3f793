import type { KeyWords } from "../../keys/keymap.ts";
import type { SubmitEvent } from "../../writes/submit.ts";
import { eventWords, lastingEvents } from "../../writes/words/events.ts";
import { type DocumentLine, LineSetter } from "./document.ts";

/** How a write under way goes, or how it went: one line for each event. */
export function progressLines(
  told: readonly SubmitEvent[],
  now: number,
  columns: number,
  key: KeyWords,
): readonly DocumentLine[] {
  const page = new LineSetter(columns);
  const events = lastingEvents(told);
  for (const [at, event] of events.entries()) {
    const isLast = at === events.length - 1;
    const words = eventWords(event, isLast ? now : null);
    if (words === null) continue;
    const skip = isLast && event.kind === "waiting" ? ` ${key("cut-short")} continues now.` : "";
    const failed = event.kind === "attempt-ended" && event.error !== null;
    page.say(`${words}${skip}`, failed ? { tone: "bad" } : {});
  }
  return page.lines;
}
