import { rm } from "node:fs/promises";
import { discardRun } from "../../bulk/record.ts";
import { readRun } from "../../bulk/runs.ts";
import { plural } from "../../text/numbers.ts";
import { printDone } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournal } from "../with-journal.ts";
import { isEmptyResults, overwriteProblem } from "./results.ts";

export const verb: Verb = {
  description: "remove a run that was not fully recorded; none of it was sent",
  declare: (command) => command.argument("<run>", "run ID, as printed by bulk run"),
  /**
   * Removes a run that was not fully recorded, with its empty results file and its copy of the
   * input.
   */
  async run(invocation, id: string) {
    const run = await withJournal(invocation, async (_, reading) => {
      const record = readRun(reading, id);
      const { results } = record;
      const ownsResults = (await overwriteProblem(reading, record)) === null;
      await discardRun(reading, id);
      // An empty results file would prevent another run of the same input.
      if (results !== null && ownsResults && (await isEmptyResults(results)))
        await rm(results, { force: true });
      if (record.reading.copy !== undefined) await rm(record.reading.copy, { force: true });
      return record;
    });
    await printDone(
      invocation,
      { run: id, outcome: "discarded" },
      `Run ${id} is discarded. None of its ${plural(run.rows, "row")} was sent.`,
    );
  },
  exits: exits.entry,
  examples: ["supplyline bulk discard r7k2qd"],
};
