import { type Command, Option } from "commander";
import { supplyPointStatuses } from "../text/describe-status.ts";
import { examples, type Noun } from "./frame.ts";
import { durationOption, identifierArgument } from "./option-values.ts";
import { addSupplyPointWrites } from "./supply-points/write-commands.ts";

/** `supply-points status|watch|validate|create`: INTERFACE 4.5–4.7. */
export const supplyPoints: Noun = (program, frame) => {
  const noun = program
    .command("supply-points")
    .description("supply point imports: status, watch, validate, create");
  noun.addHelpText("after", examples("supplyline supply-points status ACME SP-PROCESSED"));
  addSupplyPointWrites(noun, frame);

  noun
    .command("status")
    .description("the import process of a supply point")
    .argument("<supplier>", "import supplier code", identifierArgument)
    .argument("<id>", "external identifier of the supply point", identifierArgument)
    .addHelpText(
      "after",
      examples(
        "supplyline supply-points status ACME SP-PROCESSED",
        "supplyline supply-points status ACME SP-PROCESSED --json",
      ),
    )
    .action((supplier: string, identifier: string, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { supplyPointStatus } = await import("./supply-points/status.ts");
        return supplyPointStatus(invocation, { supplier, identifier });
      }),
    );

  noun
    .command("watch")
    .description("follow a supply point until it reaches a status; a line for each change")
    .argument("<supplier>", "import supplier code", identifierArgument)
    .argument("<id>", "external identifier of the supply point", identifierArgument)
    .option(
      "--until <status>",
      `the status to wait for: ${supplyPointStatuses.join(", ")}, or one that the service adds`,
      "PROCESSED",
    )
    .addOption(
      new Option("--interval <duration>", "time between two checks, such as 5s or 1m")
        .argParser(durationOption)
        .default(5_000, "5s"),
    )
    .option("--wait", "also wait for a supply point that the service does not know yet")
    .addHelpText(
      "after",
      examples(
        "supplyline supply-points watch ACME SP-MOVING",
        "supplyline supply-points watch ACME SP-FAILING --until ERRORED --timeout 10m",
      ),
    )
    .action((supplier: string, identifier: string, options: WatchOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { watchSupplyPoint } = await import("./supply-points/watch.ts");
        return watchSupplyPoint(invocation, { supplier, identifier, ...options });
      }),
    );
};

interface WatchOptions {
  readonly until: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly wait?: boolean;
}
