import { recordOf } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { approvalFields } from "../../writes/approval-fields.ts";
import { decimalOf, sameDecimal } from "../../writes/gate.ts";
import { type Approval, approvalName, type DecisionAnswer } from "../../writes/team/approvals.ts";
import { decisionError, requestLines } from "../../writes/words/approvals.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { decimalOption, wholeNumberOption } from "../option-values.ts";
import { printDone } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { canAsk, createPrompter, notConfirmed } from "../writes/ask.ts";
import { approvalArgument, noApproval, withApproval } from "./approval-argument.ts";

interface ApproveOptions {
  readonly expectRows?: number;
  readonly expectSum?: string;
}

export const verb: Verb = {
  description: "approve the request of another person, after typing its rows and its sum",
  declare: (command) =>
    command
      .argument("<request>", "the request, such as a17", approvalArgument)
      .option("--expect-rows <n>", "approve only if there are N rows", wholeNumberOption(1))
      .option("--expect-sum <x>", "approve only if the amounts add up to X", decimalOption),
  columns: Object.values(approvalFields),
  /** Approves a request. Rejects with a team error if the login may not. */
  async run(invocation, id: number, options: ApproveOptions) {
    const approved = await withApproval(invocation, id, async (approvals, request) => {
      if (request.standing !== "waits")
        throw decisionError({ kind: "not-open", approval: request });
      if (request.isMine) throw decisionError({ kind: "own", approval: request });
      await confirm(invocation, request, options);
      const { rows, sum } = request;
      return approvedOf(id, await approvals.decide(id, { kind: "approve", rows, sum }));
    });
    const left = `It allows exactly these bytes once, until it ends.`;
    await printDone(
      invocation,
      recordOf(Object.values(approvalFields), approved),
      `Request ${approvalName(approved)} is approved. ${left}`,
    );
  },
  exits: [0, 2, 3, 5, 6, 130],
  examples: [
    "supplyline approvals approve a17 --expect-rows 38",
    "supplyline approvals approve a18 --expect-rows 12 --expect-sum -1204.10",
  ],
};

const notApproved = "Nothing was approved.";

/** Confirms the numbers of a request with the flags, or asks for them at a terminal. */
async function confirm(
  { io, problem }: Invocation,
  request: Approval,
  { expectRows, expectSum }: ApproveOptions,
): Promise<void> {
  const { rows, sum } = request;
  if (expectRows !== undefined && expectRows !== rows)
    throw usageError(`the request has ${count(rows)} rows, not ${count(expectRows)}`, notApproved);
  if (expectSum !== undefined && !sameDecimal(expectSum, sum))
    throw usageError(
      `the request has the sum ${sum ?? "of no amounts"}, not ${expectSum}`,
      notApproved,
    );
  const isAsked = expectRows === undefined || (sum !== null && expectSum === undefined);
  if (!isAsked) return;
  if (!canAsk(io)) {
    const flags = sum === null ? "--expect-rows N" : "--expect-rows N and --expect-sum X";
    throw usageError(
      "an approval needs the numbers of the request",
      `${notApproved} Give ${flags}.`,
    );
  }
  for (const line of requestLines(request)) problem(line);
  await using prompter = createPrompter(io);
  const typedRows = await prompter.ask("To approve it, type the number of rows: ");
  if (decimalOf(typedRows) !== String(rows))
    throw notConfirmed(typedRows, count(rows), notApproved);
  if (sum === null) return;
  const typedSum = await prompter.ask("And the sum of their amounts: ");
  if (!sameDecimal(decimalOf(typedSum), sum)) throw notConfirmed(typedSum, sum, notApproved);
}

function approvedOf(id: number, answer: DecisionAnswer): Approval {
  if (answer.kind === "not-found") throw noApproval(id);
  if (answer.kind === "approved") return answer.approval;
  throw decisionError(answer);
}
