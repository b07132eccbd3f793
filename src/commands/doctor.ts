import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";

/** `doctor`: looks at everything a command needs, and says what to do about what is wrong. */
export const doctor: Noun = (program, frame) => {
  program
    .command("doctor")
    .description("check terminal, folders, credentials, reachability, TLS, token and clock")
    .addHelpText(
      "after",
      examples("supplyline doctor", "supplyline doctor --profile live", "supplyline doctor --json"),
    )
    .action((_options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { examine } = await import("./doctor/examine.ts");
        return examine(invocation);
      }),
    );
};
