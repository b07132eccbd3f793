import { once } from "node:events";
import { join, resolve } from "node:path";
import { AppError } from "../errors/app-error.ts";
import { toJson } from "../json/exact.ts";
import { scenarios, startSandbox } from "../sandbox/index.ts";
import { shellQuote } from "../text/shell-quote.ts";
import { exitCode } from "./exit-codes.ts";
import { choiceOption, repeated, wholeNumberOption } from "./option-values.ts";
import { type Column, column } from "./rows/columns.ts";
import { printRow } from "./rows/print.ts";
import { exits, type Verb } from "./verb.ts";

const columns: readonly Column<{ readonly base_url: string; readonly api_key: string }>[] = [
  column(["base_url", "URL"], "text", "The address of the sandbox."),
  column(["api_key", "API key"], "text", "The API key of the sandbox."),
];

export const verb: Verb = {
  declare: (command) =>
    command
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
        "the same seed creates the same data (1 by default)",
        wholeNumberOption(0, 4_294_967_295),
      )
      .option(
        "--data-dir <dir>",
        "store the state in this folder; without it the state ends with the sandbox",
      )
      .option(
        "--scenario <name>",
        "play a whole day: migration-day, ten minutes at supplier NORTH",
        choiceOption(scenarios),
      )
      .option(
        "--speed <n>",
        "speed of the imports, N times as fast (1 by default); 0 stops all imports",
        wholeNumberOption(0, 1000),
      )
      .option("--fault <spec>", "a fault to show, such as 500@notesx2; may be repeated", repeated)
      .addHelpText("after", dataHelp),
  columns,
  formats: ["table", "json"],
  async run(invocation, options: SandboxOptions) {
    const { fault, ...rest } = options;
    const sandbox = await startSandbox({ ...rest, ...(fault ? { faults: fault } : {}) }).catch(
      (error: Error) => {
        throw new AppError("command", "sandbox", error.message);
      },
    );
    const { baseUrl, apiKey } = sandbox;
    const { io, globals, out } = invocation;
    const row = { base_url: baseUrl, api_key: apiKey };
    try {
      // Prints one line, so that a script gets it with one read.
      if (globals.format === "json" && globals.columns === undefined) await out.line(toJson(row));
      else await printRow(invocation, columns, row);
      invocation.notice("The sandbox runs until Ctrl-C. In another shell:");
      if (!globals.quiet)
        io.stderr.write(
          `  export SUPPLYLINE_BASE_URL=${baseUrl}\n  export SUPPLYLINE_API_KEY=${apiKey}\n${stateDirExport(options)}  supplyline accounts list ACME\n`,
        );
      if (!io.signal.aborted) await once(io.signal, "abort");
      return exitCode.done;
    } finally {
      await sandbox.close();
    }
  },
  exits: exits.local,
  examples: [
    "supplyline sandbox",
    "supplyline sandbox --accounts 100000 --port 8080 --json",
    "supplyline sandbox --fault latency=300ms --fault 503@listsx2",
    "supplyline sandbox --scenario migration-day",
  ],
};

const dataHelp = `
Its data:
  import suppliers ACME and NORTH (Ongoing), PAUSED and DONE (Complete)
  payment vendors GOODPAY, FLAKYPAY (500 twice, then well), DOWNPAY, REFUSEPAY
  supply points that begin with ERRORED-, CANCELLED-, DRY-RUN- or
  DRY-RUN-ERRORED- end in that state; with PENDING- they stay so

The scenario migration-day, at NORTH, a minute for an hour. It begins with
the first list of NORTH. Your accounts are in examples/migration-day.csv:
  0:15  80 accounts are staged, in two lots
  1:00  a burst of imports, then a pause
  3:00  another burst; one account fails, one is withdrawn
  4:00  the lists are empty for 30 s, then much too short for 30 s
  6:00  accounts disappear, fail, return, get another number, are removed
 10:00  the end of the day
Without the scenario, the day of NORTH begins at 6:00, and another wave of 1,020
accounts is under way from the start.`;

interface SandboxOptions {
  readonly port?: number;
  readonly accounts?: number;
  readonly seed?: number;
  readonly dataDir?: string;
  readonly scenario?: (typeof scenarios)[number];
  readonly speed?: number;
  readonly fault?: readonly string[];
}

/**
 * Returns a shell command that puts the journal into the data folder, or an empty text without
 * `--data-dir`. The journal and the data are then stored, moved and removed together.
 */
function stateDirExport({ dataDir }: SandboxOptions): string {
  if (dataDir === undefined) return "";
  return `  export SUPPLYLINE_STATE_DIR=${shellQuote(join(resolve(dataDir), "client"))}\n`;
}
