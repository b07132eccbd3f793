import { type Command, Option } from "commander";
import type { ListState } from "../api/service.ts";
import { accountStatuses } from "../text/describe-status.ts";
import { examples, type Noun } from "./frame.ts";
import {
  choiceOption,
  durationOption,
  identifierArgument,
  identifierArguments,
  wholeNumberOption,
} from "./option-values.ts";

const states: readonly ListState[] = ["all", "pending", "imported"];

/** `accounts list|status|watch`: INTERFACE 4.8–4.11. */
export const accounts: Noun = (program, frame) => {
  const noun = program.command("accounts").description("account imports: list, status, watch");
  noun.addHelpText("after", examples("supplyline accounts list ACME --state pending"));

  noun
    .command("list")
    .description("list the accounts of a supplier, printed while they arrive")
    .argument("<supplier>", "import supplier code", identifierArgument)
    .option("--state <state>", `which accounts: ${states.join(", ")}`, choiceOption(states), "all")
    .option("--filter <text>", "keep rows that match, in the words of the console's filter")
    .option("--limit <n>", "maximum number of rows", wholeNumberOption(1))
    .addHelpText(
      "after",
      examples(
        "supplyline accounts list ACME --state pending --format csv > pending.csv",
        "supplyline accounts list ACME --filter 'created:2026-11 !EXT-00' --limit 20",
        "supplyline accounts list ACME --format jsonl | head",
      ),
    )
    .action((supplier: string, options: ListOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { listAccounts } = await import("./accounts/list.ts");
        return listAccounts(invocation, { supplier, ...options });
      }),
    );

  noun
    .command("status")
    .description("the import status of accounts, in the order given")
    .argument("<supplier>", "import supplier code", identifierArgument)
    .argument("[account...]", "external account numbers", identifierArguments)
    .option(
      "--from <file>",
      "more numbers from a file, or - for standard input: one per line, a JSON array, or CSV",
    )
    .addHelpText(
      "after",
      examples(
        "supplyline accounts status ACME EXT-0000001",
        "supplyline accounts status ACME EXT-0000001 EXT-0000002 --json",
        "supplyline accounts status ACME --from accounts.csv --format csv",
        "supplyline accounts status ACME -- -4711   # it begins with a dash",
      ),
    )
    .action((supplier: string, named: string[], options: { from?: string }, command: Command) =>
      frame.run(command, async (invocation) => {
        const { accountStatuses } = await import("./accounts/status.ts");
        return accountStatuses(invocation, { supplier, named, from: options.from });
      }),
    );

  noun
    .command("watch")
    .description(
      "follow accounts until they reach a status: a line for each change, or a live table of several on a terminal",
    )
    .argument("<supplier>", "import supplier code", identifierArgument)
    .argument("[account...]", "external account numbers", identifierArguments)
    .option(
      "--from <file>",
      "more numbers from a file, or - for standard input: one per line, a JSON array, or CSV",
    )
    .option(
      "--until <status>",
      `the status to wait for: ${accountStatuses.join(", ")}, or one that the service adds`,
      "COMPLETED",
    )
    .addOption(
      new Option(
        "--interval <duration>",
        "time between two checks of an account, such as 5s or 1m; all together at most 8 checks per second",
      )
        .argParser(durationOption)
        .default(5_000, "5s"),
    )
    .option("--wait", "also wait for an account that the service does not know yet")
    .addHelpText(
      "after",
      examples(
        "supplyline accounts watch ACME EXT-0000002",
        "supplyline accounts watch ACME EXT-0000001 EXT-0000002 --timeout 30m --json",
        "supplyline accounts watch ACME --from accounts.csv",
        "supplyline accounts watch ACME EXT-0000004 --until IN_PROGRESS --wait",
      ),
    )
    .action((supplier: string, named: string[], options: WatchOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { watchAccounts } = await import("./accounts/watch.ts");
        return watchAccounts(invocation, { supplier, named, ...options });
      }),
    );
};

interface ListOptions {
  readonly state: ListState;
  readonly filter?: string;
  readonly limit?: number;
}

interface WatchOptions {
  readonly from?: string;
  readonly until: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly wait?: boolean;
}
