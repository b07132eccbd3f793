/** A sandbox whose list is longer or shorter from time to time, and commands that read and check it. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "../../src/sandbox/index.ts";
import { type Ended, runDriver } from "./run-driver.ts";
import type { ScenarioOptions } from "./stage.ts";

/** Its accounts are imported or pending, in this order; they do not move. */
const lists = { code: "LIST", status: "Ongoing", imported: 4, staged: 20 } as const;

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** No file may grow beyond this many bytes. */
  readonly limit?: number;
}

export interface ListsStage extends AsyncDisposable {
  /** A folder for state folders. */
  readonly folder: string;
  /** The service lists this many pending accounts from now on. */
  setPending(count: number): void;
  /** Runs a command about the supplier with a state folder, to its end. */
  run(words: readonly string[], state: string, options?: RunOptions): Promise<Ended>;
}

export async function openListsStage(options: ScenarioOptions): Promise<ListsStage> {
  const folder = mkdtempSync(join(options.where, "lists-"));
  const { seed, client } = options;
  const sandbox = await startSandbox({ seed, speed: 0, suppliers: [lists] });
  const { baseUrl, apiKey } = sandbox;
  return {
    folder,
    setPending: (count) => sandbox.setFaults([`rows=${lists.imported + count}@lists`]),
    run: ([noun = "", ...words], state, { env = {}, limit = null } = {}) => {
      const verb = noun === "check" || noun === "changes" ? [] : words.splice(0, 1);
      const own = {
        HOME: folder,
        TZ: "UTC",
        SUPPLYLINE_CONFIG_DIR: join(folder, "config"),
        SUPPLYLINE_STATE_DIR: state,
        SUPPLYLINE_BASE_URL: baseUrl,
        SUPPLYLINE_API_KEY: apiKey,
      };
      const build = { ...client, env: { ...client.env, ...own, ...env } };
      const args = [noun, ...verb, lists.code, ...words, "--json"];
      return runDriver("command-driver.ts", args, build, limit);
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
