/** Describes the results of the conditions of a check in words. */
import { formatInstant } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { count, plural } from "../../text/numbers.ts";
import { aheadWords } from "../figures/creation-time.ts";
import type { CheckFacts, Condition } from "./conditions.ts";

/** Returns the result of a condition as a clause: `3 accounts pending for more than 1 d`. */
export function conditionWords(
  condition: Condition,
  facts: Pick<CheckFacts, "historySince" | "unstoredSince" | "newest" | "ahead" | "pending">,
): string {
  const { figure } = condition;
  const reason = notKnownWords(condition, facts);
  if (figure === null) return `${subjectWords(condition)} not known: ${reason}`;
  const words = figureWords({ ...condition, figure }, facts);
  return reason === null ? words : `${words}; not known: ${reason}`;
}

function figureWords(
  { condition, figure, limit, atLeast }: Condition & { readonly figure: number },
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

/** Returns the subject of a condition, without its figure. */
function subjectWords({ condition, limit }: Condition): string {
  switch (condition) {
    case "pending-older-than":
      return `accounts pending for more than ${formatDuration(limit * 1_000)}`;
    case "no-import-for":
      return "the last import is";
    case "gone":
      return "gone accounts";
    case "unknown-writes":
      return "entries with an unknown outcome";
    case "cohort":
    case "source":
      return `accounts of the ${condition === "cohort" ? "cohort" : "list"} that are not imported`;
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
    case "unread":
      return "the journal cannot be read";
  }
}

function minuteOf(ms: number | null): string {
  return `${formatInstant(ms ?? Number.NaN, { utc: true, seconds: false })} UTC`;
}
