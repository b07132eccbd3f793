/** Approves and refuses requests of colleagues, after typed numbers or a reason. Sends nothing. */
import { count } from "../text/numbers.ts";
import { decimalOf, sameDecimal } from "../writes/gate.ts";
import { type Approval, approvalName, type Decision, isOpen } from "../writes/team/approvals.ts";
import {
  amountWords,
  decisionError,
  requestWords,
  standingLabel,
} from "../writes/words/approvals.ts";
import { personWords } from "../writes/words/authors.ts";
import type { Here } from "./app.ts";
import { failureWords } from "./entry-actions.ts";

/** Returns the reason why a request cannot be approved here, or null. */
export function notApprovable(request: Approval | null): string | null {
  if (request === null) return "No request is under the cursor.";
  if (request.standing !== "waits") return `It is ${standingLabel(request)}.`;
  return request.isMine ? "You prepared it; another person approves it." : null;
}

/** Returns the reason why a request cannot be refused, or null. */
export function notRefusable(request: Approval | null): string | null {
  if (request === null) return "No request is under the cursor.";
  return isOpen(request) ? null : `It is ${standingLabel(request)}.`;
}

/** Asks for the number of rows and the sum, and approves a request. */
export function approveRequest(here: Here, request: Approval): void {
  const { overlays } = here.app;
  const { rows, sum } = request;
  const title = `Approve ${approvalName(request)} of ${personWords(request)}: ${requestWords(request)}`;
  const hint = `It allows exactly these bytes once. Type ${count(rows)} to ${sum === null ? "approve" : "continue"}.`;
  const approve = () => decide(here, request, { kind: "approve", rows, sum });
  const askSum = (wanted: string) =>
    overlays.prompt({
      ...{ confirms: true, title, label: "Sum", hint: `Type ${wanted} to approve.` },
      onSubmit(typed) {
        if (!sameDecimal(decimalOf(typed), wanted)) return `That is not ${wanted}.`;
        approve();
        return null;
      },
    });
  overlays.prompt({
    ...{ confirms: true, title, label: "Number of rows", hint },
    onSubmit(typed) {
      if (decimalOf(typed) !== String(rows)) return `That is not ${count(rows)}.`;
      if (sum === null) approve();
      else askSum(sum);
      return null;
    },
  });
}

/** Asks for a reason, and refuses a request. */
export function refuseRequest(here: Here, request: Approval): void {
  here.app.overlays.prompt({
    title: `Refuse ${approvalName(request)} of ${personWords(request)}: ${amountWords(request)}`,
    label: "Reason",
    hint: "The person who asked reads it. What was sent under it stays sent.",
    onSubmit(reason) {
      if (reason.trim() === "") return "A refusal needs a reason.";
      decide(here, request, { kind: "refuse", reason: reason.trim() });
      return null;
    },
  });
}

/** Decides a request in the ledger, and reports the end. */
function decide({ app, session }: Here, request: Approval, decision: Decision): void {
  const name = approvalName(request);
  const work = async () => {
    const { team } = (await session.writes()).context;
    if (team === null) throw new Error("The profile has no team.");
    const answer = await team.ledger.approvals.decide(request.id, decision);
    session.team.refresh();
    if (answer.kind === "not-found") {
      app.notices.show(`Request ${name} is gone.`, "bad");
      return;
    }
    if (answer.kind !== "approved" && answer.kind !== "refused") throw decisionError(answer);
    app.notices.announce(`Request ${name} is ${answer.kind}.`, "ok");
  };
  work().catch((error: unknown) => {
    const words = failureWords(error, `deciding request ${name}`);
    app.notices.show(`${words} Nothing was decided.`, "bad");
  });
}
