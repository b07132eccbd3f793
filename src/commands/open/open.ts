import { resolve } from "node:path";
import { parseFilter } from "../../accounts/filter-query.ts";
import type { Opening } from "../../settings/console-setup.ts";
import {
  accountFilters,
  openNamedFilters,
  withNamedFilters,
} from "../../settings/named-filters.ts";
import { cohortsOf } from "../cohorts/cohort-entry.ts";
import { usageError } from "../command-error.ts";
import { findTarget, overriddenProfile } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { identifierArgument } from "../option-values.ts";
import { movesCursor, supportsColor, supportsUnicode, wantsLinear } from "../terminal-abilities.ts";
import type { Verb } from "../verb.ts";
import { readUserCommands, readUserKeys } from "./user-keys.ts";

export const verb: Verb = {
  declare: (command) =>
    command
      .argument("[supplier]", "import supplier code", identifierArgument)
      .argument("[account]", "external account number", identifierArgument)
      .option("--supply-point <id>", "external identifier of a supply point", identifierArgument)
      .option("--cohort <cohort>", "a stored list of accounts of the supplier")
      .option(
        "--filter <text>",
        "accounts of the supplier that match: a filter such as 'age:>2d', or the name of one",
      )
      .option("--run <run>", "a bulk run of the journal, by its ID", identifierArgument)
      .option("--file <file>", "a CSV or JSON lines file of rows, to check and run"),
  run: async (
    invocation,
    supplier: string | undefined,
    account: string | undefined,
    { supplyPoint, cohort, filter, run, file }: OpenOptions,
  ) => {
    const place = { supplier, account, supplyPoint };
    const bulkPlace = bulkOpening(run, file);
    if (
      bulkPlace !== null &&
      [...Object.values(place), cohort, filter].some((value) => value !== undefined)
    )
      throw usageError(
        `--${run === undefined ? "file" : "run"} and a supplier or cohort exclude each other`,
        "Give one.",
      );
    if (bulkPlace !== null) return openConsoleAt(invocation, bulkPlace);
    if (filter !== undefined)
      return openConsoleAt(
        invocation,
        filteredOpening(namedOr(invocation, filter), { ...place, cohort }),
      );
    if (supplier !== undefined && account === undefined && supplyPoint === undefined && !cohort) {
      // It reads the API and the stored lists, which the first frame does without.
      const { numberWithoutSupplier } = await import("../whose-number.ts");
      const problem = await numberWithoutSupplier(invocation, supplier, ["open"]);
      if (problem !== null) throw problem;
    }
    return openConsoleAt(
      invocation,
      cohort === undefined
        ? openingOf(supplier, account, supplyPoint)
        : await cohortOpening(invocation, cohort, place),
    );
  },
  exits: [0, 2, 3, 129, 130],
  examples: [
    "supplyline open ACME",
    "supplyline open ACME EXT-0000001",
    "supplyline open ACME --supply-point SP-PROCESSED",
    "supplyline open ACME --cohort wave-3",
    "supplyline open ACME --filter 'age:>2d'",
    "supplyline open ACME --filter waiting",
    "supplyline open --file notes.csv",
    "supplyline --sandbox open ACME",
  ],
};

interface OpenOptions {
  readonly supplyPoint?: string;
  readonly cohort?: string;
  readonly filter?: string;
  readonly run?: string;
  readonly file?: string;
}

/** Returns the place for `--run` or `--file`, or null. Throws `usage` for both. */
function bulkOpening(run: string | undefined, file: string | undefined): Opening | null {
  if (run !== undefined && file !== undefined)
    throw usageError("--run and --file exclude each other", "Give one.");
  if (run !== undefined) return { kind: "run", id: run };
  return file === undefined ? null : { kind: "bulk-file", path: resolve(file) };
}

