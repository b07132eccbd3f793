import { type Command, Option } from "commander";
import { CommandError } from "./command-error.ts";
import { examples, type Noun } from "./frame.ts";

/** `login`: checks an API key by obtaining a token with it (INTERFACE 5.2). */
export const login: Noun = (program, frame) => {
  program
    .command("login")
    .description("check an API key by obtaining a token, and keep the token")
    .option("--api-key-stdin", "read the key from standard input; on a terminal it is asked for")
    .addOption(
      // Nearly everyone tries it once; what stands there must not be repeated in an error.
      new Option("--api-key <key>").hideHelp().argParser(() => {
        throw new CommandError(
          "usage",
          "a key on the command line can be read by others, in the list of processes and the shell's history",
          "Give it as input: supplyline login --api-key-stdin < FILE",
        );
      }),
    )
    .option("--save-key", "keep the key as well, in a file that only you can read")
    .addHelpText(
      "after",
      examples(
        "supplyline login   # asks for the key, unseen",
        "supplyline login --api-key-stdin < key.txt",
        "pass show acme | supplyline login --profile acme --api-key-stdin --save-key",
      ),
    )
    .action((options: { apiKeyStdin?: boolean; saveKey?: boolean }, command: Command) =>
      frame.run(command, async (invocation) => {
        const { logIn } = await import("./credentials/log-in.ts");
        return logIn(invocation, {
          fromStdin: options.apiKeyStdin === true,
          saveKey: options.saveKey === true,
        });
      }),
    );
};
