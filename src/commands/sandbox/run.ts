import { join, resolve } from "node:path";
import { toJson } from "../../json/print.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { CommandError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { printEntry } from "../present.ts";

export interface RunSandboxOptions {
  readonly port?: number;
  readonly accounts?: number;
  readonly seed?: number;
  readonly dataDir?: string;
  readonly fault?: readonly string[];
}

/** Runs the sandbox until the program is told to end, which is how it is meant to end. */
export async function runSandbox(
  invocation: Invocation,
  options: RunSandboxOptions,
): Promise<number> {
  const { fault, ...rest } = options;
  const sandbox = await startSandbox({ ...rest, ...(fault ? { faults: fault } : {}) }).catch(
    (error: Error) => {
      throw new CommandError("sandbox", error.message);
    },
  );
  const { baseUrl, apiKey } = sandbox;
  const { io, globals, out } = invocation;
  try {
    if (globals.format === "json") await out.line(toJson({ base_url: baseUrl, api_key: apiKey }));
    else
      await printEntry(
        invocation,
        [
          { name: "base_url", title: "URL" },
          { name: "api_key", title: "API key" },
        ],
        { base_url: baseUrl, api_key: apiKey },
      );
    invocation.notice("The sandbox runs until Ctrl-C. In another shell:");
    if (!globals.quiet)
      io.stderr.write(
        `  export SUPPLYLINE_BASE_URL=${baseUrl}\n  export SUPPLYLINE_API_KEY=${apiKey}\n${journalBeside(options)}  supplyline accounts list ACME\n`,
      );
    await ended(io.signal);
    return exitCode.done;
  } finally {
    await sandbox.close();
  }
}

/** Entries about stored data belong beside it: both are then kept, moved and removed together. */
function journalBeside({ dataDir }: RunSandboxOptions): string {
  if (dataDir === undefined) return "";
  return `  export SUPPLYLINE_STATE_DIR=${shellQuote(join(resolve(dataDir), "client"))}\n`;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
