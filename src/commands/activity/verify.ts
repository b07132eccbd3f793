import { isSameService } from "../../api/url.ts";
import { toJson } from "../../json/exact.ts";
import { profileWords } from "../../settings/sandbox-profile.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { refuseTeam } from "../../writes/refuse-team.ts";
import type { WriteContext } from "../../writes/send/events.ts";
import { entryOf } from "../../writes/submit.ts";
import {
  planVerification,
  requestsOf,
  type Verification,
  type VerifyPlan,
  verify,
} from "../../writes/verify.ts";
import { writeWords } from "../../writes/words/contents.ts";
import { usageError } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { type Target, withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { confirmWrite } from "../writes/confirm-write.ts";
import { dryWrite, printRequests, statusRequest } from "../writes/dry-run.ts";
import { itemColumns, printOutcome, responseOf } from "../writes/outcome.ts";
import { askSecondPerson } from "../writes/waiting.ts";
import { publishedFacts, sendingOf, withWrites } from "../writes/with-writes.ts";
import { addSendingOptions, type SendingOptions } from "../writes/write-options.ts";
import { type EntryArgument, entryArgument } from "./entry-argument.ts";
import { outcomeParts } from "./resend.ts";
import { verifyOfTeam } from "./verify-of-team.ts";

export const verb: Verb = {
  description: "check the unknown outcome of an entry",
  declare: (command) =>
    addSendingOptions(
      command.argument("<id>", "number in the journal, or tN of the team", entryArgument),
    ),
  columns: itemColumns,
  /**
   * Determines the outcome of an entry. Asks for a confirmation first if that sends the entry
   * again.
   */
  async run(invocation, entry: EntryArgument, { settle, dryRun }: SendingOptions) {
    const { id } = entry;
    if (entry.of === "team") return verifyOfTeam(invocation, id, dryRun === true);
    return withTarget(invocation, (target) =>
      withWrites(invocation, target, async ({ context }) => {
        const plan = planVerification(context, id);
        if (plan.kind === "impossible")
          return reportImpossible(invocation, context, target, id, plan.why);
        if (dryRun === true) return printPlan(invocation, context, id, plan);
        const parts = outcomeParts(context, target, id);
        invocation.progress(planWords(plan, id));
        if (plan.kind !== "look-up") refuseTeam(context);
        if (plan.kind !== "look-up")
          await confirmWrite(invocation, target.profile, {
            subject: `entry ${id} again: ${writeWords(parts)}`,
            doing: `verifying entry ${id} by sending it again`,
            operation: parts.operation,
            target: parts.id,
            again: null,
          });
        const verification = await verify(context, id, sendingOf(invocation, settle));
        const { results } = verification;
        const sent = { results, journalId: id, by: "verify" } as const;
        const waits = await askSecondPerson(invocation, target, context, sent);
        if (waits !== null) return waits;
        const [result] = results;
        if (verification.plan === "by-item" || result === undefined)
          return printByItem(invocation, target, id, verification);
        const team = await publishedFacts(context, id);
        return printOutcome(invocation, { ...parts, result, team });
      }),
    );
  },
  exits: exits.write,
  examples: ["supplyline activity verify 12 --dry-run", "supplyline activity verify 12"],
};

function printPlan(
  invocation: Invocation,
  context: WriteContext,
  id: number,
  plan: VerifyPlan,
): Promise<ExitCode> {
  const { baseUrl, target } = entryOf(context, id);
  if (plan.kind === "look-up") return printRequests(invocation, [statusRequest(baseUrl, target)]);
  const requests = requestsOf(context, id, plan).map((request) =>
    dryWrite(baseUrl, { ...request, path: kindOf(request.operation).path }),
  );
  return printRequests(invocation, requests);
}

function planWords(plan: Exclude<VerifyPlan, { kind: "impossible" }>, id: number): string {
  switch (plan.kind) {
    case "look-up":
      return `Checking if the supply point of entry ${id} exists.`;
    case "checked-resend":
      return `Sending entry ${id} again: the service adds what is missing and reports the rest as already existing.`;
    case "by-item":
      return `Sending ${plan.positions.length} items of entry ${id} one by one: the service adds what is missing and reports the rest as already existing.`;
  }
}

/**
 * Reports that the outcome stays unknown, with the reason. Throws `usage` for an entry of another
 * service, because the wrong profile is selected.
 */
function reportImpossible(
  invocation: Invocation,
  context: WriteContext,
  { service }: Target,
  id: number,
  reason: string,
): number {
  if (!isSameService(entryOf(context, id).baseUrl, service.baseUrl)) throw usageError(reason);
  invocation.report({
    exitCode: exitCode.unknownOutcome,
    kind: "unknown-outcome",
    message: `The outcome of entry ${id} is still unknown. ${reason} If you know the outcome, close it: \`supplyline activity close ${id} --reason TEXT\`.`,
    journalId: id,
  });
  return exitCode.unknownOutcome;
}

function printByItem(
  invocation: Invocation,
  { profile }: Target,
  id: number,
  verification: Verification,
): number {
  const { out, globals } = invocation;
  const { outcome, items, results } = verification;
  const children = results.map(({ journalId }) => journalId);
  const result = results.at(-1) ?? null;
  const response = result === null ? null : responseOf(result, profile.brand);
  if (printsJson(globals)) {
    out.close(`${toJson({ journal_id: id, outcome, response, items, children }, 2)}\n`);
  } else {
    out.close(
      `Journal entry ${id}, on ${profileWords(profile)}: ${outcome}; sent one by one as ${children.join(", ") || "-"}.\n`,
    );
    for (const item of items)
      out.close(`  ${toJson(item.label ?? item.position + 1)} ${item.outcome}\n`);
  }
  if (outcome === "confirmed") return exitCode.done;
  const code = codeOf(verification);
  const words = outcome === "unknown" ? "is still unknown" : `is ${outcome}`;
  invocation.report({
    exitCode: code,
    kind: outcome === "unknown" ? "unknown-outcome" : "rejected",
    message: `Entry ${id} ${words}: ${items.filter((item) => item.outcome === "rejected").length} of ${items.length} items were rejected.`,
    httpStatus: result?.httpStatus ?? undefined,
    code: result?.code ?? undefined,
    journalId: id,
  });
  return code;
}

/** Returns the exit code for an outcome that is not confirmed. */
function codeOf({ outcome }: Verification): ExitCode {
  return outcome === "unknown" ? exitCode.unknownOutcome : exitCode.rejected;
}
