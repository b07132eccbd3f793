/**
 * The command `reconcile`: compares a list of accounts with the service's list (INTERFACE
 * 4.8–4.11).
 */

import type { Command } from "commander";
import { toJson } from "../../json/exact.ts";
import { commandLine, sandboxName } from "../../text/as-command.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { maxLookups } from "../../triage/lookups.ts";
import type { Ages } from "../../triage/observations/observations.ts";
import { type RowClass, rowClasses } from "../../triage/reconcile/classes.ts";
import { correctedWords, correctList } from "../../triage/reconcile/correct.ts";
import { type ReconcileProgress, reconcile } from "../../triage/reconcile/reconcile.ts";
import type { Reconciled } from "../../triage/reconcile/reconciled.ts";
import { rowFields } from "../../triage/reconcile/row-fields.ts";
import type { Source } from "../../triage/source/source.ts";
import { readWholeList, type WholeListEnd } from "../../triage/whole-list.ts";
import { createBudget } from "../../watch/budget.ts";
import { failedCall, usageError } from "../command-error.ts";
import { errorCodes, exitCode, mostSevere } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import {
  addListOptions,
  type GivenList,
  givenList,
  type ListOptions,
  listFormats,
} from "../given-accounts.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { type Observing, withObservations } from "../observing.ts";
import { choicesOption, supplierArgument, wholeNumberOption } from "../option-values.ts";
import { checkIsNew, writeOutput } from "../output-file.ts";
import { progressLine } from "../progress-line.ts";
import { chosenColumns } from "../rows/columns.ts";
import type { Target } from "../target.ts";
import type { Verb } from "../verb.ts";
import {
  headline,
  type PrintedResult,
  printJson,
  printLines,
  printSummary,
  summaryOf,
} from "./print.ts";

export const verb: Verb = {
  declare: (command: Command) =>
    addListOptions(command.argument(...supplierArgument), {
      source: `your list, or - for standard input: ${listFormats}`,
      cohort: "a stored list, in place of --source",
    })
      .option(
        "--only <classes>",
        `print only rows of these classes: ${rowClasses.join(", ")}`,
        choicesOption(rowClasses),
      )
      .option("--extra", "also print accounts that the service lists and your list does not")
      .option(
        "--corrected <file>",
        "write your list to a new file, with suggestions taken and without duplicates and malformed rows",
      )
      .option("--no-lookup", "do not look up accounts that are on no list")
      .option(
        "--lookup-limit <n>",
        "maximum number of accounts to look up, at 8 per second",
        wholeNumberOption(0),
        maxLookups,
      ),
  columns: rowFields,
  /**
   * Compares a list with the service's, and prints the counts and the rows. Returns 0 if every row
   * is imported. Prints nothing if the service's list is not complete.
   */
  async run(invocation, supplier: string, options: Options) {
    const fields = chosenColumns(rowFields, invocation.globals.columns);
    checkIsNew("--corrected", options.corrected);
    const { source, bytes, column } = await requiredList(invocation, supplier, options);
    // The bytes of a long list stay in memory only if they are written again.
    const toCorrect = options.corrected === undefined ? null : { bytes, column };
    return withObservations(invocation, async (observing, target) => {
      const result = await compare({ invocation, target, observing, supplier, options, source });
      if (options.corrected !== undefined && toCorrect !== null)
        await writeCorrected(invocation, options.corrected, result, toCorrect);
      await print(invocation, options, {
        supplier,
        result,
        classes: classesToPrint(invocation, options),
        fields,
        context: target.context,
      });
      return reportLookups(invocation, target, supplier, result);
    });
  },
  exits: [0, 2, 3, 5, 6, 10, 130],
  examples: [
    "supplyline reconcile ACME --source accounts.csv",
    "supplyline reconcile ACME --source accounts.csv --only failed,not-staged",
    "supplyline reconcile ACME --source accounts.csv --only imported --format tsv",
    "supplyline reconcile ACME --cohort wave-3",
    "supplyline reconcile ACME --source accounts.csv --corrected fixed.csv",
    "printf 'EXT-0000001\\nEXT-0000002\\n' |",
    "  supplyline reconcile ACME --source - --json",
  ],
};

interface Options extends ListOptions {
  readonly only?: readonly RowClass[];
  readonly extra?: boolean;
  readonly corrected?: string;
  readonly lookup: boolean;
  readonly lookupLimit: number;
}

/** Reads the list of the command line. Throws `usage` without one. */
async function requiredList(
  invocation: Invocation,
  supplier: string,
  options: Options,
): Promise<GivenList> {
  const list = await givenList(invocation, supplier, options);
  if (list !== null) return list;
  throw usageError(
    "reconcile needs a list of accounts",
    "Name a file with --source FILE, - for standard input, or a stored list with --cohort NAME.",
  );
}

/** Writes the corrected list to a new file. Throws `usage` or `output` if it cannot be written. */
async function writeCorrected(
  invocation: Invocation,
  path: string,
  result: Reconciled,
  { bytes, column }: Pick<GivenList, "bytes" | "column">,
): Promise<void> {
  const { bytes: corrected, ...changes } = correctList(result, bytes, column);
  await writeOutput("--corrected", path, invocation.io.signal, (append) => append(corrected));
  invocation.notice(`Your list is in ${safe(path)}: ${correctedWords(changes)}.`);
}

interface Comparison {
  readonly invocation: Invocation;
  readonly target: Target;
  readonly observing: Observing;
  readonly supplier: string;
  readonly options: Options;
  readonly source: Source;
}

