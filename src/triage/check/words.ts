import { formatInstant } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { count, plural } from "../../text/numbers.ts";
import { aheadWords } from "../figures/creation-time.ts";
import type { CheckFacts, Condition } from "./conditions.ts";

/** What a condition says, as a clause: `3 accounts pending for more than 1 d`. */
export function conditionWords(
  condition: Condition,
  facts: Pick<CheckFacts, "historySince" | "unstoredSince" | "newest" | "ahead" | "pending">,
): string {
  const words = figureWords(condition, facts);
  const reason = notKnownWords(condition, facts);
  return reason === null ? words : `${words}; not known: ${reason}`;
}

function figureWords(
  { condition, figure, limit, atLeast }: Condition,
  { newest, ahead, pending }: Pick<CheckFacts, "newest" | "ahead" | "pending">,
): string {
  const limitWords = formatDuration(limit * 1_000);
  switch (condition) {
    case "pending-older-than":
      return `${plural(figure, "account")} pending for more than ${limitWords}`;
    case "no-import-for": {
      const since = formatDuration(figure * 1_000);
      const idle = pending === 0 ? ", and none is pending" : "";
      const words =
        newest.length === 0
          ? `none imported${idle}${pending === 0 ? "" : ` for at least ${since} (limit ${limitWords})`}`
          : `last import ${since} ago (limit ${limitWords})${idle}`;
      return ahead === 0 ? words : `${words}, ${aheadWords(ahead)}`;
    }
    case "gone":
      return `${atLeast ? "at least " : ""}${plural(figure, "account")} gone`;
    case "unknown-writes":
      return `${plural(figure, "entry", "entries")} with an unknown outcome`;
    case "cohort":
    case "source":
      return `${count(figure)} of the ${condition === "cohort" ? "cohort" : "list"} not imported`;
  }
}

function notKnownWords(
  { notKnown }: Condition,
  { historySince, unstoredSince }: Pick<CheckFacts, "historySince" | "unstoredSince">,
): string | null {
  switch (notKnown) {
    case null:
      return null;
    case "short-history":
      return `lists are stored only since ${minuteOf(historySince)}`;
    case "no-history":
      return "no earlier list is known on this machine";
    case "not-stored":
      return `lists are not stored since ${minuteOf(unstoredSince)}`;
    case "held-back":
      return "the list lost too many accounts and is held back";
    case "unverified":
      return "more accounts left the list than were verified";
  }
}

function minuteOf(ms: number | null): string {
  return `${formatInstant(ms ?? Number.NaN, { utc: true, seconds: false })} UTC`;
}
