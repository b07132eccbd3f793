import { AppError } from "../../errors/app-error.ts";
import { plural } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { reportLeftOut, sourceUsageError } from "../given-accounts.ts";
import type { Invocation } from "../invocation.ts";
import { supplierArgument } from "../option-values.ts";
import { readNamed } from "../read-input.ts";
import { printRow } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { cohortColumns, cohortsOf, teamedProfile } from "./cohort-entry.ts";

export const verb: Verb = {
  description: "store a list of accounts under a name, which then never changes",
  declare: (command) =>
    command
      .argument("<cohort>", "name: letters, digits, dots, hyphens and underscores")
      .argument(...supplierArgument)
      .requiredOption(
        "--source <file>",
        "the accounts, from a file or - for standard input: one per line, a JSON array, JSON lines, or CSV",
      )
      .option(
        "--column <name>",
        "column or key of the external account number (default: external_account_number)",
      )
      .option("--team", "share it with the team of the profile, too"),
  columns: cohortColumns,
  /**
   * Stores the list of a file as a cohort. Rejects with a cohort error, or with `usage` if the list
   * cannot be used.
   */
  async run(
    invocation,
    name: string,
    supplier: string,
    { source, column, team = false }: AddOptions,
  ) {
    const { io } = invocation;
    if (team && teamedProfile(invocation) === null) throw noTeamError();
    const { name: file, bytes } = await readNamed(io, source);
    const cohort = await cohortsOf(invocation)
      .add({
        name,
        supplier,
        bytes,
        from: source === "-" ? file : `--source ${file}`,
        column: column ?? null,
        now: io.clock.now(),
        isShared: team,
        onRead: (list) => reportLeftOut(invocation, list),
      })
      .catch((error: unknown) => {
        throw sourceUsageError(error);
      });
    await printRow(invocation, cohortColumns, cohort);
    if (areSwapped(invocation, name, supplier))
      invocation.notice(
        `${name} is a supplier of your profiles, and ${supplier} is not: the cohort's name comes first. If they are swapped, remove it with supplyline cohorts remove ${name} --yes, then add it as supplyline cohorts add ${supplier} ${name} --source ${shellQuote(source)}.`,
      );
    const unusedRows = cohort.rows - cohort.accounts;
    if (unusedRows > 0)
      invocation.notice(
        `${plural(unusedRows, "row")} of the list ${unusedRows === 1 ? "repeats an account or has" : "repeat an account or have"} no number; supplyline reconcile ${supplier} --cohort ${name} shows which.`,
      );
  },
  exits: [...exits.local, 130],
  examples: [
    "supplyline cohorts add wave-3 ACME --source wave-3.csv",
    "supplyline cohorts add wave-3 ACME --source crm.csv --column account_no",
    "supplyline cohorts add wave-3 ACME --source wave-3.csv --team",
  ],
};

function noTeamError(): AppError<"team"> {
  return new AppError("team", "team-not-set-up", "the profile has no team", {
    remedy: "Leave --team out to store the cohort on this machine only.",
  });
}

interface AddOptions {
  readonly source: string;
  readonly column?: string;
  readonly team?: boolean;
}

/**
 * Returns true if a profile lists the cohort's name as a supplier and no profile lists `supplier`.
 * Returns false if the settings cannot be read.
 */
function areSwapped(
  { settings }: Pick<Invocation, "settings">,
  name: string,
  supplier: string,
): boolean {
  try {
    const profiles = settings().profiles();
    const isListed = (code: string) => profiles.some(({ suppliers }) => suppliers.includes(code));
    return isListed(name) && !isListed(supplier);
  } catch {
    return false;
  }
}
