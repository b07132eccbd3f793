import { plural } from "../../text/numbers.ts";
import type { Observations, StoredObservations } from "../../triage/observations/observations.ts";
import { startOf } from "../changes.ts";
import { usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { withObservations, withStoredObservations } from "../observing.ts";
import { identifierArgument } from "../option-values.ts";
import { printDone } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { confirmTyped } from "../writes/ask.ts";

export const verb: Verb = {
  description: "delete stored observations: of a supplier of this service, of old ones, or all",
  declare: (command) =>
    command
      .argument("[supplier]", "import supplier code", identifierArgument)
      .option(
        "--before <time>",
        "for every service, suppliers last observed before this time: 2026-01-01, 90d (that long ago)",
      )
      .option("--all", "everything, of every service and supplier"),
  /**
   * Deletes observations with their ages and changes. The deletion cannot be undone, so it needs a
   * confirmation.
   */
  async run(invocation, supplier: string | undefined, { before, all = false }: Options) {
    const given = [supplier !== undefined, before !== undefined, all].filter(Boolean).length;
    if (given !== 1)
      throw usageError(
        given === 0
          ? "name the observations to delete"
          : "give only one of supplier, --before and --all",
        "Name a supplier, or give --before TIME, or --all for everything.",
      );
    if (supplier !== undefined) {
      await withObservations(invocation, async ({ observations }, target) => {
        const { baseUrl } = target.service;
        await purge(invocation, observations, {
          target: { supplier },
          selects: (stored) => stored.supplier === supplier && stored.origin === baseUrl,
          words: `the observations of ${supplier} at ${baseUrl}`,
          isShared: target.profile.team !== undefined,
        });
      });
      return exitCode.done;
    }
    const beforeTime =
      before === undefined ? null : startOf("--before", before, invocation.io.clock.now());
    const plan: Plan =
      beforeTime === null
        ? { target: "all", selects: () => true, words: "all observations", isShared: false }
        : {
            target: { before: beforeTime },
            selects: ({ lastAt }) => lastAt < beforeTime,
            words: `the observations of suppliers last observed before ${before}`,
            isShared: false,
          };
    await withStoredObservations(invocation, (observations) =>
      purge(invocation, observations, plan),
    );
    return exitCode.done;
  },
  exits: [0, 1, 2, 3, 130],
  examples: [
    "supplyline observations purge ACME --yes",
    "supplyline observations purge --before 2026-01-01 --yes",
    "supplyline observations purge --all",
  ],
};

interface Options {
  /** As typed: a day, a time, or a duration before now. */
  readonly before?: string;
  readonly all?: boolean;
}

interface Plan {
  readonly target: Parameters<Observations["purge"]>[0];
  readonly selects: (stored: StoredObservations) => boolean;
  readonly words: string;
  /** True if a team has the history, which stays. */
  readonly isShared: boolean;
}

async function purge(
  invocation: Invocation,
  observations: Observations,
  plan: Plan,
): Promise<void> {
  const selected = (await observations.stored()).filter(plan.selects);
  if (selected.length > 0) await confirm(invocation, plan, selected);
  // Runs even if no list is selected, because states of single accounts can be stored without one.
  const purged = await observations.purge(plan.target);
  if (purged === 0 && !printsJson(invocation.globals))
    return invocation.notice(`Nothing is stored to delete: ${plan.words}.`);
  const words = `Deleted the observations of ${plural(purged, "supplier")}.`;
  await printDone(invocation, { purged }, words);
}

/** Asks the user for a confirmation. Throws `usage` without one. */
function confirm(
  invocation: Invocation,
  { words, isShared }: Plan,
  selected: readonly StoredObservations[],
): Promise<void> {
  const accounts = selected.reduce((sum, { accounts }) => sum + accounts, 0);
  const doing = `Deleting ${words}: ${plural(selected.length, "supplier")}, ages of ${plural(accounts, "account")}`;
  const after = isShared
    ? "the team keeps its history, and this machine reads it again"
    : "ages are counted from the next list on";
  return confirmTyped(invocation, {
    errorMessage: `${doing}. It cannot be undone, and needs to be confirmed`,
    warning: `${doing}. It cannot be undone: ${after}.`,
    wanted: String(selected.length),
    untouched: "Nothing was deleted.",
  });
}
