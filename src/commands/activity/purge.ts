import { toJson } from "../../text/json.ts";
import { plural } from "../../text/numbers.ts";
import { type PurgePlan, planPurge, purge } from "../../writes/retention.ts";
import { CommandError } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-codes.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { askingOf, canAsk } from "../writes/ask.ts";
import { withJournal } from "./with-journal.ts";

export interface PurgeOptions {
  /** Milliseconds. */
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

/**
 * Takes the personal data of settled writes out of the journal and its file; that they were made,
 * for whom, and what became of them stays on record. It cannot be undone, so it is confirmed.
 */
export async function purgeWrites(
  invocation: Invocation,
  { olderThan, dryRun = false }: PurgeOptions,
): Promise<ExitCode> {
  const { clock } = invocation.io;
  await withJournal(invocation, async (journal) => {
    const now = clock.now();
    // What was made in this very moment is old enough for nought.
    const before = now - olderThan + 1;
    const plan = planPurge(journal, before);
    if (dryRun) return print(invocation, plan, false);
    if (plan.bodies + plan.answers > 0) await confirm(invocation, plan);
    // Also where nothing is left to take out: the file may still hold what an earlier one has.
    const { bodies } = await purge(journal, before, now);
    await print(invocation, { ...plan, bodies }, true);
  });
  return exitCode.done;
}

/** Throws `usage` where it is not confirmed; nothing was changed. */
async function confirm({ globals, io, problem }: Invocation, plan: PurgePlan): Promise<void> {
  if (globals.yes) return;
  const untouched = "Nothing was taken out.";
  if (!canAsk(io))
    throw new CommandError(
      "usage",
      `taking out ${whatOf(plan)} cannot be undone, and needs to be confirmed`,
      `${untouched} Give --yes to go ahead.`,
    );
  problem(`Taking out ${whatOf(plan)}. It cannot be undone: they can be resent no more.`);
  const wanted = String(plan.bodies + plan.answers);
  await using asking = askingOf(io);
  const typed = await asking.ask(`To go ahead, type ${wanted}: `);
  if (typed === wanted) return;
  const why = typed === "" ? "it was not confirmed" : `${JSON.stringify(typed)} is not ${wanted}`;
  throw new CommandError("usage", why, untouched);
}

async function print(
  { globals, out }: Invocation,
  plan: PurgePlan,
  isDone: boolean,
): Promise<void> {
  if (speaksJson(globals)) {
    const { bodies, answers, kept } = plan;
    return out.line(toJson({ purged: isDone, writes: bodies, status_rows: answers, kept }));
  }
  await out.line(`${isDone ? "Taken out" : "Would be taken out"}: ${whatOf(plan)}.`);
  if (plan.kept > 0)
    await out.line(
      `${plural(plan.kept, "write")} as old ${plan.kept === 1 ? "keeps its" : "keep their"} body: the outcome is open, or it may still be sent.`,
    );
}

function whatOf({ bodies, answers }: PurgePlan): string {
  const parts = [`the bodies and answers of ${plural(bodies, "settled write")}`];
  if (answers > 0) parts.push(`the answers of ${plural(answers, "status row")}`);
  return parts.join(" and ");
}
