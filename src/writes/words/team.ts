/** Describes the refusals of a team's ledger. The names in them come from colleagues. */
import { AppError } from "../../errors/app-error.ts";
import { capital } from "../../text/connection-words.ts";
import { utcInstant } from "../../text/dates.ts";
import { safe } from "../../text/sanitize.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { WriteResult } from "../send/events.ts";
import type { Barred, LedgerRefusal, TeamEntry, TeamFinding } from "../team/ledger.ts";

/** The facts of a refused write. */
type Refused = Pick<WriteResult, "operation" | "journalId"> & {
  readonly items: number;
};

const nothingSent = "Nothing was sent.";

export function refusalError(
  refusal: LedgerRefusal,
  write: Refused,
): AppError<"team"> | AppError<"write"> {
  const { journalId } = write;
  switch (refusal.kind) {
    case "away": {
      const { kind, message, facts } = refusal.error;
      const { remedy = null } = facts;
      const resend = `${nothingSent} \`supplyline activity resend ${journalId}\` sends it later.`;
      const next = [remedy, resend].filter((part) => part !== null).join(" ");
      return new AppError("team", kind, message, { ...facts, journalId, remedy: next });
    }
    case "busy": {
      const words = `An entry of ${byWords(refusal.entry)} for the same account did not end in time.`;
      return new AppError("write", "in-use", words, { journalId, remedy: nothingSent });
    }
    case "lost":
      return impossible("The team's ledger no longer has this entry as being sent.", write);
    case "barred":
      return barredError(refusal, write);
  }
}

function impossible(words: string, { journalId }: Refused, remedy: string | null = null) {
  return new AppError("write", "not-possible", words, { journalId, remedy });
}

function barredError({ why, findings, entry }: Barred, write: Refused): AppError<"write"> {
  const { journalId } = write;
  switch (why) {
    case "sent-before":
    case "refused-before": {
      const finding = findings.find(({ isPassed, kind }) => !isPassed && kind === why);
      const kind = why === "sent-before" ? "duplicate" : "blocked";
      const words =
        finding === undefined
          ? "The team's ledger has an earlier entry with the same item."
          : findingWords(finding, write);
      return new AppError("write", kind, words, { journalId, remedy: nothingSent });
    }
    case "recorded": {
      const state = entry === null ? "" : ` (${entry.state})`;
      const words = `The team's ledger has an outcome of this entry${state}, so this state folder is older than its own claims.`;
      return impossible(words, write, nothingSent);
    }
    case "copied": {
      const from = entry === null ? "" : ` from ${safe(entry.machine)}`;
      const words = `The team's ledger knows entry ${journalId} of this state folder with other content: the folder was copied${from} or restored.`;
      return impossible(words, write, nothingSent);
    }
    case "given-up":
      return impossible(
        "The claim of this entry at the team's ledger was given up.",
        write,
        `${nothingSent} \`supplyline activity resend ${journalId}\` sends it.`,
      );
    case "restored":
      return impossible(
        "The team's ledger was restored from a backup, and not every machine has reported back.",
        write,
        `${nothingSent} \`supplyline team status\` names them.`,
      );
  }
}

/** Describes an earlier entry of the team with the same item, in a sentence. */
function findingWords(
  { kind, position, state, earlier }: Pick<TeamFinding, "kind" | "position" | "state" | "earlier">,
  { operation, items }: Pick<Refused, "operation" | "items">,
): string {
  const { item } = kindOf(operation);
  const by = byWords(earlier);
  const at = `at ${utcInstant(earlier.at)}`;
  const entry = `t${earlier.id} by ${by} ${at}`;
  if (kind === "refused-before")
    return `The service rejected this same form before, as ${entry}. It must not be sent again unchanged.`;
  const subject = items === 1 ? `The same ${item}` : `${capital(item)} ${position + 1} of ${items}`;
  return `${subject} ${stateWords({ state, earlier, entry })}.`;
}

function stateWords({
  state,
  earlier,
  entry,
}: Pick<TeamFinding, "state" | "earlier"> & { readonly entry: string }): string {
  switch (state) {
    case "confirmed":
      return `was sent before and confirmed, as ${entry}`;
    case "sending":
      return earlier.isLeaseOver
        ? `was sent as ${entry}, and no outcome arrived since; it might have taken effect`
        : `is being sent now, as ${entry}: wait for its outcome`;
    case "closed":
      return `was sent before as ${entry}, and a person closed it; it might have taken effect`;
    case "intent":
    case "unsent":
    case "rejected":
    case "retryable":
    case "unknown":
      return `was sent before as ${entry}, which is ${state}; it might have taken effect`;
    case null:
      return `was sent before, as ${entry}`;
  }
}

/** Names the person and the machine, and the login of the database if it is another name. */
function byWords({ person, machine, login }: TeamEntry): string {
  const name = person === login ? safe(person) : `${safe(login)} (${safe(person)})`;
  return `${name} on ${safe(machine)}`;
}
