/** Parses the name of a request, and reads the request with its ledger. */
import { InvalidArgumentError } from "commander";
import { AppError } from "../../errors/app-error.ts";
import type { Approval, Approvals } from "../../writes/team/approvals.ts";
import type { Invocation } from "../invocation.ts";
import { withOpenTeam } from "../team/with-open-team.ts";

/** Parses `a17`, also without the letter. Throws InvalidArgumentError. */
export function approvalArgument(text: string): number {
  const [, digits] = /^a?([1-9]\d{0,14})$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError("Write the name of a request, as a17.");
  return Number(digits);
}

/** Runs work with a request of the service. Rejects with a team error, `not-found` without it. */
export function withApproval<T>(
  invocation: Invocation,
  id: number,
  work: (approvals: Approvals, request: Approval) => Promise<T>,
): Promise<T> {
  return withOpenTeam(invocation, async ({ team }) => {
    const { approvals } = team.ledger;
    const request = await approvals.find(id);
    if (request === null) throw noApproval(id);
    return work(approvals, request);
  });
}

export function noApproval(id: number): AppError<"write"> {
  return new AppError("write", "not-found", `The team has no request a${id} for this service.`, {
    remedy: "`supplyline approvals list` lists them.",
  });
}
