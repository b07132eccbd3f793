/** Words for why a run is over: as it is recorded, and as sentences. */
import { isServiceError } from "../api/errors.ts";
import type { ErrorContext } from "../errors/app-error.ts";
import { errorLine, errorWords } from "../errors/error-words.ts";
import { plural } from "../text/numbers.ts";
import type { RunEnd } from "./progress.ts";
import { rowsLeft } from "./run-counts.ts";
import type { RunRecord } from "./run-record.ts";

const byYou = "it was stopped on request";
export const killedReason = "its process ended before it did";

/** Returns why a run stopped, as it is recorded and printed as JSON; null if it did not. */
export function becauseOf(end: RunEnd): string | null {
  switch (end.kind) {
    case "ended":
      return null;
    case "stopped":
      return byYou;
    case "service-down":
      return end.why;
    case "credentials":
      return isServiceError(end.error, "credentials")
        ? "there was no valid token"
        : "the service refused the credentials";
    case "journal":
      return "the journal could not be written";
  }
}

/** Returns the sentence for what is recorded of a run that stopped. */
export function stoppedSentence(because: string | null): string {
  switch (because) {
    case null:
      return "Stopped.";
    case byYou:
      return "Stopped by you.";
    case killedReason:
      return "Interrupted: the program was killed.";
    default:
      return `Stopped: ${because}.`;
  }
}

/** Returns the sentence for an end that this process has seen; it has more to say than the record. */
export function endSentence(
  end: RunEnd,
  context: ErrorContext = { doing: "sending its rows" },
): string {
  switch (end.kind) {
    case "ended":
      return "Every row has ended.";
    case "stopped":
      return "You stopped it.";
    case "service-down":
      return `The service remained unavailable: ${end.why.replace(/\.$/, "")}.`;
    case "credentials":
      return errorLine(end.error, context);
    case "journal":
      return `The journal cannot be written: ${errorWords(end.error, context).sentence}`;
  }
}

/** Returns the sentence about a run that stopped with rows left, and the reason for it. */
export function leftWords(run: Pick<RunRecord, "id" | "counts">, why: string): string {
  return `Run ${run.id} has stopped, ${plural(rowsLeft(run), "row")} left: ${why}`;
}
