import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import { repeated, wholeNumberOption } from "./option-values.ts";

/** `sandbox`: the embedded service on its own. */
export const sandbox: Noun = (program, frame) => {
  program
    .command("sandbox")
    .description("run the sandbox service until it is interrupted; prints its URL and API key")
    .option(
      "--port <n>",
      "port on 127.0.0.1; any free one by default",
      wholeNumberOption(0, 65_535),
    )
    .option(
      "--accounts <n>",
      "accounts of supplier ACME (120 by default)",
      wholeNumberOption(0, 100_000_000),
    )
    .option(
      "--seed <n>",
      "the same seed gives the same world (1 by default)",
      wholeNumberOption(0, 4_294_967_295),
    )
    .option(
      "--data-dir <dir>",
      "keep the state in this folder; without one it ends with the sandbox",
    )
    .option("--fault <spec>", "a fault to show, such as 500@notesx2; may be repeated", repeated)
    .addHelpText("after", worldWords)
    .addHelpText(
      "after",
      examples(
        "supplyline sandbox",
        "supplyline sandbox --accounts 100000 --port 8080 --json",
        "supplyline sandbox --fault latency=300ms --fault 503@listsx2",
      ),
    )
    .action((options: SandboxFlags, command: Command) =>
      frame.run(command, async (invocation) => {
        const { runSandbox } = await import("./sandbox/run.ts");
        return runSandbox(invocation, options);
      }),
    );
};

/** What a user must know to get more out of it than the plain successes. */
const worldWords = `
Its world:
  import suppliers ACME (Ongoing), PAUSED and DONE (Complete)
  payment vendors GOODPAY, FLAKYPAY (500 twice, then well), DOWNPAY, REFUSEPAY
  supply points that begin with ERRORED-, CANCELLED-, DRY-RUN- or
  DRY-RUN-ERRORED- end in that state; with PENDING- they stay so`;

interface SandboxFlags {
  readonly port?: number;
  readonly accounts?: number;
  readonly seed?: number;
  readonly dataDir?: string;
  readonly fault?: readonly string[];
}
