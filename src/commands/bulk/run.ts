import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { badRows } from "../../bulk/bad-rows.ts";
import type { Checked } from "../../bulk/check.ts";
import { createRunOf } from "../../bulk/record.ts";
import type { ReadingOptions } from "../../bulk/run-settings.ts";
import type { FileSource } from "../../bulk/source.ts";
import { isAppError } from "../../errors/app-error.ts";
import { type FormKind, formKinds } from "../../forms/forms.ts";
import { plural } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import type { Override } from "../../writes/journal/override.ts";
import { kindName, operationOf } from "../../writes/kinds/kinds.ts";
import { refuseOlderJournal } from "../../writes/older-journal.ts";
import type { Invocation } from "../invocation.ts";
import {
  choiceOption,
  decimalOption,
  identifierArgument,
  wholeNumberOption,
} from "../option-values.ts";
import { checkIsNew, writeOutput } from "../output-file.ts";
import { type Target, withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { confirmWrite } from "../writes/confirm-write.ts";
import { warnBeforehand } from "../writes/dry-run.ts";
import { warnAboutUnknown, withWrites } from "../writes/with-writes.ts";
import { againOf } from "../writes/write-options.ts";
import {
  checkExpected,
  checkInput,
  heldBackWords,
  printDryRun,
  withDuplicateGuard,
} from "./check-input.ts";
import { columnsHelp } from "./columns.ts";
import { executeRun } from "./execute-run.ts";
import { type Input, openInput } from "./input.ts";
import { addRunOptions, type BulkRunOptions, readingOf } from "./options.ts";
import { createResults, removeOldResults } from "./results.ts";
import { runColumns } from "./summary.ts";

export const verb: Verb = {
  description: "check every row of a file, then send them; what was sent can be resumed",
  declare: (command) =>
    addRunOptions(
      command
        .argument("<kind>", formKinds.join(", "), choiceOption(formKinds))
        .option("--from <file>", "CSV or JSON lines, or - for standard input")
        .option(
          "--supplier <code>",
          "with --where: the accounts of this supplier",
          identifierArgument,
        )
        .option("--where <filter>", "notes: for every imported account that matches this filter")
        .option("--body <text>", "with --where: the text of each note")
        .option(
          "--dry-run",
          "check every row and print what would be sent; send and record nothing",
        )
        .option(
          "--skip-bad-rows <file>",
          "send the other rows if some have an error, and write those to a new file with the reason",
        )
        .option("--results <file>", "file for the results (default: next to the input)")
        .option(
          "--allow-missing",
          "send rows without fields that supplyline expects and the interface does not call required",
        )
        .option("--group-by-account", "send neighboring rows of one account as one request")
        .option("--expect-rows <n>", "send only if there are N rows", wholeNumberOption(0))
        .option("--expect-sum <x>", "send only if the amounts add up to X", decimalOption)
        .option(
          "--no-check-previously-added",
          "transactions: add them without the check for duplicates",
        )
        .option(
          "--no-force-add-to-current-statement",
          "transactions: refuse dates outside the open statement period",
        ),
      "16 by default",
      "10s by default",
    ).addHelpText("after", ({ command }) => columnsHelp(command.args)),
  columns: runColumns,
  /**
   * Checks every row of an input, then sends the rows as one run. An error in any row stops the
   * command before anything is sent. Resolves with the exit code of the run.
   */
  async run(invocation, kind: FormKind, options: BulkRunOptions) {
    const { io } = invocation;
    const reading = readingOf(io, kind, options);
    const { from, dryRun, where, supplier, body } = options;
    checkIsNew("--skip-bad-rows", options.skipBadRows);
    if (from !== undefined && [where, supplier, body].every((option) => option === undefined)) {
      await using input = await openInput(invocation, from, dryRun === true);
      return await withTarget(invocation, (target) =>
        checkAndSend(invocation, target, { options, reading, input }),
      );
    }
    // The code for filters is loaded only if it is needed.
    const { whereInput, whereOptionsOf } = await import("./where-input.ts");
    const whereOptions = whereOptionsOf(invocation, kind, options);
    return withTarget(invocation, async (target) => {
      await using input = await whereInput(invocation, target, whereOptions);
      return await checkAndSend(invocation, target, { options, reading, input });
    });
  },
  exits: exits.write,
  examples: [
    "supplyline bulk run notes --from notes.csv --dry-run",
    "supplyline bulk run notes --from notes.csv",
    "supplyline bulk run transactions --from t.csv --yes \\",
    "  --expect-rows 120 --expect-sum -940.15",
    "supplyline bulk run notes --from notes.csv --skip-bad-rows fix-these.csv",
    "generate-rows | supplyline bulk run supply-points --from - --yes",
    "supplyline bulk run notes --supplier ACME --where created:2026-11 \\",
    "  --body 'Meter read agreed' --expect-rows 12",
  ],
};

interface CheckRequest {
  readonly options: BulkRunOptions;
  readonly reading: ReadingOptions;
  readonly input: Input;
}

async function checkAndSend(
  invocation: Invocation,
  target: Target,
  { options, reading, input }: CheckRequest,
): Promise<number> {
  const { kind } = reading;
  const isDry = options.dryRun === true || input.source === null;
  const checked = await withDuplicateGuard(invocation, target, isDry, (guard) =>
    checkInput(invocation, input, reading, {
      guard,
      suppliers: target.profile.suppliers,
      skipsBadRows: options.skipBadRows !== undefined,
    }),
  );
  const bad = checked.issues.rows;
  if (bad > 0)
    invocation.warn(`${plural(bad, "row")} of ${input.name} cannot be sent and will be left out.`);
  checkExpected(checked, options);
  const isAgain = againOf(options) !== null;
  if (options.dryRun === true || input.source === null)
    return printDryRun(invocation, target.service.baseUrl, checked, isAgain);
  for (const line of heldBackWords(checked.heldBack, isAgain)) invocation.warn(line);
  const operation = operationOf(kind);
  warnBeforehand(invocation, { operation, query: reading.query });
  const { rows, sum, contents } = checked;
  const override = await confirmWrite(invocation, target.profile, {
    doing: `a bulk run of ${kindName(kind)}`,
    subject: `${contents ?? `${plural(rows, "row")} of ${kindName(kind)}`} from ${input.name}`,
    operation,
    target: null,
    rows,
    sum,
    again: againOf(options),
    passes: checked.heldBack.findings,
    expected: options,
  });
  const { source } = input;
  if (options.skipBadRows !== undefined && bad > 0)
    await writeBadRows(invocation, options.skipBadRows, bad, { input, reading });
  return sendChecked(invocation, target, { options, input, source, checked, override });
}

/** Writes the rows with an error to a new file. Throws `usage` or `output` if it cannot be written. */
async function writeBadRows(
  invocation: Invocation,
  path: string,
  rows: number,
  { input, reading }: Pick<CheckRequest, "input" | "reading">,
): Promise<void> {
  await writeOutput("--skip-bad-rows", path, invocation.io.signal, async (append) => {
    for await (const piece of badRows(() => input.bytes(), reading)) await append(piece);
  });
  invocation.notice(
    `${plural(rows, "row")} with an error in ${path}. Fix them there, then run: supplyline bulk run ${reading.kind} --from ${shellQuote(path)}`,
  );
}

interface CheckedInput {
  readonly options: BulkRunOptions;
  readonly input: Input;
  readonly source: FileSource;
  readonly checked: Checked;
  /** The override of the findings of the check, or null without `--again`. */
  readonly override: Override | null;
}

async function sendChecked(
  invocation: Invocation,
  target: Target,
  { options, input, source, checked, override }: CheckedInput,
): Promise<number> {
  const send = {
    concurrency: options.concurrency,
    settleMs: options.settle,
  };
  const results = resolve(options.results ?? input.results);
  return withWrites(invocation, target, async (writes) => {
    warnAboutUnknown(invocation, writes);
    const { context } = writes;
    refuseOlderJournal(context.journal);
    if (checked.repeatable) {
      const earlier = await removeOldResults(context, results);
      if (earlier !== null)
        invocation.progress(
          `The results of run ${earlier} are replaced; \`supplyline bulk report ${earlier} --output FILE\` writes them again.`,
        );
    }
    await createResults(results);
    let run: string;
    try {
      const settings = { ...send, results, override: override ?? undefined };
      run = await createRunOf(context, source, checked, settings);
    } catch (error) {
      await rm(results, { force: true });
      throw error;
    }
    input.keep();
    invocation.io.stderr.write(`run ${run}\n`);
    if (target.profile.baseUrl === null)
      invocation.progress(
        "The embedded sandbox ends with this command: the run cannot be resumed. `supplyline sandbox` keeps one running.",
      );
    if (source.kind === "copy") invocation.problem(`the results go to ${results}`);
    try {
      return await executeRun(invocation, target, context, { run, source, send });
    } catch (error) {
      // Nothing was sent, so the results file is removed and the changed input can be run again.
      if (isAppError(error, "run", "input-changed")) await rm(results, { force: true });
      throw error;
    }
  });
}
