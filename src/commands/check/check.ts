/**
 * The command `check`: evaluates conditions of a supplier and reports them with an exit code, for
 * cron, CI and monitoring (INTERFACE 4.8–4.11).
 */

import { type Command, Option } from "commander";
import { formatDuration } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { NumberSet } from "../../triage/account-numbers.ts";
import {
  type CheckConditions,
  type CheckFacts,
  type Condition,
  conditionsOf,
  conditionWords,
  isAlarming,
  sampled,
} from "../../triage/check/conditions.ts";
import { type CheckedList, gatherFacts } from "../../triage/check/gather-facts.ts";
import { createBudget } from "../../watch/budget.ts";
import { failedCall, usageError } from "../command-error.ts";
import { type ExitCode, errorCodes, exitCode, mostSevere } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import { addListOptions, givenList, type ListOptions, listFormats } from "../given-accounts.ts";
import type { Invocation } from "../invocation.ts";
import { type Observing, withObservations } from "../observing.ts";
import { openWorkIfReadable } from "../open-work.ts";
import { durationOption, supplierArgument } from "../option-values.ts";
import { type Column, column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import type { Target } from "../target.ts";
import type { Verb } from "../verb.ts";
import { pluginLine } from "./plugin.ts";

/** A row of the output: a condition and its result. A duration is in seconds. */
interface Row {
  readonly condition: string;
  readonly met: boolean | null;
  readonly figure: number | null;
  readonly limit: number;
  readonly sample: readonly string[];
}

const checkColumns: readonly Column<Row>[] = [
  column("condition", "text", "The name of the option, without its leading hyphens."),
  {
    ...column(
      "met",
      "true, false or null",
      "The result; null if it is unknown, with the reason on stderr.",
    ),
    shown: ({ met }) => met ?? "not known",
  },
  {
    name: "figure",
    title: "Figure",
    type: "number or null",
    align: "right",
    meaning:
      "The number of accounts or entries, or for `no-import-for` the seconds since the last import; null if it is unknown.",
    shown: ({ condition, figure }) =>
      condition === "no-import-for" && figure !== null ? formatDuration(figure * 1_000) : figure,
  },
  {
    name: "limit",
    title: "Limit",
    type: "number",
    align: "right",
    meaning: "The requested duration in seconds; 0 for a condition without a duration.",
    shown: ({ limit }) => (limit === 0 ? limit : formatDuration(limit * 1_000)),
  },
  {
    name: "sample",
    title: "Sample",
    type: "array of text",
    isList: true,
    meaning:
      "Up to five numbers: the accounts pending longest, imported last, gone or not imported, or the accounts of the entries.",
  },
];

export const verb: Verb = {
  declare: (command: Command) =>
    addListOptions(
      command
        .argument(...supplierArgument)
        .option(
          "--pending-older-than <duration>",
          "met if accounts are pending for longer, such as 24h or 3d",
          durationOption,
        )
        .addOption(noImportFor())
        .option("--gone", "met if accounts left the list without being imported")
        .option("--unknown-writes", "met if entries of the journal have an unknown outcome"),
      {
        source: `met if not all accounts of your list are imported, or - for standard input: ${listFormats}`,
        cohort: "like --source, for a stored list",
      },
    ).option(
      "--plugin",
      "one line and the exit codes of monitoring plugins: 0, 2, and 3 for any failure",
    ),
  columns: checkColumns,
  run: runCheck,
  exits: [0, 2, 3, 5, 6, 10, 130],
  examples: [
    "supplyline check ACME --pending-older-than 24h --gone",
    "supplyline check ACME --no-import-for 2h --json",
    "supplyline check ACME --unknown-writes",
    "supplyline check ACME --cohort wave-3 --pending-older-than 24h",
    "supplyline check ACME --gone --unknown-writes --plugin",
  ],
};

/**
 * Returns the option `--no-import-for`. `negate` is false, because commander treats `--no-…` as the
 * negation of an option.
 */
function noImportFor(): Option {
  const option = new Option(
    "--no-import-for <duration>",
    "met if the last import is longer ago, such as 2h",
  ).argParser(durationOption);
  option.negate = false;
  return option;
}

interface Options extends ListOptions {
  readonly pendingOlderThan?: number;
  readonly noImportFor?: number;
  readonly gone?: boolean;
  readonly unknownWrites?: boolean;
  readonly plugin?: boolean;
}

/** Prints the result of each condition. Returns 10 if a condition is met or has no result. */
async function runCheck(
  invocation: Invocation,
  supplier: string,
  options: Options,
): Promise<number> {
  const requested = requestedConditions(options);
  if (options.plugin === true && invocation.globals.format !== "table")
    throw usageError("--plugin prints one line, and no other format", "Give one.");
  const given = await givenList(invocation, supplier, options);
  const list = given && { source: given.source, numbers: new NumberSet(given.source) };
  const checked = await withObservations(invocation, (observing, target) =>
    checkedFacts(invocation, { observing, target }, supplier, requested, list),
  );
  const conditions = conditionsOf(requested, checked.facts);
  if (options.plugin === true) {
    const { line, exitCode: code } = pluginLine(supplier, conditions, checked.facts);
    await invocation.out.line(line);
    return code;
  }
  await printRows(invocation, checkColumns, conditions.map(rowOf));
  warnAboutConditions(invocation, conditions, checked);
  const code = conditions.some(isAlarming) ? exitCode.conditionMet : exitCode.done;
  return mostSevere([code, ...checked.failures]);
}

/** Returns the requested conditions. Throws `usage` if there are none. */
function requestedConditions(options: Options): CheckConditions {
  const { pendingOlderThan, noImportFor, gone, unknownWrites, cohort, source } = options;
  const list = cohort === undefined ? (source === undefined ? undefined : "source") : "cohort";
  const requested = { pendingOlderThan, noImportFor, gone, unknownWrites, list } as const;
  if (Object.values(requested).some((value) => value !== undefined)) return requested;
  throw usageError(
    "check needs a condition",
    "Give --pending-older-than DUR, --no-import-for DUR, --gone, --unknown-writes, --cohort NAME or --source FILE.",
  );
}

function rowOf({ condition, met, figure, limit, sample }: Condition): Row {
  return { condition, met, figure, limit, sample };
}

/** Warns about conditions without a result, and about accounts created in the future. */
function warnAboutConditions(
  invocation: Invocation,
  conditions: readonly Condition[],
  { facts }: Checked,
): void {
  for (const condition of conditions)
    if (condition.met === null || (condition.condition === "no-import-for" && facts.ahead > 0))
      invocation.warn(`${condition.condition}: ${conditionWords(condition, facts)}.`);
}

interface Checked {
  readonly facts: CheckFacts;
  /** The exit codes of failed lookups, which do not invalidate the conditions. */
  readonly failures: readonly ExitCode[];
}

/**
 * Collects the facts for the conditions. Rejects with the error of the call if the list is not
 * complete.
 */
async function checkedFacts(
  invocation: Invocation,
  { observing, target }: { readonly observing: Observing; readonly target: Target },
  supplier: string,
  requested: CheckConditions,
  list: CheckedList | null,
): Promise<Checked> {
  const { io } = invocation;
  const subject = { kind: "supplier", supplier } as const;
  const isInScope = (number: string) => list === null || list.numbers.rowOf(number) >= 0;
  // It is a contact with the ledger, which can close entries of the journal.
  const team = requested.unknownWrites ? await unknownOfColleagues(invocation, supplier) : null;
  const theirs = team?.kind === "read" ? team.value.filter(({ number }) => isInScope(number)) : [];
  if (team?.kind === "missing") invocation.warn(team.words, "lasting");
  const entries = requested.unknownWrites ? await unknownNumbers(invocation, target, supplier) : [];
  const own = entries?.filter(isInScope) ?? null;
  const inScope = own && [...own, ...theirs.map(({ number }) => number)];
  const people = [...Map.groupBy(theirs, ({ person }) => person)];
  try {
    const { facts, lookupErrors } = await gatherFacts({
      service: target.service,
      supplier,
      conditions: requested,
      list,
      unknownWrites: inScope && {
        count: inScope.length,
        sample: sampled([...new Set(inScope)]).sample,
      },
      colleagues:
        team?.kind === "read"
          ? people.map(([person, all]) => ({ person, count: all.length }))
          : team && "missing",
      observations: observing.observations,
      async ages() {
        return (
          (await observing.read((observations) => observations.ages(supplier, io.signal))) ?? null
        );
      },
      budget: createBudget(io.clock),
      clock: io.clock,
      ...invocation.request,
    });
    if (requested.gone && facts.historySince === facts.listedAt)
      invocation.progress(
        `This is the first stored list of ${supplier}: gone accounts can be found from the next list on.`,
      );
    const codes = lookupErrors.map(({ kind }) => errorCodes[kind]);
    const [first] = lookupErrors;
    if (first !== undefined) {
      const { message } = failureOf(first, target.context("looking up accounts", subject));
      invocation.warn(`${plural(lookupErrors.length, "lookup")} failed. ${message}`);
    }
    return { facts, failures: codes };
  } catch (error) {
    io.signal.throwIfAborted();
    throw failedCall(error, target.context(`checking the accounts of ${supplier}`, subject));
  }
}

/** Returns the numbers in the unknown entries, or null if the journal cannot be read. */
async function unknownNumbers(
  invocation: Invocation,
  target: Target,
  supplier: string,
): Promise<readonly string[] | null> {
  const { listOpenEntries } = await import("../../writes/open-entries.ts");
  const open = await openWorkIfReadable(
    invocation,
    target,
    ({ journal }, baseUrl) => listOpenEntries(journal, baseUrl, invocation.io.signal),
    [],
  );
  if (open === null) return null;
  return open
    .filter((entry) => entry.outcome === "unknown" && entry.import_supplier === supplier)
    .map((entry) => entry.external_account_number ?? entry.external_identifier ?? "");
}

/** Reads the unknown entries of colleagues for a supplier. Returns null without a team. */
async function unknownOfColleagues(invocation: Invocation, supplier: string) {
  const { hasTeam, readWithTeam } = await import("../team/read-team.ts");
  if (!hasTeam(invocation)) return null;
  const { listColleagues } = await import("../../writes/team/colleagues.ts");
  return readWithTeam(invocation, async (ledger, folder) => {
    const filter = { outcomes: ["unknown" as const], importSupplier: supplier };
    return (await listColleagues(ledger, folder, filter)).map((row) => ({
      person: safe(row.by ?? ""),
      number: row.external_account_number ?? row.external_identifier ?? "",
    }));
  });
}
