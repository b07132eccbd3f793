import { readFileSync } from "node:fs";
import { type Clock, systemClock } from "../../src/api/clock.ts";
import { endingCodes } from "../../src/commands/exit-codes.ts";
import { Ended, type EndedKind, type Io } from "../../src/commands/io.ts";
import { main } from "../../src/commands/main.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { shownZone } from "../../src/text/dates.ts";
import { closing } from "./closing.ts";
import type { Typed } from "./display.ts";
import { DrivenDisplay, type Driver } from "./driven-display.ts";
import { type Folders, openFolders, programEnvironment } from "./folders.ts";
import { killGroup } from "./kill-group.ts";
import { longestWait } from "./longest-wait.ts";
import { noLedger } from "./no-ledger.ts";
import { noMemory } from "./no-memory.ts";
import { TerminalInput, TerminalOutput } from "./terminal-streams.ts";

/** After a hang-up the entry ends the process, whatever is still under way. */
const longestHungUpMs = 950;

/** The end of a program on a terminal. `signal` is the number of the signal that killed it. */
export interface Exit {
  readonly code: number;
  readonly signal: number | null;
}

/** A program on a terminal, seen through a terminal emulator. */
export interface Console extends Driver, AsyncDisposable {
  resize(cols: number, rows: number): void;
  /** Takes the terminal away, as when an SSH connection ends. */
  hangUp(): void;
  /** Resolves when the program has ended and its last output is on the screen. */
  readonly exit: Promise<Exit>;
}

export interface TerminalOptions {
  /** 80×24 by default. */
  readonly cols?: number;
  readonly rows?: number;
  /** Stands above the clean environment. */
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

export interface OpenConsoleOptions extends Omit<TerminalOptions, "cwd"> {
  /** Folders to share with other runs; without them the console gets new ones. */
  readonly folders?: Folders;
  /** The machine's own where absent. With one of its own the embedded sandbox moves, by that clock. */
  readonly clock?: Clock;
  /** Loads the ledger of a team. Default: none. */
  readonly loadLedger?: Io["loadLedger"];
  /** Loads the memory of a team. Default: an empty one. */
  readonly loadMemory?: Io["loadMemory"];
  /** Receives the terminal's answers. Default: the console receives them at once. */
  readonly answer?: (bytes: string) => void;
}

const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly version: string };

/** Ink patches it while it draws, and of two that draw at once only the first puts it back. */
const consoleBefore = { ...console };

/** The program on a terminal in memory. */
class MemoryConsole extends DrivenDisplay implements Console {
  readonly exit: Promise<Exit>;
  readonly #input: TerminalInput;
  readonly #output: TerminalOutput;
  readonly #ending = new AbortController();
  readonly #interrupts: (() => void)[] = [];
  readonly #sandboxes: Sandbox[] = [];
  readonly #env: Record<string, string | undefined>;
  readonly #clock: Clock;
  readonly #loadLedger: Io["loadLedger"];
  readonly #loadMemory: Io["loadMemory"];
  readonly #sandboxSpeed: number;
  readonly #done: Promise<number>;
  readonly #hardExit = Promise.withResolvers<number>();
  readonly #owned: AsyncDisposable | null;
  readonly #zoneBefore = process.env.TZ;
  #isOpen = true;
  #closed: Promise<void> | null = null;

  constructor(args: readonly string[], folders: Folders, options: OpenConsoleOptions) {
    const { cols = 80, rows = 24 } = options;
    const input = new TerminalInput();
    super(cols, rows, (answer) => {
      if (options.answer) options.answer(answer);
      else if (this.#isOpen) input.type(answer);
    });
    this.#input = input;
    this.#output = new TerminalOutput(cols, rows, (chunk) => {
      if (this.#isOpen) this.feed(chunk);
    });
    this.#clock = options.clock ?? systemClock;
    this.#loadLedger = options.loadLedger ?? noLedger;
    this.#loadMemory = options.loadMemory ?? noMemory;
    // By the machine's clock it would have moved further on a busy machine than on an idle one.
    this.#sandboxSpeed = options.clock ? 1 : 0;
    this.#owned = options.folders ? null : folders;
    this.#env = programEnvironment(folders, options.env);
    process.env.TZ = this.#env.TZ;
    this.#done = main(args, this.#io(folders.home));
    this.exit = Promise.race([this.#done, this.#hardExit.promise]).then(async (code) => {
      this.#isOpen = false;
      await this.end(`the program has ended (code ${code})`);
      return { code, signal: null };
    });
  }

