/** Describes requests for an approval. Their names and texts come from colleagues. */
import { AppError } from "../../errors/app-error.ts";
import { utcInstant } from "../../text/dates.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { isOperation, kindOf } from "../kinds/kinds.ts";
import {
  type Approval,
  type ApprovalRow,
  approvalName,
  type DecisionAnswer,
  isOpen,
  type RequestStanding,
  type Unapproved,
} from "../team/approvals.ts";
import { personWords } from "./authors.ts";

const nothingSent = "Nothing was sent.";

/** Names the person who decided, or null while no one has. */
function deciderWords({
  decidedBy,
  decider,
}: Pick<Approval, "decidedBy" | "decider">): string | null {
  if (decidedBy === null) return null;
  return personWords({ login: decidedBy, person: decider ?? decidedBy });
}

/** Returns the plural of what a request moves, such as `payments`. */
function requestNoun({ operation }: Pick<Approval, "operation">): string {
  return isOperation(operation) ? kindOf(operation).plural : safe(operation);
}

/** Describes the contents of a request: `payments of run rc3qas (wave3.csv)`. */
export function requestWords(request: Pick<Approval, "operation" | "run" | "source">): string {
  const { run, source } = request;
  const of = run === null ? "" : ` ${safe(run)}`;
  return `${requestNoun(request)}${of}${source === null ? "" : ` (${safe(source)})`}`;
}

/** Formats the rows and the sum: `38 rows` or `12 rows, sum -1204.10`. */
export function amountWords({ rows, sum }: Pick<Approval, "rows" | "sum">): string {
  return `${plural(rows, "row")}${sum === null ? "" : `, sum ${safe(sum)}`}`;
}

/** Returns the command with which another person approves a request. */
export function approveCommand(request: Pick<Approval, "id" | "rows" | "sum">): string {
  const { rows, sum } = request;
  const expected = `--expect-rows ${rows}${sum === null ? "" : ` --expect-sum ${shellQuote(safe(sum))}`}`;
  return `supplyline approvals approve ${approvalName(request)} ${expected}`;
}

/** The label of each standing. */
const standingWords: Readonly<Record<RequestStanding, string>> = {
  waits: "waits",
  approved: "approved",
  refused: "refused",
  expired: "expired",
  used: "used",
};

/** Returns the label of a standing, with what is left of an approval. */
export function standingLabel({
  standing,
  left,
  rows,
}: Pick<Approval, "standing" | "left" | "rows">) {
  const label = standingWords[standing];
  return standing === "approved" && left < rows ? `${label}, ${count(left)} left` : label;
}

/** Describes a published request: who can approve it, and until when. */
export function waitingWords(request: Approval): string {
  return `Request ${approvalName(request)} waits for a second person: ${amountWords(request)}, until ${utcInstant(request.expiresAt)}. ${nothingSent}`;
}

/** Returns the sentence about a claim without an approval. */
export function unapprovedWords({ why, request }: Unapproved): string {
  if (request === null || why === "none")
    return "The team asks for two people for what moves money here, and no request has this entry.";
  const name = approvalName(request);
  switch (why) {
    case "waits":
      return `Request ${name} still waits for a second person: ${personWords(request)} asked at ${utcInstant(request.at)}, and it ends at ${utcInstant(request.expiresAt)}.`;
    case "refused":
      return `${deciderWords(request) ?? "A person"} refused request ${name}${at(request.decidedAt)}: ${safe(request.reason ?? "without a reason")}.`;
    case "expired":
      return `Request ${name} expired at ${utcInstant(request.expiresAt)}: ${personWords(request)} had asked at ${utcInstant(request.at)}.`;
    case "used":
      return `The approval of request ${name} was used for this entry.`;
    case "changed":
      return `Request ${name} has this entry with other bytes or another override.`;
  }
}

function at(ms: number | null, time: (ms: number) => string = utcInstant): string {
  return ms === null ? "" : ` at ${time(ms)}`;
}

/**
 * Returns the error for a write without an approval. `next` is the command that asks or sends, such
 * as `bulk resume rc3qas`.
 */
