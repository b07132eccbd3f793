/**
 * Describes a run in words, for the console and the commands: its counts, and the reason why it
 * stopped.
 */
import { isServiceError } from "../api/errors.ts";
import type { ErrorContext } from "../errors/app-error.ts";
import { errorLine, errorWords } from "../errors/error-words.ts";
import { count, percent, plural } from "../text/numbers.ts";
import { approvalName } from "../writes/team/approvals.ts";
import { waitingWords } from "../writes/words/approvals.ts";
import { isUnsent, type RunCounts, type RunEnd, type RunRecord } from "./run-record.ts";

/** The states of rows, most severe first. Each state has a full and a short label. */
export const countWords: readonly {
  readonly name: keyof RunCounts;
  readonly words: string;
  readonly short: string;
}[] = [
  { name: "unknown", words: "unknown", short: "unk" },
  { name: "rejected", words: "rejected", short: "rej" },
  { name: "retryable", words: "retryable", short: "retry" },
  { name: "sending", words: "being sent", short: "sending" },
  { name: "waiting", words: "not sent", short: "unsent" },
  { name: "confirmed", words: "confirmed", short: "conf" },
  { name: "exists", words: "already existed", short: "existed" },
  { name: "closed", words: "closed", short: "closed" },
];

/** Formats the counts, most severe first, without zeros: `2 unknown, 498 confirmed`. */
export function countsText(counts: RunCounts): string {
  return parts(counts, "words").join(", ");
}

/**
 * Formats the counts in `width` cells, with short labels if needed. Counts that do not fit become
 * `+2 more`. The first count is always shown.
 */
export function countsWithin(counts: RunCounts, width: number): string {
  const full = countsText(counts);
  if (full.length <= width) return full;
  const short = parts(counts, "short");
  for (let shown = short.length; shown > 0; shown -= 1) {
    const rest = shown === short.length ? "" : `, +${short.length - shown} more`;
    const text = short.slice(0, shown).join(", ") + rest;
    if (text.length <= width) return text;
  }
  return short[0] ?? "";
}

export function endedText(counts: RunCounts): string {
  return countsText({ ...counts, waiting: 0, sending: 0 });
}

function parts(counts: RunCounts, form: "words" | "short"): readonly string[] {
  return countWords
    .filter(({ name }) => counts[name] > 0)
    .map((label) => `${count(counts[label.name])} ${label[form]}`);
}

/**
 * Returns the number of rows that are left. A stopped run counts the rows that a resume would
 * handle, and a running run counts the rows that have not ended. An ended run has none left.
 */
export function openRows(run: Pick<RunRecord, "counts" | "leftAlone" | "state">): number {
  if (run.state === "ended") return 0;
  return run.state === "stopped" ? rowsLeft(run) : run.counts.waiting + run.counts.sending;
}

/** Returns the number of rows that a resume of the run would send or verify. */
export function rowsLeft({ counts, leftAlone }: Pick<RunRecord, "counts" | "leftAlone">): number {
  const all = counts.waiting + counts.sending + counts.retryable + counts.unknown;
  return Math.max(0, all - leftAlone.heldBack - leftAlone.retryable - leftAlone.unknown);
}

export function heldBackText({ heldBack, earlier }: RunRecord["leftAlone"]): string {
  const shown = earlier.slice(0, maxEntries);
  const more = earlier.length - shown.length;
  const entries = `${plural(earlier.length, "entry", "entries").replace(/^\S+ /, "")} ${shown.join(", ")}`;
  const rest = more === 0 ? "" : ` and ${count(more)} more`;
  const as = earlier.length === 0 ? "" : ` as ${entries}${rest}`;
  return `${count(heldBack)} held back: sent before${as}`;
}

const maxEntries = 3;

/** Formats the share of rows that have ended, or the share that failed if all have ended. */
export function shareText(run: Pick<RunRecord, "counts" | "rows">): string {
  const { rejected, retryable, unknown } = run.counts;
  const failed = rejected + retryable + unknown;
  const done = rowsDone(run);
  return done < run.rows || failed === 0
    ? percent(done, run.rows)
    : `${percent(failed, run.rows)} failed`;
}

export function rowsDone({ counts, rows }: Pick<RunRecord, "counts" | "rows">): number {
  return Math.max(0, rows - counts.waiting - counts.sending);
}

const stoppedOnRequest = "it was stopped on request";
export const killedReason = "its process ended before it did";

/** Returns the reason why a run stopped, as recorded and printed as JSON, or null if it ended. */
export function becauseOf(end: RunEnd): string | null {
  switch (end.kind) {
    case "ended":
      return null;
    case "stopped":
      return stoppedOnRequest;
    case "unsent":
      return unsentWords(end.rows);
    case "service-down":
      return end.why;
    case "team-away":
      return "the team's database did not answer";
    case "waits":
      return `it waits for the approval ${approvalName(end.request)}`;
    case "not-approved":
      return "a second person did not approve its rows";
    case "credentials":
      return isServiceError(end.error, "credentials")
        ? "there was no valid token"
        : "the service refused the credentials";
    case "journal":
      return "the journal could not be written";
  }
}

function unsentWords(rows: number): string {
  return `${plural(rows, "row")} could not be sent`;
}

/** Returns a sentence why a run without a process has rows left, or null if none are left. */
export function whyRowsLeft(
  run: Pick<RunRecord, "counts" | "leftAlone" | "state" | "stoppedBecause">,
) {
  if (isUnsent(run)) return "Not fully recorded; nothing was sent.";
  if (rowsLeft(run) === 0) return null;
  return run.state === "stopped"
    ? stoppedSentence(run.stoppedBecause)
    : "Some rows have no final outcome.";
}

function stoppedSentence(because: string | null): string {
  switch (because) {
    case null:
      return "Stopped.";
    case stoppedOnRequest:
      return "Stopped on request.";
    case killedReason:
      return "Interrupted: the program was killed.";
    default:
      return `Stopped: ${because}.`;
  }
}

/** Returns a sentence about a run's end in this process, in more detail than the recorded one. */
export function endSentence(
  end: RunEnd,
  context: ErrorContext = { doing: "sending its rows" },
): string {
  switch (end.kind) {
    case "ended":
      return "Every row has ended.";
    case "stopped":
      return "It was stopped on request.";
    case "unsent":
      return `${unsentWords(end.rows)}.`;
    case "service-down":
      return `The service remained unavailable: ${end.why.replace(/\.$/, "")}.`;
    case "waits":
      return waitingWords(end.request);
    case "team-away":
    case "not-approved":
    case "credentials":
      return errorLine(end.error, context);
    case "journal":
      return `The journal cannot be written: ${errorWords(end.error, context).sentence}`;
  }
}

export function leftWords(
  run: Pick<RunRecord, "id" | "counts" | "leftAlone">,
  why: string,
): string {
  return `Run ${run.id} has stopped, ${plural(rowsLeft(run), "row")} left: ${why}`;
}
