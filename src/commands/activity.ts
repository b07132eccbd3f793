import type { Command } from "commander";
import { type ActivityOptions, addActivityFilters } from "./activity/filter-options.ts";
import type { PurgeOptions } from "./activity/purge.ts";
import { examples, type Noun } from "./frame.ts";
import { ageOption, wholeNumberOption } from "./option-values.ts";
import {
  addSendingOptions,
  addWriteOptions,
  type SendingOptions,
  type WriteOptions,
} from "./writes/write-options.ts";

const journalId = wholeNumberOption(1);

/** `activity list|show|verify|resend|close|purge|export`: the journal of every write. */
export const activity: Noun = (program, frame) => {
  const noun = program
    .command("activity")
    .description("what was sent from here: list, show, verify, resend, close, purge, export");
  noun.addHelpText("after", examples("supplyline activity list --outcome unknown"));

  addActivityFilters(noun.command("list").description("the writes in the journal, newest first"))
    .addHelpText(
      "after",
      examples(
        "supplyline activity list --outcome unknown --outcome retryable",
        "supplyline activity list --since yesterday --until yesterday",
        "supplyline activity list --supplier ACME --account EXT-0000001 --json",
      ),
    )
    .action((options: ActivityOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { listWrites } = await import("./activity/list.ts");
        return listWrites(invocation, options);
      }),
    );

  noun
    .command("show")
    .description("one write: its body, its attempts and what was answered")
    .argument("<id>", "number in the journal", journalId)
    .addHelpText(
      "after",
      examples("supplyline activity show 12", "supplyline activity show 12 --json"),
    )
    .action((id: number, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { showWrite } = await import("./activity/show.ts");
        return showWrite(invocation, id);
      }),
    );

  addSendingOptions(
    noun
      .command("verify")
      .description("find out what became of a write whose outcome is unknown")
      .argument("<id>", "number in the journal", journalId),
  )
    .addHelpText(
      "after",
      examples("supplyline activity verify 12 --dry-run", "supplyline activity verify 12"),
    )
    .action((id: number, options: SendingOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { verifyWrite } = await import("./activity/verify.ts");
        return verifyWrite(invocation, { id, ...options });
      }),
    );

  addWriteOptions(
    noun
      .command("resend")
      .description("send the same bytes again, after saying what that may do")
      .argument("<id>", "number in the journal", journalId),
  )
    .addHelpText(
      "after",
      examples(
        "supplyline activity resend 12 --dry-run",
        "supplyline activity resend 12",
        "supplyline activity resend 12 --yes",
      ),
    )
    .action((id: number, options: WriteOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { resendWrite } = await import("./activity/resend.ts");
        return resendWrite(invocation, { id, ...options });
      }),
    );

  noun
    .command("close")
    .description("settle a write whose outcome is unknown by your own word")
    .argument("<id>", "number in the journal", journalId)
    .requiredOption("--reason <text>", "how you know; it is kept in the journal")
    .addHelpText("after", examples("supplyline activity close 12 --reason 'seen on the account'"))
    .action((id: number, { reason }: { reason: string }, command: Command) =>
      frame.run(command, async (invocation) => {
        const { closeWrite } = await import("./activity/close.ts");
        return closeWrite(invocation, id, reason);
      }),
    );

  noun
    .command("purge")
    .description("take the bodies and answers of settled writes out of the journal")
    .requiredOption("--older-than <duration>", "only of writes so old: 90d, 12h, 0s", ageOption)
    .option("--dry-run", "say what would be taken out; change nothing")
    .addHelpText(
      "after",
      examples(
        "supplyline activity purge --older-than 30d --dry-run",
        "supplyline activity purge --older-than 30d --yes",
      ),
    )
    .action((options: PurgeOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { purgeWrites } = await import("./activity/purge.ts");
        return purgeWrites(invocation, options);
      }),
    );

  addActivityFilters(
    noun
      .command("export")
      .description("the same as list, of any length: JSON lines, or as --format says")
      .option("--output <file>", "a new file to write to, instead of stdout"),
  )
    .addHelpText(
      "after",
      examples(
        "supplyline activity export --since 24h --format csv --output activity.csv",
        "supplyline activity export --run r7k2qd | wc -l",
      ),
    )
    .action((options: ActivityOptions & { output?: string }, command: Command) =>
      frame.run(command, async (invocation) => {
        const { exportWrites } = await import("./activity/export.ts");
        return exportWrites(invocation, options);
      }),
    );
};
