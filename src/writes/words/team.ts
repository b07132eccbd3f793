/** Describes the refusals of a team's ledger. The names in them come from colleagues. */
import { AppError } from "../../errors/app-error.ts";
import { capital } from "../../text/connection-words.ts";
import { utcInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { PreparedWrite } from "../prepare.ts";
import type { WriteResult } from "../send/events.ts";
import type { TeamBar } from "../team/ask.ts";
import type { Barred, LedgerRefusal, TeamEntry, TeamFinding } from "../team/ledger.ts";
import { unapprovedError } from "./approvals.ts";
import { authorWords } from "./authors.ts";

type Refused = Pick<WriteResult, "operation" | "journalId"> & {
  readonly items: number;
};

type BarredWrite = Pick<PreparedWrite, "operation" | "keys">;

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
      const words = `An entry of ${authorWords(refusal.entry)} for the same account did not end in time.`;
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

function barredError(
  { why, findings, entry, approval = { why: "none", request: null } }: Barred,
  write: Refused,
): AppError<"team"> | AppError<"write"> {
  const { journalId } = write;
  switch (why) {
    case "sent-before":
    case "refused-before": {
      const finding = barringFinding({ why, findings });
      const kind = why === "sent-before" ? "duplicate" : "blocked";
      const words =
        finding === null
          ? "The team's ledger has an earlier entry with the same item."
          : findingWords(finding, write);
      const passed =
        finding === null ? nothingSent : `${nothingSent} ${remedyOf(finding, journalId)}`;
      return new AppError("write", kind, words, { journalId, remedy: passed });
    }
    case "recorded": {
      if (entry?.state === "closed") {
        const shown = `\`supplyline activity show t${entry.id}\` says who, and why.`;
        return impossible(
          `This entry was closed in the team's ledger: ${shown}`,
          write,
          nothingSent,
        );
      }
      const state = entry === null ? "" : ` (${entry.state})`;
      const words = `The team's ledger has an outcome of this entry${state}, so this state folder is older than its own claims.`;
      return impossible(words, write, nothingSent);
    }
    case "copied": {
      const from = entry === null ? "" : ` from ${safe(entry.machine)}`;
      const words = `The team's ledger knows entry ${journalId} of this state folder with other content: the folder was copied${from} or restored.`;
      const remedy = `${nothingSent} \`supplyline team join --new\` gives it an identity of its own.`;
      return impossible(words, write, remedy);
    }
    case "given-up":
      return impossible(
        "The claim of this entry at the team's ledger was given up.",
        write,
        `${nothingSent} \`supplyline activity resend ${journalId}\` sends it.`,
      );
    case "unapproved":
      return unapprovedError(approval, { next: `activity resend ${journalId}`, journalId });
    case "restored":
      return impossible(
        "The team's ledger was restored from a backup, and not every machine has reported back.",
        write,
        `${nothingSent} \`supplyline team status\` names them.`,
      );
  }
}

function barringFinding({ why, findings }: Pick<Barred, "why" | "findings">): TeamFinding | null {
  return findings.find(({ isPassed, kind }) => !isPassed && kind === why) ?? null;
}

export function barringEntry(refusal: Barred): TeamEntry | null {
  return barringFinding(refusal)?.earlier ?? null;
}

export function unpublishedWords(outcomes: number): string {
  const are = outcomes === 1 ? "outcome is" : "outcomes are";
  const it = outcomes === 1 ? "it" : "them";
  return `${count(outcomes)} ${are} in the journal of this machine and not published yet. Until then, the team sees ${it} as being sent. \`supplyline team publish\` publishes ${it}.`;
}

export function teamBarError(bar: TeamBar, write: BarredWrite): AppError<"write"> {
  const { worst } = bar;
  const kind = worst.kind === "refused-before" ? "blocked" : "duplicate";
  const remedy = `${nothingSent} ${remedyOf(worst, null)}`;
  return new AppError("write", kind, teamBarWords(bar, write), { remedy });
}

export function teamBarredError(words: string): AppError<"write"> {
  const remedy = `${nothingSent} --again --reason TEXT sends it all the same.`;
  return new AppError("write", "duplicate", words, { remedy });
}

export function isBeingSent({ state, earlier }: Pick<TeamFinding, "state" | "earlier">): boolean {
  return state === "sending" && !earlier.isLeaseOver;
}

export function teamBarWords({ worst }: TeamBar, { operation, keys }: BarredWrite): string {
  return findingWords(worst, { operation, items: keys.length });
}

function remedyOf({ state, earlier }: TeamFinding, entry: number | null): string {
  const shown = `\`supplyline activity show t${earlier.id}\` shows that entry`;
  if (isBeingSent({ state, earlier })) return `${shown}.`;
  const again = entry === null ? "--again" : `\`supplyline activity resend ${entry}\` with --again`;
  return `${shown}; ${again} --reason TEXT sends it all the same.`;
}

/** Describes a colleague's entry with the same item, in a sentence. */
export function findingWords(
  { kind, position, state, earlier }: Pick<TeamFinding, "kind" | "position" | "state" | "earlier">,
  { operation, items }: Pick<Refused, "operation" | "items">,
): string {
  const { item } = kindOf(operation);
  const by = authorWords(earlier);
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
    case "unsent":
    case "rejected":
    case "retryable":
    case "unknown":
      return `was sent before as ${entry}, which is ${state}; it might have taken effect`;
    case null:
      return `was sent before, as ${entry}`;
  }
}