/** Returns the place of a cohort. Rejects with a cohort error if there is none. */
async function cohortOpening(
  invocation: Invocation,
  cohort: string,
  {
    supplier,
    ...others
  }: Readonly<Record<"supplier" | "account" | "supplyPoint", string | undefined>>,
): Promise<Opening> {
  if (supplier === undefined) throw usageError("--cohort needs the supplier before it");
  if (others.account !== undefined || others.supplyPoint !== undefined)
    throw usageError("--cohort and an account or supply point exclude each other", "Give one.");
  await cohortsOf(invocation).read(cohort, supplier);
  return { kind: "cohort", supplier, cohort };
}

/**
 * Returns the filter that has the given name, or the given text with its words `@NAME` replaced.
 * Throws a settings error if the named filters cannot be read.
 */
function namedOr({ folders }: Invocation, given: string): string {
  const known = openNamedFilters(folders.configDir).of(accountFilters);
  return known.find(({ name }) => name === given)?.text ?? withNamedFilters(given, known);
}

/**
 * Returns the accounts that match a filter, on the tab of gone accounts if it asks for these. Throws
 * `usage` for an invalid filter and for a place that is not the list of a supplier.
 */
function filteredOpening(
  filter: string,
  {
    supplier,
    ...others
  }: Readonly<Record<"supplier" | "account" | "supplyPoint" | "cohort", string | undefined>>,
): Opening {
  if (supplier === undefined) throw usageError("--filter needs the supplier before it");
  if (Object.values(others).some((value) => value !== undefined))
    throw usageError("--filter is for the accounts of a supplier", "Give only the supplier.");
  const { words, problem } = parseFilter(filter);
  if (problem !== null) throw usageError(`invalid --filter: ${problem}`);
  const isGone = words.some(({ kind, negated }) => kind === "gone" && !negated);
  return { kind: "accounts", supplier, tab: isGone ? "gone" : "all", filter };
}

function openingOf(
  supplier: string | undefined,
  account: string | undefined,
  supplyPoint: string | undefined,
): Opening {
  if (supplyPoint !== undefined) {
    if (supplier === undefined) throw usageError("--supply-point needs the supplier before it");
    if (account !== undefined)
      throw usageError("an account and --supply-point exclude each other", "Give one.");
    return { kind: "supply-point", supplier, identifier: supplyPoint };
  }
  if (supplier === undefined) return { kind: "home" };
  return account === undefined
    ? { kind: "supplier", supplier }
    : { kind: "account", supplier, account };
}

/** Opens the console at a place. Throws `usage` without a terminal. */
export async function openConsoleAt(invocation: Invocation, opening: Opening): Promise<number> {
  const { io, globals, secrets } = invocation;
  if (!io.stdin.isTTY || !io.stdout.isTTY)
    throw usageError(
      `the console needs a terminal, and ${io.stdin.isTTY ? "output" : "input"} here is none`,
      "In scripts use accounts list, accounts status, accounts watch, supply-points status or supply-points watch; `supplyline --help` lists all commands.",
    );
  const profile = findTarget(invocation);
  const { configDir, stateDir } = invocation.folders;
  const keys = readUserKeys(configDir);
  const custom = readUserCommands(configDir, keys.keymap);
  // The console shows the issues, too. The text on stderr can be read after the console has closed.
  for (const issue of [...keys.issues, ...custom.issues]) io.stderr.write(`supplyline: ${issue}\n`);
  const settings = invocation.settings();
  // The profile is only in memory, so the console does not save suppliers that the user adds.
  if (profile?.origin === "ad-hoc") settings.addInMemory(profile.profile);
  const overridden = profile?.origin === "ad-hoc" ? overriddenProfile(invocation) : null;
  return io.openConsole({
    keys,
    custom,
    opening,
    settings,
    stateDir,
    profile,
    secrets,
    readOnly: globals.readOnly,
    ascii: globals.ascii || !supportsUnicode(io.env),
    color: globals.color && supportsColor(io.env),
    linear: wantsLinear(io.env, globals.accessible),
    plain: !movesCursor(io.env),
    firstNotice:
      overridden === null
        ? invocation.zoneNotice
        : `The profile ${overridden} is not used: SUPPLYLINE_BASE_URL is set.`,
  });
}