  send(keys: string): Typed {
    if (!this.#isOpen) throw new Error("no one reads keys: the program has ended");
    // Until the program asks for raw mode, the terminal makes an interrupt of it.
    if (keys === "\x03" && !this.#input.isRaw) this.#interrupt();
    else this.#input.type(keys);
    return this.typed();
  }

  override resize(cols: number, rows: number): void {
    super.resize(cols, rows);
    this.#output.setSize(cols, rows);
  }

  hangUp(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#end("hang-up");
    setTimeout(() => this.#hardExit.resolve(endingCodes["hang-up"]), longestHungUpMs).unref();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#end("interrupted");
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`the console does not end\n${this.text()}`)),
      longestWait,
    );
    await Promise.race([this.#done, late.promise]).finally(() => clearTimeout(timer));
    await this.exit;
    await Promise.all(this.#sandboxes.map((sandbox) => sandbox.close()));
    this.dispose();
    shownZone.set("local");
    Object.assign(console, consoleBefore);
    if (this.#zoneBefore === undefined) delete process.env.TZ;
    else process.env.TZ = this.#zoneBefore;
    await this.#owned?.[Symbol.asyncDispose]();
  }

  #end(kind: EndedKind): void {
    if (!this.#ending.signal.aborted) {
      this.#ending.abort(new Ended(kind, { settles: kind === "hang-up" }));
    }
  }

  #interrupt(): void {
    const handler = this.#interrupts.at(-1);
    if (handler) handler();
    else this.#end("interrupted");
  }

  /** The world as the entry puts it together for a real terminal. */
  #io(home: string): Io {
    const stdin = this.#input as unknown as NodeJS.ReadStream;
    const stdout = this.#output as unknown as NodeJS.WriteStream;
    const onInterrupt: Io["onInterrupt"] = (handler) => {
      this.#interrupts.push(handler);
      return () => void this.#interrupts.splice(this.#interrupts.lastIndexOf(handler), 1);
    };
    const env = this.#env;
    const clock = this.#clock;
    return {
      stdin,
      stdout,
      stderr: stdout,
      env,
      home,
      clock,
      version,
      pid: process.pid,
      nodeVersion: process.version,
      signal: this.#ending.signal,
      onInterrupt,
      killGroup,
      loadLedger: this.#loadLedger,
      loadMemory: this.#loadMemory,
      openConsole: async (request) => {
        // Most commands on a terminal never open it.
        const { runConsole } = await import("../../src/screens/shell/console.tsx");
        return runConsole({
          ...request,
          env,
          home,
          loadLedger: this.#loadLedger,
          loadMemory: this.#loadMemory,
          stdin,
          stdout,
          clock,
          version,
          pid: process.pid,
          end: this.#ending.signal,
          killGroup,
          suspend: async () => {},
          holdInterrupts: () => {},
          openSandbox: async () => {
            const sandbox = await startSandbox({ now: clock.now, speed: this.#sandboxSpeed });
            this.#sandboxes.push(sandbox);
            return sandbox;
          },
        });
      },
    };
  }
}

/**
 * Runs the program in this process, from its command line to its exit code, on a terminal in memory.
 * Its folders, unless given, are removed on dispose. Where the process or the kernel's terminal is
 * the subject, see terminal.ts.
 */
export async function openConsole(
  args: readonly string[],
  options: OpenConsoleOptions = {},
): Promise<Console> {
  const folders = options.folders ?? (await openFolders());
  return closing(new MemoryConsole(args, folders, options));
}