export function unapprovedError(
  unapproved: Unapproved,
  { next, journalId = null }: { readonly next: string; readonly journalId?: number | null },
): AppError<"team"> {
  const { why, request } = unapproved;
  const what = ((): string => {
    if (why === "refused") return "Correct what was refused, and write it as a new entry or run.";
    if (why !== "waits" || request === null) return `\`supplyline ${next}\` asks for an approval.`;
    return `Another person approves it with \`${approveCommand(request)}\`; then \`supplyline ${next}\` sends it.`;
  })();
  const facts = { remedy: `${nothingSent} ${what}`, ...(journalId === null ? {} : { journalId }) };
  return new AppError("team", "not-approved", unapprovedWords(unapproved), facts);
}

/** Describes the override of a row: the reason, and the earlier entries, or null without one. */
export function overrideWords({ again }: Pick<ApprovalRow, "again">): string | null {
  if (again === null) return null;
  const earlier = again.passes.map(({ kind, entry }) => {
    const name = entry.of === "ledger" ? `t${entry.id}` : `entry ${entry.id} of its machine`;
    return `${name} (${kind === "refused-before" ? "refused" : "sent before"})`;
  });
  return `${safe(again.reason)}: ${earlier.join(", ")}`;
}

/**
 * Returns the facts of a request for a person who decides, the most important first. `time` formats an
 * instant.
 */
export function requestLines(
  request: Approval,
  time: (ms: number) => string = utcInstant,
): readonly string[] {
  const { suppliers, overrides, machine, decidedAt, reason, chain } = request;
  const decider = deciderWords(request);
  const decided = decider === null ? "" : `, by ${decider}${at(decidedAt, time)}`;
  const ends = isOpen(request) ? `. It ends at ${time(request.expiresAt)}` : "";
  return [
    `Request ${approvalName(request)}: ${requestWords(request)}, ${amountWords(request)}.`,
    `State: ${standingLabel(request)}${decided}${reason === null ? "" : `: ${safe(reason)}`}${ends}.`,
    ...(overrides === 0
      ? []
      : [
          `${plural(overrides, "row")} ${overrides === 1 ? "overrides" : "override"} an earlier entry, which might take effect twice.`,
        ]),
    `Prepared by ${request.isMine ? "you, " : ""}${personWords(request)} on ${safe(machine)} at ${time(request.at)}, with profile ${safe(request.profile)}.`,
    `Suppliers: ${suppliers.map(safe).join(", ")}. Chain: ${safe(chain)}`,
  ];
}

/** Returns the error for a decision that the ledger did not take. */
export function decisionError(
  answer: Exclude<DecisionAnswer, { readonly kind: "not-found" }>,
): AppError<"team"> {
  const { approval } = answer;
  const name = approvalName(approval);
  const nothing = "Nothing was decided.";
  const failure = (words: string, remedy: string) =>
    new AppError("team", "not-approved", words, { remedy: `${nothing} ${remedy}` });
  switch (answer.kind) {
    case "own":
      return failure(
        `Your login ${safe(approval.login)} prepared request ${name}, so another person approves it.`,
        "Each person has a login of their own.",
      );
    case "ci":
      return failure(
        `A login of CI may prepare and not approve, so request ${name} still waits.`,
        "A person approves it.",
      );
    case "other-amounts":
      return failure(
        `Request ${name} has ${amountWords(approval)}.`,
        `Look at it again: \`supplyline approvals show ${name}\`.`,
      );
    case "not-open":
      return failure(
        `Request ${name} is ${standingLabel(approval)}.`,
        "The person who prepared it can ask again.",
      );
    case "approved":
    case "refused":
      return failure(`Request ${name} is ${answer.kind}.`, "");
  }
}

/** Describes what waits in a list of requests: `1 waits for you, 1 of yours waits`. */
export function listWords(requests: readonly Approval[]): string {
  const waiting = requests.filter(({ standing }) => standing === "waits");
  const mine = waiting.filter(({ isMine }) => isMine).length;
  const theirs = waiting.length - mine;
  const verb = (n: number) => (n === 1 ? "waits" : "wait");
  const parts = [
    ...(theirs === 0 ? [] : [`${count(theirs)} ${verb(theirs)} for you`]),
    ...(mine === 0 ? [] : [`${count(mine)} of yours ${verb(mine)}`]),
  ];
  return parts.length === 0 ? "Nothing waits." : parts.join(", ");
}
