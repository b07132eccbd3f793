import { AppError } from "../../errors/app-error.ts";
import type { Entry } from "../../writes/journal/entry.ts";
import { notPassed } from "../../writes/journal/override.ts";
import type { Operation } from "../../writes/kinds/kind.ts";
import { numberOf } from "../../writes/kinds/kind.ts";
import { bodyFacts, type PreparedWrite, prepareWrite } from "../../writes/prepare.ts";
import { doubtOf, findingsOf, planResend, resend, resendWords } from "../../writes/resend.ts";
import type { WriteContext } from "../../writes/send/events.ts";
import { entryOf } from "../../writes/submit.ts";
import { writeWords } from "../../writes/words/contents.ts";
import { describeEarlierEntry, passedWords } from "../../writes/words/guard.ts";
import type { Invocation } from "../invocation.ts";
import { type Target, withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { askColleagues } from "../writes/ask-team.ts";
import { explainWithoutFields } from "../writes/body.ts";
import { confirmWrite } from "../writes/confirm-write.ts";
import { dryWrite, printRequests } from "../writes/dry-run.ts";
import { describeWrite, subjectOf } from "../writes/make-write.ts";
import { itemColumns, printOutcome } from "../writes/outcome.ts";
import type { Outcome } from "../writes/outcome-failure.ts";
import { askSecondPerson } from "../writes/waiting.ts";
import { publishedFacts, sendingOf, withWrites } from "../writes/with-writes.ts";
import { addWriteOptions, againOf, type WriteOptions } from "../writes/write-options.ts";
import { type EntryArgument, entryArgument } from "./entry-argument.ts";
import { refuseTeamEntry } from "./team-entries.ts";

export const verb: Verb = {
  description: "send an entry again unchanged, after explaining what that might do",
  declare: (command) =>
    addWriteOptions(command.argument("<id>", "number in the journal", entryArgument)),
  columns: itemColumns,
  async run(invocation, entry: EntryArgument, options: WriteOptions) {
    const { id } = entry;
    if (entry.of === "team") return refuseTeamEntry(invocation, id);
    const { settle, dryRun } = options;
    const again = againOf(options);
    return withTarget(invocation, (target) =>
      withWrites(invocation, target, async ({ context }) => {
        const plan = planResend(context, id);
        if (plan.kind === "impossible") throw plan.error;
        if (dryRun === true) return printEntry(invocation, entryOf(context, id));
        const parts = outcomeParts(context, target, id);
        const earlierEntry = "reported" in plan ? plan.reported : undefined;
        if (earlierEntry !== undefined) invocation.warn(describeEarlierEntry(earlierEntry));
        if (plan.kind === "safe")
          invocation.progress(`Sending entry ${id} again: it cannot take effect twice.`);
        if (plan.kind === "overrides") invocation.warn(resendWords(plan));
        const findings = findingsOf(plan);
        if (findings.length > 0 && again !== null)
          invocation.warn(passedWords(resendWords(plan), findings));
        const write = preparedEntry(entryOf(context, id));
        const theirs = await askColleagues(invocation, context, { write, id, again });
        const override = await confirmWrite(invocation, target.profile, {
          subject: `entry ${id} again: ${writeWords(parts)}`,
          doing: parts.context.doing,
          operation: parts.operation,
          target: parts.id,
          doubt: doubtOf(plan) ?? theirs.error,
          again,
          passes: [...findings, ...notPassed(theirs.findings, findings)],
        });
        const result = await resend(context, id, {
          ...sendingOf(invocation, settle),
          override: override ?? undefined,
        });
        const waits = await askSecondPerson(invocation, target, context, {
          results: [result],
          journalId: id,
        });
        if (waits !== null) return waits;
        const team = await publishedFacts(context, id);
        return printOutcome(invocation, { ...parts, result, team });
      }),
    );
  },
  exits: exits.write,
  examples: [
    "supplyline activity resend 12 --dry-run",
    "supplyline activity resend 12",
    "supplyline activity resend 12 --again --reason 'not at the vendor' --yes",
  ],
};

/**
 * Prints the request of an entry from its stored body. Throws a write error if the body was purged.
 */
function printEntry(invocation: Invocation, entry: Entry): Promise<number> {
  const { id, baseUrl, path, query, body } = entry;
  if (body === null)
    throw new AppError("write", "purged", `The body of entry ${id} is no longer stored.`, {
      journalId: id,
    });
  return printRequests(invocation, [dryWrite(baseUrl, { path, query, body })]);
}

function preparedEntry({ operation, query, body }: Entry): PreparedWrite {
  return prepareWrite({ operation, query, body: body ?? new Uint8Array() });
}

/**
 * Returns the facts for printing the outcome of an entry, read from its stored body. Throws a write
 * error if the body was purged.
 */
export function outcomeParts(
  context: WriteContext,
  target: Target,
  id: number,
): Omit<Outcome, "result" | "team"> & { readonly id: string; readonly operation: Operation } {
  const { operation, query, body } = entryOf(context, id);
  const facts = bodyFacts(operation, body ?? new Uint8Array());
  const doing = describeWrite(operation, facts.target, facts.items.length);
  return {
    id: numberOf(facts.target),
    operation,
    facts,
    query,
    context: target.context(doing, subjectOf(facts.target)),
    profile: target.profile,
    explain: explainWithoutFields,
  };
}
