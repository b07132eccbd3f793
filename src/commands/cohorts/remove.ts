import { toJson } from "../../json/print.ts";
import { CommandError } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-codes.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { exits, type Verb } from "../verb.ts";
import { askingOf, canAsk } from "../writes/ask.ts";
import { cohortsOf } from "./cohort-entry.ts";

/** `cohorts remove` */
export const verb: Verb = {
  examples: ["supplyline cohorts remove wave-3 --yes"],
  exits: [...exits.local, 130],
  declare: (command) =>
    command
      .description("remove a cohort and its list; the accounts are not touched")
      .argument("<cohort>", "name of the cohort"),
  run: removeCohort,
};

/** Removes a cohort after a confirmation, because its list cannot be restored. Rejects with CohortError. */
async function removeCohort(invocation: Invocation, name: string): Promise<ExitCode> {
  const { globals, out } = invocation;
  const cohorts = cohortsOf(invocation);
  const isThere = (await cohorts.names()).includes(name);
  if (isThere && !globals.yes) await confirm(invocation, name);
  await cohorts.remove(name);
  if (speaksJson(globals)) await out.line(toJson({ name, outcome: "removed" }));
  else await out.line(`The cohort ${name} is removed.`);
  return exitCode.done;
}

/** Throws `usage` where it is not confirmed; nothing was changed. */
async function confirm({ io, problem }: Invocation, name: string): Promise<void> {
  const untouched = "Nothing was removed.";
  if (!canAsk(io))
    throw new CommandError(
      "usage",
      `removing the cohort ${name} cannot be undone, and needs to be confirmed`,
      `${untouched} Give --yes to go ahead.`,
    );
  problem(`The stored list of the cohort ${name} cannot be restored once it is removed.`);
  await using asking = askingOf(io);
  const typed = await asking.ask(`To go ahead, type ${name}: `);
  if (typed === name) return;
  const why = typed === "" ? "it was not confirmed" : `${JSON.stringify(typed)} is not ${name}`;
  throw new CommandError("usage", why, untouched);
}
