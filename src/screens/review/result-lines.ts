import { doubtWords, itemWords, outcomeWords, reasonWords } from "../../components/write-words.ts";
import { atPlace } from "../../forms/paths.ts";
import type { Plan } from "../../hooks/write-plan.ts";
import { describeError } from "../../text/describe-error.ts";
import type { Item } from "../../writes/journal/entry.ts";
import { operations } from "../../writes/operations.ts";
import { mayMoveDates, movedDates } from "../../writes/outcomes/moved-dates.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import type { WriteResult } from "../../writes/submit.ts";
import { type DocumentLine, LineSetter } from "./document.ts";
import { fromItem } from "./one-by-one.ts";
import { refusalsOfResult } from "./refusals.ts";
import type { DescribeContext } from "./words.ts";

/** How a write ended: what is known, item by item, and what can be done now. */
export function resultLines(
  result: WriteResult,
  plan: Plan,
  split: boolean,
  context: DescribeContext,
  ascii: boolean,
  columns: number,
): readonly DocumentLine[] {
  const page = new LineSetter(columns);
  page.say(meaning(result, context));
  if (result.outcome === "confirmed" && mayMoveDates(plan.prepared)) {
    page.say(
      "A date outside the open statement period is moved into it, which the answer need not show: the service pins a note to the account where it did that.",
      { tone: "muted" },
    );
  }
  for (const words of nextWords(result, plan.prepared)) page.say(words, { tone: "muted" });
  const confirmed = result.items.filter(
    ({ outcome }) => outcome === "created" || outcome === "exists",
  );
  if (split && result.outcome !== "confirmed" && confirmed.length > 0) {
    page.say(
      `The first ${confirmed.length} are confirmed and taken out of the form; what follows the one that failed was not sent.`,
    );
  }
  const refusals = refusalsOfResult(split ? fromItem(plan, confirmed.length) : plan, result);
  if (refusals.length > 0) page.say("");
  for (const one of refusals) page.say(atPlace(plan.form, one), { tone: "bad" });
  if (result.items.length > 0) page.say("");
  const { operation, facts } = plan.prepared;
  const moved = movedDates({ operation, items: facts.items }, result.response);
  for (const item of result.items) sayItem(page, item, moved[item.position] ?? null, result, ascii);
  if (result.process !== null) {
    page.say("");
    page.fact("Import", `${result.process.status}, created ${result.process.created_at ?? "?"}`);
  }
  return page.lines;
}

function sayItem(
  page: LineSetter,
  item: Item,
  moved: string | null,
  { operation }: WriteResult,
  ascii: boolean,
): void {
  const words = itemWords[item.outcome];
  const mark = ascii ? words.asciiMark : words.mark;
  const status = item.status === null ? "" : `  ${item.status}`;
  page.say(`${mark} ${item.position + 1}  ${words.label}  ${item.label ?? ""}${status}`, {
    tone: words.tone,
  });
  if (moved !== null) {
    page.say(
      `It lay outside the open statement period and was added with the date ${moved}.`,
      {},
      5,
    );
  }
  if (item.outcome === "exists") {
    page.say(
      operation === "notes create"
        ? "Not added again. To add the same text once more, give the note a created_at."
        : "Added earlier, skipped now.",
      { tone: "muted" },
      5,
    );
  }
}

/** The mark and the word of an outcome, for the headline. */
export function outcomeOf({ outcome }: WriteResult) {
  return outcomeWords[outcome];
}

function meaning(result: WriteResult, context: DescribeContext): string {
  const { outcome, operation } = result;
  if (result.journalError !== null) {
    return `The service has answered, but that could not be put on record: ${result.journalError.message} It counts as unknown.`;
  }
  switch (outcome) {
    case "confirmed":
      if (operation === "supply-points create")
        return "The service has taken it: its creation is scheduled and runs now.";
      return result.reason === "looked-up"
        ? "It was found at the service, which confirms it."
        : "The service has confirmed it.";
    case "rejected":
      return `${told(result, context)} Nothing of it has landed.`;
    case "retryable":
      return result.mayHaveLanded
        ? `${told(result, context)} ${doubtWords.vendor ?? ""}`
        : `${told(result, context)} It has not landed.`;
    case "unknown":
      return `${result.reason === "answered" ? "" : `${reasonWords[result.reason]} `}${told(result, context)} ${landedWords(result)}`;
    case "unsent":
      if (result.items.some(({ outcome }) => outcome === "created" || outcome === "exists")) {
        return "It was stopped between two requests: what follows was not sent.";
      }
      return `It never left this machine. ${reasonWords[result.reason]} ${told(result, context)}`;
    case "closed":
      return outcomeWords.closed.meaning;
  }
}

/** Which of the items may be there. */
function landedWords({ items, operation }: WriteResult): string {
  const open = items.filter((item) => item.outcome === "unknown");
  if (items.length <= 1 || open.length === 0 || open.length === items.length) {
    return "It may have landed all the same.";
  }
  const numbers = open.map((item) => item.position + 1).join(", ");
  return `These may have landed all the same: ${operations[operation].item} ${numbers}.`;
}

function told({ error }: WriteResult, context: DescribeContext): string {
  if (error === null) return "";
  const words = describeError(error, context);
  // Complaints about fields, and what a 404 can mean, stand on lines of their own.
  const apart = (error.facts.errors?.length ?? 0) > 0 || error.kind === "not-found";
  const why = apart ? null : words.why;
  if (why === null) return words.what;
  return `${words.what} ${/[.!?…]$/.test(why) ? why : `${why}.`}`;
}

function nextWords(
  { outcome, operation, journalId }: WriteResult,
  { deduplicated }: PreparedWrite,
): readonly string[] {
  const { readBack } = operations[operation];
  switch (outcome) {
    case "confirmed":
    case "closed":
      return [];
    case "rejected":
      return ["Enter goes back to the form, to what was refused."];
    case "unsent":
      return ["The draft is kept: Enter goes back to the form."];
    case "retryable":
      return [
        `Enter shows entry ${journalId}, where it can be sent again unchanged. The draft is kept.`,
      ];
    case "unknown": {
      const way =
        readBack.by === "look-up"
          ? "verifying it looks for the import at the service, and sends nothing"
          : readBack.by === "checked-resend"
            ? "verifying it sends the same bytes again, which the service answers with what exists already"
            : `it cannot be read back: look at ${readBack.where}, then close it with a reason`;
      const again = deduplicated ? "" : "; sent again from there it may land twice";
      return [`Enter shows entry ${journalId}: ${way}. The draft is kept${again}.`];
    }
  }
}
