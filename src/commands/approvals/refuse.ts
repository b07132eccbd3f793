import { recordOf } from "../../text/fields.ts";
import { approvalFields } from "../../writes/approval-fields.ts";
import { approvalName } from "../../writes/team/approvals.ts";
import { decisionError } from "../../writes/words/approvals.ts";
import { givenReason } from "../command-error.ts";
import { printDone } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { approvalArgument, noApproval, withApproval } from "./approval-argument.ts";

export const verb: Verb = {
  description: "refuse a request with a reason, or take an approval back",
  declare: (command) =>
    command
      .argument("<request>", "the request, such as a17", approvalArgument)
      .requiredOption("--reason <text>", "why; the person who asked reads it"),
  columns: Object.values(approvalFields),
  async run(invocation, id: number, { reason }: { readonly reason: string }) {
    const given = givenReason(reason, "a refusal");
    const answer = await withApproval(invocation, id, (approvals) =>
      approvals.decide(id, { kind: "refuse", reason: given }),
    );
    if (answer.kind === "not-found") throw noApproval(id);
    if (answer.kind !== "refused") throw decisionError(answer);
    const { approval } = answer;
    await printDone(
      invocation,
      recordOf(Object.values(approvalFields), approval),
      `Request ${approvalName(approval)} is refused.`,
    );
  },
  exits: [0, 2, 3, 5, 6, 130],
  examples: ["supplyline approvals refuse a17 --reason 'the file of last week'"],
};
