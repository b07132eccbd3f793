/**
 * The command `bulk rejected`: writes the rejected rows of a run, or the rows of one cause, as an
 * input to fix and run again.
 */

import { causesOfRun, failureOf } from "../../bulk/run-causes.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import { type RunReading, readRun } from "../../bulk/runs.ts";
import { plural } from "../../text/numbers.ts";
import { causeKey, failedOutcomes } from "../../writes/causes.ts";
import { withJournalToRead } from "../activity/with-journal.ts";
import { chosenCause } from "../causes.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { exits, type Verb } from "../verb.ts";
import { rejectedRows, writeInputRows } from "./input-rows.ts";

export const verb: Verb = {
  description: "the rejected rows of a run, or those of one cause, as an input to fix and run",
  examples: [
    "supplyline bulk rejected r7k2qd --cause 1 --output fix-these.csv",
    "supplyline bulk rejected r7k2qd --cause notes-create:404:not_found",
  ],
  exits: exits.entry,
  declare: (command) =>
    command
      .argument("<run>", "run ID, as printed by bulk run")
      .option(
        "--cause <cause>",
        "the rows of this cause: its number in `bulk report RUN --by cause`, or its key",
      )
      .option("--output <file>", "a new file to write to, instead of stdout"),
  /** Writes rows of a run as an input of another run. Sends nothing. */
  async run(invocation, id: string, { cause, output }: BulkRejectedOptions) {
    return withJournalToRead(invocation, async (journal, process) => {
      const reading: RunReading = { journal, process, clock: invocation.io.clock };
      const run = readRun(reading, id);
      const rows =
        cause === undefined
          ? rejectedRows(run)
          : await rowsOfCause(invocation, reading, run, cause);
      await writeInputRows(invocation, reading, run, {
        flag: "--output",
        path: output ?? null,
        rows,
      });
      return exitCode.done;
    });
  },
};

interface BulkRejectedOptions {
  readonly cause?: string;
  readonly output?: string;
}

async function rowsOfCause(
  invocation: Invocation,
  { journal }: RunReading,
  run: RunRecord,
  typed: string,
) {
  const { signal } = invocation.io;
  const { key, count, inDoubt } = chosenCause(await causesOfRun(journal, run, { signal }), typed);
  if (inDoubt > 0)
    invocation.problem(
      `${plural(inDoubt, "row")} of this cause might have taken effect. Verify before you run them again.`,
    );
  return {
    outcomes: failedOutcomes,
    isWanted: (row: Parameters<typeof failureOf>[2]) =>
      causeKey(failureOf(journal, run.kind, row)) === key,
    count,
    noun: "row",
  };
}