/** Compares the list with the service's list. Rejects with the error of the call. */
async function compare(comparison: Comparison): Promise<Reconciled> {
  const { invocation, target, observing, supplier, options, source } = comparison;
  const { signal, timeoutMs } = invocation.request;
  const { clock } = invocation.io;
  const { service } = target;
  const progress = progressOf(invocation, supplier, source.rows);
  let end: WholeListEnd | null = null;
  const list = async function* () {
    const observations = await observing.recorderOf(supplier);
    const listOptions = { clock, signal, timeoutMs, observations };
    end = yield* readWholeList(service, supplier, listOptions);
    return end;
  };
  try {
    return await reconcile({
      source,
      list: list(),
      lookups: options.lookup
        ? {
            status: async (number, signal) =>
              (await service.accounts.status(supplier, number, { signal, timeoutMs })).value,
            limit: options.lookupLimit,
            budget: createBudget(clock),
          }
        : null,
      ages: () => agesWithList(comparison, end),
      others: {
        suppliers: target.profile.suppliers.filter((other) => other !== supplier),
        agesOf: (other) => storedAges(comparison, other),
      },
      extraFacts: options.extra === true,
      signal,
      onProgress: progress.show,
    });
  } catch (error) {
    signal.throwIfAborted();
    const doing = `comparing your list with the accounts of ${supplier}`;
    throw failedCall(error, target.context(doing, { kind: "supplier", supplier }));
  } finally {
    progress.clear();
  }
}

async function agesWithList(
  comparison: Comparison,
  end: WholeListEnd | null,
): Promise<Ages | null> {
  const { invocation } = comparison;
  if (end?.singleListError)
    invocation.progress(
      `The list of all accounts failed to load: the pending and imported lists were read instead.`,
    );
  await end?.recorded;
  return storedAges(comparison, comparison.supplier);
}

async function storedAges(
  { observing, invocation }: Comparison,
  supplier: string,
): Promise<Ages | null> {
  const { signal } = invocation.io;
  return (await observing.read((observations) => observations.ages(supplier, signal))) ?? null;
}

function classesToPrint(invocation: Invocation, { only, extra }: Options): ReadonlySet<RowClass> {
  if (only?.includes("extra") && !extra)
    invocation.notice("Rows of the class extra are printed only with --extra.");
  return new Set((only ?? rowClasses).filter((name) => name !== "extra" || extra === true));
}

async function print(
  invocation: Invocation,
  options: Options,
  printed: PrintedResult,
): Promise<void> {
  const { globals } = invocation;
  switch (globals.format) {
    case "json":
      return printJson(invocation, printed);
    case "jsonl":
      await printLines(invocation, printed, "jsonl");
      if (!globals.quiet) invocation.io.stderr.write(`${toJson(summaryOf(printed))}\n`);
      return;
    case "csv":
    case "tsv":
      await printLines(invocation, printed, globals.format);
      invocation.notice(headline(printed));
      return;
    case "table":
    case "md":
      return printSummary(invocation, printed, {
        md: globals.format === "md",
        commandFor: (name) => commandFor(invocation, printed.supplier, options, name),
        isChosen: globals.columns !== undefined,
        only: options.only,
      });
  }
}

function commandFor(
  { globals }: Invocation,
  supplier: string,
  { source, column, cohort, lookup, lookupLimit }: Options,
  name: RowClass,
): string | null {
  const limit = lookupLimit === maxLookups ? undefined : String(lookupLimit);
  return commandLine(
    {
      words: ["reconcile"],
      operands: [supplier],
      options: [
        ["--source", source],
        ["--cohort", cohort],
        ["--column", column],
        ["--lookup-limit", limit],
        ["--only", name],
        ["--format", "csv"],
      ],
      flags: [...(lookup ? [] : ["--no-lookup"]), ...(name === "extra" ? ["--extra"] : [])],
    },
    globals.sandbox ? sandboxName : (globals.profile ?? null),
  );
}

/** Returns the exit code. A failed lookup is more severe than a difference. */
function reportLookups(
  invocation: Invocation,
  { context }: Target,
  supplier: string,
  result: Reconciled,
): number {
  const codes = new Set<number>([result.isAllImported ? exitCode.done : exitCode.conditionMet]);
  // An account number that cannot be part of a URL is an issue of the row, not of the service.
  const errors = [...result.lookupErrors()].filter(({ kind }) => kind !== "invalid-request");
  for (const error of errors) codes.add(errorCodes[error.kind]);
  const [first] = errors;
  if (first !== undefined && !printsJson(invocation.globals)) {
    const subject = { kind: "supplier", supplier } as const;
    const { message } = failureOf(first, context("looking up accounts", subject));
    invocation.problem(`${plural(errors.length, "lookup")} failed. ${message}`);
  }
  return mostSevere(codes);
}

export function progressOf(
  invocation: Invocation,
  supplier: string,
  rows: number,
): { readonly show: (progress: ReconcileProgress) => void; readonly clear: () => void } {
  const line = progressLine(invocation);
  return {
    show: (progress) => line?.draw(() => progressWords(progress, supplier, rows)),
    clear: () => line?.clear(),
  };
}

function progressWords(progress: ReconcileProgress, supplier: string, rows: number): string {
  const { counts } = progress;
  switch (progress.phase) {
    case "listing": {
      const listedRows = counts.imported + counts.pending;
      return `Listing ${safe(supplier)}: ${plural(progress.listed, "account")}, ${count(listedRows)} of ${plural(rows, "row")} found`;
    }
    case "looking-up":
      return `Looking up accounts on no list: ${count(progress.done)} of ${count(progress.total)}`;
    case "suggesting":
      return "Searching the list for similar numbers";
  }
}
