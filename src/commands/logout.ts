import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";

/** `logout`: wipes what is kept for a profile. */
export const logout: Noun = (program, frame) => {
  program
    .command("logout")
    .description("wipe the saved key and token of a profile")
    .addHelpText("after", examples("supplyline logout", "supplyline logout --profile acme-test"))
    .action((_options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { logOut } = await import("./credentials/log-out.ts");
        return logOut(invocation);
      }),
    );
};
