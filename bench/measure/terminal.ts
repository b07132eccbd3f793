import { StringDecoder } from "node:string_decoder";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { FrameGate } from "../../test/helpers/frame-gate.ts";
import { now, pause } from "./clock.ts";

/** Only stops a hang. */
const longestWait = 300_000;

interface Wait {
  readonly holds: (screen: string) => boolean;
  readonly resolve: (at: number) => void;
}

export interface TerminalOptions {
  readonly env: Record<string, string>;
  readonly cols?: number;
  readonly rows?: number;
}

/**
 * A program in a pseudo-terminal, with the time at which its bytes came: what a screen shows counts
 * from the arrival of the bytes that completed it, not from when the emulator had drawn them.
 */
export class TimedTerminal implements AsyncDisposable {
  readonly startedAt: number;
  /** Resolves, with the time, when the program has ended. */
  readonly ended: Promise<number>;
  readonly #pty: IPty;
  readonly #emulator: xterm.Terminal;
  readonly #gate = new FrameGate();
  readonly #decoder = new StringDecoder("utf8");
  readonly #waits = new Set<Wait>();
  #firstByte: ((at: number) => void) | null = null;
  #gone = false;
  #bytes = 0;
  #lastByteAt = 0;

  constructor(command: string, args: readonly string[], options: TerminalOptions) {
    const { env, cols = 200, rows = 50 } = options;
    this.#emulator = new xterm.Terminal({ cols, rows, allowProposedApi: true });
    this.startedAt = now();
    this.#pty = spawn(command, [...args], {
      name: "xterm-256color",
      cols,
      rows,
      env,
      encoding: null,
    });
    this.#emulator.onData((answer) => {
      if (!this.#gone) this.#pty.write(answer);
    });
    // With no encoding it is bytes that come, whatever the declared type says.
    this.#pty.onData((chunk) => this.#take(chunk as unknown as Buffer));
    const { promise, resolve } = Promise.withResolvers<number>();
    this.ended = promise;
    this.#pty.onExit(() => {
      this.#gone = true;
      resolve(now());
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Bytes written to the terminal so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sends keys; gives the time. */
  send(keys: string): number {
    const at = now();
    this.#pty.write(keys);
    return at;
  }

  screen(): string {
    const { active } = this.#emulator.buffer;
    const line = (row: number) => active.getLine(active.baseY + row)?.translateToString(true) ?? "";
    return Array.from({ length: this.#emulator.rows }, (_, row) => line(row)).join("\n");
  }

  /** Returns the time of the bytes with which the screen was first as wanted, or now if it already is. */
  until(wanted: string | RegExp | ((screen: string) => boolean)): Promise<number> {
    const holds =
      typeof wanted === "function"
        ? wanted
        : (screen: string) =>
            typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen);
    if (holds(this.screen())) return Promise.resolve(now());
    return this.#bounded(this.#changed(holds).at, `the screen never was as wanted (${wanted})`);
  }

  /** Returns the time of the next byte. */
  nextByte(): Promise<number> {
    const next = new Promise<number>((resolve) => {
      this.#firstByte = resolve;
    });
    return this.#bounded(next, "nothing came");
  }

  /** Returns the time of the last bytes that changed the screen, after it has not changed for that long. */
  async settled(quietMs: number): Promise<number> {
    let last = now();
    let shown = this.screen();
    for (;;) {
      const changed = this.#changed((screen) => screen !== shown);
      const at = await Promise.race([changed.at, pause(quietMs)]);
      changed.forget();
      if (at === undefined) return last;
      last = at;
      shown = this.screen();
    }
  }

  /** Resolves when nothing has come for so long. */
  async quiet(ms: number): Promise<void> {
    for (;;) {
      const rest = this.#lastByteAt + ms - now();
      if (rest <= 0) return;
      await pause(rest);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#gone) this.#pty.kill("SIGHUP");
    const late = setTimeout(() => this.#pty.kill("SIGKILL"), 2000);
    await this.ended;
    clearTimeout(late);
    this.#emulator.dispose();
  }

  #changed(holds: Wait["holds"]): { at: Promise<number>; forget: () => void } {
    const { promise, resolve } = Promise.withResolvers<number>();
    const wait = { holds, resolve };
    this.#waits.add(wait);
    return { at: promise, forget: () => this.#waits.delete(wait) };
  }

  #take(chunk: Buffer): void {
    const at = now();
    this.#bytes += chunk.length;
    this.#lastByteAt = at;
    this.#firstByte?.(at);
    this.#firstByte = null;
    const text = this.#gate.push(this.#decoder.write(chunk));
    this.#emulator.write(text, () => this.#check(at));
  }

  #check(at: number): void {
    if (this.#waits.size === 0) return;
    const screen = this.screen();
    for (const wait of [...this.#waits]) {
      if (!wait.holds(screen)) continue;
      this.#waits.delete(wait);
      wait.resolve(at);
    }
  }

  async #bounded(answer: Promise<number>, why: string): Promise<number> {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = (reason: string) => reject(new Error(`${why}; ${reason}\n${this.screen()}`));
    const timer = setTimeout(() => late("gave up waiting"), longestWait);
    // The last bytes may still be on their way through the emulator.
    void this.ended.then(() => setTimeout(() => late("the program has ended"), 100));
    promise.catch(() => {});
    return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
  }
}
