import { tmpdir } from "node:os";
import { type IPty, spawn } from "@lydell/node-pty";
import { programWords } from "./built-program.ts";
import { closing } from "./closing.ts";
import type { Console, Exit, TerminalOptions } from "./console.ts";
import type { Typed } from "./display.ts";
import { DrivenDisplay } from "./driven-display.ts";
import { cleanEnvironment, type Folders, openFolders, programEnvironment } from "./folders.ts";

/** After a hang-up a program is expected to end; this only stops one that does not. */
const longestEnding = 2_000;

/** A program in a real pseudo-terminal. */
export interface Terminal extends Console {
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
}

/** The part of the pseudo-terminal that its declared type lacks: it closes its master side. */
interface Closable {
  destroy(): void;
}

/** Runs a command in a terminal of its own, with a clean environment. */
export async function openTerminal(
  command: string,
  args: readonly string[],
  options: TerminalOptions = {},
): Promise<Terminal> {
  return startTerminal(command, args, options, cleanEnvironment(tmpdir(), options.env), null);
}

export interface SpawnConsoleOptions extends TerminalOptions {
  /** Folders to share with other runs; without them the console gets fresh ones of its own. */
  readonly folders?: Folders;
}

/** Runs the built program in a terminal. Its folders, unless given, are removed on dispose. */
export async function spawnConsole(
  args: readonly string[],
  options: SpawnConsoleOptions = {},
): Promise<Terminal> {
  const [program, ...words] = programWords();
  const folders = options.folders ?? (await openFolders());
  const owned = options.folders ? null : folders;
  const env = programEnvironment(folders, options.env);
  const cwd = options.cwd ?? folders.home;
  return startTerminal(program, [...words, ...args], { ...options, cwd }, env, owned);
}

class PtyTerminal extends DrivenDisplay implements Terminal {
  readonly exit: Promise<Exit>;
  readonly #pty: IPty;
  readonly #owned: AsyncDisposable | null;
  #state: "open" | "hung up" | "ended" = "open";

  constructor(pty: IPty, owned: AsyncDisposable | null) {
    super(pty.cols, pty.rows, (answer) => {
      if (this.#state === "open") this.#pty.write(answer);
    });
    this.#pty = pty;
    this.#owned = owned;
    pty.onData((chunk) => this.feed(chunk));
    const { promise, resolve } = Promise.withResolvers<Exit>();
    this.exit = promise;
    pty.onExit(({ exitCode, signal }) => {
      this.#state = "ended";
      const exit: Exit = { code: exitCode, signal: signal ? signal : null };
      const how = exit.signal === null ? `code ${exit.code}` : `signal ${exit.signal}`;
      this.end(`the program has ended (${how})`).then(() => resolve(exit));
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  send(keys: string): Typed {
    if (this.#state !== "open") throw new Error(`no one reads keys: the terminal ${this.#state}`);
    this.#pty.write(keys);
    return this.typed();
  }

  override resize(cols: number, rows: number): void {
    super.resize(cols, rows);
    if (this.#state === "open") this.#pty.resize(cols, rows);
  }

  signal(name: NodeJS.Signals): void {
    if (this.#state === "ended") throw new Error("the program has ended already");
    process.kill(this.pid, name);
  }

  hangUp(): void {
    if (this.#state !== "open") return;
    this.#state = "hung up";
    (this.#pty as unknown as Closable).destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp();
    const timer = setTimeout(() => this.#killAll(), longestEnding);
    await this.exit;
    clearTimeout(timer);
    this.dispose();
    await this.#owned?.[Symbol.asyncDispose]();
  }

  /** The program leads a process group of its own, so this reaches what it started as well. */
  #killAll(): void {
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // Gone in the meantime.
    }
  }
}

function startTerminal(
  command: string,
  args: readonly string[],
  options: TerminalOptions,
  env: Record<string, string>,
  owned: AsyncDisposable | null,
): Terminal {
  const { cols = 80, rows = 24, cwd = tmpdir() } = options;
  const name = env.TERM ?? "xterm-256color";
  return closing(new PtyTerminal(spawn(command, [...args], { name, cols, rows, cwd, env }), owned));
}
