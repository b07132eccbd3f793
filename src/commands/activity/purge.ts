import { rmSync } from "node:fs";
import { toJson } from "../../json/print.ts";
import { oldEditorFiles } from "../../settings/editing-folder.ts";
import { places } from "../../settings/places.ts";
import { plural } from "../../text/numbers.ts";
import { ownerFrom, type ProcessLife } from "../../writes/owner.ts";
import { type PurgePlan, planPurge, purge } from "../../writes/retention.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { ageOption } from "../option-values.ts";
import type { Verb } from "../verb.ts";
import { confirmTyped } from "../writes/ask.ts";
import { withJournal } from "./with-journal.ts";

export const verb: Verb = {
  description: "remove the bodies and responses of settled entries from the journal",
  examples: [
    "supplyline activity purge --older-than 30d --dry-run",
    "supplyline activity purge --older-than 30d --yes",
  ],
  exits: [0, 2, 130],
  declare: (command) =>
    command
      .requiredOption(
        "--older-than <duration>",
        "only of entries at least this old: 90d, 12h, 0s",
        ageOption,
      )
      .option("--dry-run", "report what would be removed; change nothing"),
  /**
   * Takes the personal data of settled writes out of the journal and its file; that they were made,
   * for whom, and their outcomes stay on record. It cannot be undone, so it is confirmed.
   */
  async run(invocation, { olderThan, dryRun = false }: PurgeOptions) {
    const { io } = invocation;
    await withJournal(invocation, async (journal, process) => {
      const now = io.clock.now();
      // What was made in this very moment is old enough for nought.
      const before = now - olderThan + 1;
      const { stateDir } = places(io.env, io.home);
      // The sandbox has a journal in memory, and no files.
      const files = invocation.globals.sandbox ? [] : leftByEditors(stateDir, before, process);
      const plan = { ...planPurge(journal, before), files: files.length };
      if (dryRun) return print(invocation, plan, false);
      if (sizeOf(plan) > 0)
        await confirmTyped(invocation, {
          refused: `removing ${whatOf(plan)} cannot be undone, and needs to be confirmed`,
          warning: `Removing ${whatOf(plan)}. It cannot be undone, and the entries cannot be resent.`,
          wanted: String(sizeOf(plan)),
          untouched: "Nothing was removed.",
        });
      for (const path of files) rmSync(path, { recursive: true, force: true });
      // Also where nothing is left to take out: the file may still hold what an earlier one has.
      const { bodies } = await purge(journal, before, now);
      await print(invocation, { ...plan, bodies }, true);
    });
  },
};

interface PurgeOptions {
  /** Milliseconds. */
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

interface Plan extends PurgePlan {
  /** Files that editors left and no process waits for. */
  readonly files: number;
}

function leftByEditors(stateDir: string, before: number, life: ProcessLife): readonly string[] {
  return oldEditorFiles(stateDir, before, (kept) => {
    const owner = ownerFrom(kept);
    return owner !== null && life.lifeOf(owner) !== "dead";
  });
}

function sizeOf({ bodies, answers, files }: Plan): number {
  return bodies + answers + files;
}

async function print({ globals, out }: Invocation, plan: Plan, isDone: boolean): Promise<void> {
  if (speaksJson(globals)) {
    const { bodies, answers, files, kept } = plan;
    return out.line(
      toJson({
        purged: isDone,
        writes: bodies,
        status_rows: answers,
        editor_files: files,
        kept,
      }),
    );
  }
  await out.line(`${isDone ? "Removed" : "Would remove"} ${whatOf(plan)}.`);
  if (plan.kept > 0)
    await out.line(
      `${plural(plan.kept, "entry", "entries")} as old ${plan.kept === 1 ? "keeps its" : "keep their"} body: the outcome is open, or it may still be sent.`,
    );
}

function whatOf({ bodies, answers, files }: Plan): string {
  const parts = [
    `the bodies and responses of ${plural(bodies, "settled entry", "settled entries")}`,
  ];
  if (answers > 0) parts.push(`the responses of ${plural(answers, "status row")}`);
  if (files > 0) parts.push(plural(files, "text left by an editor", "texts left by an editor"));
  return parts.join(" and ");
}
