import { type Command, InvalidArgumentError } from "commander";
import { type BulkKind, bulkKinds } from "../bulk/kinds.ts";
import type { RowOutcome } from "../bulk/run-rows.ts";
import { decimalOf } from "../bulk/typed-numbers.ts";
import type { BulkResumeOptions, BulkRunOptions } from "./bulk/options.ts";
import type { BulkReportOptions } from "./bulk/report.ts";
import { examples, type Noun } from "./frame.ts";
import { choiceOption, wholeNumberOption } from "./option-values.ts";
import { addAgainOptions, addSettleOption } from "./writes/write-options.ts";

/** More at a time would be no kindness to any service. */
const mostAtOnce = 256;

/** `bulk run|resume|report|discard|list`: many rows from a file. */
export const bulk: Noun = (program, frame) => {
  const noun = program
    .command("bulk")
    .description("many rows from a CSV or JSONL file: run, resume, report, discard, list");
  noun.addHelpText("after", examples("supplyline bulk run notes --from notes.csv --dry-run"));

  addTurnOptions(
    noun
      .command("run")
      .description("check every row of a file, then send them; what was sent can be resumed")
      .argument("<kind>", bulkKinds.join(", "), choiceOption(bulkKinds))
      .requiredOption("--from <file>", "CSV or JSON lines, or - for standard input")
      .option("--dry-run", "check every row and print what would be sent; send and record nothing")
      .option("--results <file>", "where the results go (beside the input by default)")
      .option(
        "--allow-missing",
        "send rows without fields that supplyline expects and the interface does not call required",
      )
      .option("--group-by-account", "neighbouring rows of one account go out as one request")
      .option("--expect-rows <n>", "send only if there are so many rows", wholeNumberOption(0))
      .option("--expect-sum <x>", "send only if the amounts add up to this", decimalOption)
      .option(
        "--no-check-previously-added",
        "transactions: add them without a check whether they were added already",
      )
      .option(
        "--no-force-add-to-current-statement",
        "transactions: refuse what lies outside the open statement period",
      ),
  )
    .addHelpText(
      "after",
      examples(
        "supplyline bulk run notes --from notes.csv --dry-run",
        "supplyline bulk run notes --from notes.csv",
        "supplyline bulk run transactions --from t.csv --yes \\",
        "  --expect-rows 120 --expect-sum -940.15",
        "supplyline bulk run status --from accounts.csv --results status.csv",
        "generate-rows | supplyline bulk run supply-points --from -",
      ),
    )
    .action((kind: BulkKind, options: BulkRunOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { bulkRun } = await import("./bulk/run.ts");
        return bulkRun(invocation, kind, options);
      }),
    );

  addResumeOptions(
    noun
      .command("resume")
      .description("go on with a run that was stopped, killed or cut off")
      .argument("<run>", "run ID, as printed by bulk run")
      .option("--dry-run", "say what is left and print what would be sent first; send nothing"),
  )
    .addHelpText(
      "after",
      examples("supplyline bulk resume r7k2qd --dry-run", "supplyline bulk resume r7k2qd"),
    )
    .action((run: string, options: BulkResumeOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { bulkResume } = await import("./bulk/resume.ts");
        return bulkResume(invocation, run, options);
      }),
    );

  const outcome = choiceOption(outcomes);
  noun
    .command("report")
    .description("what became of the rows of a run; ends with the exit code of the run")
    .argument("<run>", "run ID, as printed by bulk run")
    .option(
      "--outcome <outcome>",
      `only these rows (several may be given): ${outcomes.join(", ")}`,
      (text: string, before: readonly RowOutcome[] = []) => [...before, outcome(text)],
    )
    .option("--output <file>", "a new file to write to, instead of stdout")
    .option(
      "--rejected <file>",
      "write the rejected rows to a new file, to be mended and run again",
    )
    .addHelpText(
      "after",
      examples(
        "supplyline bulk report r7k2qd",
        "supplyline bulk report r7k2qd --outcome rejected --format csv",
        "supplyline bulk report r7k2qd --rejected mended.csv",
      ),
    )
    .action((run: string, options: BulkReportOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { bulkReport } = await import("./bulk/report.ts");
        return bulkReport(invocation, run, options);
      }),
    );

  noun
    .command("discard")
    .description("take a run off the list that was never recorded whole; nothing of it was sent")
    .argument("<run>", "run ID, as printed by bulk run")
    .addHelpText("after", examples("supplyline bulk discard r7k2qd"))
    .action((run: string, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { bulkDiscard } = await import("./bulk/discard.ts");
        return bulkDiscard(invocation, run);
      }),
    );

  noun
    .command("list")
    .description("the runs in the journal, newest first")
    .addHelpText("after", examples("supplyline bulk list", "supplyline bulk list --json"))
    .action((_options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { bulkList } = await import("./bulk/list.ts");
        return bulkList(invocation);
      }),
    );
};

const outcomes: readonly RowOutcome[] = [
  "unsent",
  "sending",
  "confirmed",
  "exists",
  "rejected",
  "retryable",
  "unknown",
  "closed",
];

function addTurnOptions(command: Command): Command {
  return withPace(command, { concurrency: "16 by default", settle: "10s by default" });
}

/** A resumed run goes as it was told when it was begun. */
function addResumeOptions(command: Command): Command {
  const kept = "as the run was told by default";
  return withPace(command, { concurrency: kept, settle: kept });
}

function withPace(
  command: Command,
  byDefault: { readonly concurrency: string; readonly settle: string },
): Command {
  return addAgainOptions(
    addSettleOption(
      command.option(
        "--concurrency <n>",
        `requests in flight at the most (${byDefault.concurrency}); half of it after a 429 or a failure`,
        wholeNumberOption(1, mostAtOnce),
      ),
      byDefault.settle,
    ),
  );
}

function decimalOption(text: string): string {
  const decimal = decimalOf(text);
  if (decimal === null) throw new InvalidArgumentError("Write a number such as -940.15.");
  return decimal;
}
