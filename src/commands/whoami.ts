import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";

/** `whoami`: which profile and which credentials commands would use. */
export const whoami: Noun = (program, frame) => {
  program
    .command("whoami")
    .description("the profile in use and where its credentials come from; nothing is sent")
    .addHelpText("after", examples("supplyline whoami", "supplyline whoami --profile live --json"))
    .action((_options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { tellWho } = await import("./credentials/who.ts");
        return tellWho(invocation);
      }),
    );
};
