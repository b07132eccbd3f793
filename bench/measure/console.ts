import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtProgram } from "../../test/helpers/built-program.ts";
import { type Folders, programEnvironment } from "../../test/helpers/folders.ts";
import { pause } from "./clock.ts";
import type { Lists } from "./lists.ts";
import { TimedTerminal } from "./terminal.ts";

/** Milliseconds by which the event loop was late. */
interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface ConsoleOptions {
  readonly env?: Record<string, string>;
  /** Its event loop is watched from within. Default: false. */
  readonly probed?: boolean;
  /** Default: 200×50. */
  readonly cols?: number;
  readonly rows?: number;
}

/** The console in a terminal. */
export class Console extends TimedTerminal {
  readonly #figures: string;

  constructor(args: readonly string[], folders: Folders, options: ConsoleOptions = {}) {
    const { cols = 200, rows = 50 } = options;
    const figures = join(folders.home, `loop-delay-${process.hrtime.bigint()}`);
    const probe = fileURLToPath(new URL("./probe.mjs", import.meta.url));
    const probed = { NODE_OPTIONS: `--import=${probe}`, BENCH_PROBE: figures };
    super(process.execPath, [builtProgram(), ...args], {
      cols,
      rows,
      env: programEnvironment(folders, { ...options.env, ...(options.probed ? probed : {}) }),
    });
    this.#figures = figures;
  }

  /** Returns the delay of its event loop since the last call. Only if it is probed. */
  async loopDelay(): Promise<LoopDelay> {
    const before = this.#lines().length;
    process.kill(this.pid, "SIGUSR2");
    for (let lines = this.#lines(); ; lines = this.#lines()) {
      const line = lines[before];
      if (line !== undefined) return JSON.parse(line) as LoopDelay;
      await pause(2);
    }
  }

  #lines(): string[] {
    return existsSync(this.#figures)
      ? readFileSync(this.#figures, "utf8").split("\n").slice(0, -1)
      : [];
  }
}

/** The console with a list that has been asked for and whose answer is held back. */
export async function openWaitingList(
  lists: Lists,
  folders: Folders,
  options: ConsoleOptions = {},
): Promise<Console> {
  await lists.hold();
  const env = { ...lists.env, ...options.env };
  const console = new Console(["open", "ACME"], folders, { ...options, env });
  await console.until("loading…");
  console.send("\r");
  await console.until("[All");
  return console;
}

/** The same with the list loaded whole and no reload to come. */
export async function openLoadedList(
  lists: Lists,
  folders: Folders,
  options: ConsoleOptions = {},
): Promise<Console> {
  const console = await openWaitingList(lists, folders, options);
  await lists.release();
  await console.until(loaded);
  console.send("z");
  await console.until(/ paused\b/);
  await console.quiet(500);
  return console;
}

/** The line below the list says that all of it is there. */
export const loaded = /\d of [\d,]+ .*\bloaded /;

/** Pending rows have their ages, so the list is recorded. */
export const recorded = / pending +[^\s│]/;
