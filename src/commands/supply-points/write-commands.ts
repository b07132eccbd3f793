import type { Command } from "commander";
import { examples, type Frame } from "../frame.ts";
import { addWriteOptions, type WriteOptions } from "../writes/write-options.ts";

/** `supply-points validate|create`: INTERFACE 4.5 and 4.6. */
export function addSupplyPointWrites(noun: Command, frame: Frame): void {
  noun
    .command("validate")
    .description("have the service check a supply point; nothing is created")
    .argument("<file>", "the payload as JSON, or - for standard input")
    .option("--dry-run", "print the exact request and send nothing")
    .addHelpText(
      "after",
      examples(
        "supplyline supply-points validate supply-point.json",
        "supplyline supply-points validate - --json < supply-point.json",
      ),
    )
    .action((file: string, options: { dryRun?: boolean }, command: Command) =>
      frame.run(command, async (invocation) => {
        const { validateSupplyPointFile } = await import("./validate.ts");
        return validateSupplyPointFile(invocation, file, options);
      }),
    );

  addWriteOptions(
    noun
      .command("create")
      .description("create a supply point and its accounts; the creation is scheduled")
      .argument("<file>", "the payload as JSON, or - for standard input"),
  )
    .addHelpText(
      "after",
      examples(
        "supplyline supply-points create supply-point.json --dry-run",
        "supplyline supply-points create supply-point.json --json",
      ),
    )
    .action((file: string, options: WriteOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { createSupplyPoint } = await import("./create.ts");
        return createSupplyPoint(invocation, file, options);
      }),
    );
}
