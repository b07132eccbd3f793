import xterm from "@xterm/headless";
import { type Cell, type Grid, readCell } from "./cell.ts";
import { characterWidths } from "./character-width.ts";
import { drawnScreen } from "./drawn-screen.ts";
import { FrameGate } from "./frame-gate.ts";
import { longestWait } from "./longest-wait.ts";
import { watchedScreen } from "./watched-screen.ts";

/** The screen to wait for: a text anywhere on it, a pattern, or a predicate of the whole screen. */
export type Wanted = string | RegExp | ((screen: string) => boolean);

export interface WaitOptions {
  /** Says in words what a function waits for. */
  readonly describe?: string;
  /** Milliseconds before giving up. */
  readonly bound?: number;
}

/** The screen, as a person sees it. */
export interface View extends Grid {
  /** The lines of the screen, without the blanks at their right. */
  screen(): string[];
  /** The same as one text. */
  text(): string;
  /** Returns the cell of the first use of a text, from 0. Throws with the screen if there is none. */
  find(text: string): { row: number; col: number };
  /** Resolves with the screen once it shows what is wanted; asked again after every output. */
  waitFor(wanted: Wanted, options?: WaitOptions): Promise<string>;
  /** Resolves with the screen once it does not show it any more. */
  waitForGone(unwanted: Wanted, options?: WaitOptions): Promise<string>;
  /** Everything written to the terminal so far, control bytes and all. */
  bytes(): string;
  /** The texts sent to the terminal's clipboard so far, the latest last. */
  copied(): readonly string[];
  altScreen(): boolean;
  title(): string;
  /** Column and row of the cursor, from 0. */
  cursor(): { row: number; col: number };
}

interface Wait {
  readonly holds: () => boolean;
  readonly succeed: () => void;
  readonly fail: (why: string) => void;
}

function matches(wanted: Wanted, screen: string): boolean {
  if (typeof wanted === "string") return screen.includes(wanted);
  if (typeof wanted === "function") return wanted(screen);
  return screen.search(wanted) !== -1;
}

function inWords(wanted: Wanted, options: WaitOptions): string {
  if (options.describe) return options.describe;
  if (typeof wanted === "string") return `“${wanted}”`;
  return typeof wanted === "function" ? `a screen where ${wanted}` : String(wanted);
}

/** The typed keys. Its promises wait for the screen that follows. */
export interface Typed {
  until(wanted: Wanted, options?: WaitOptions): Promise<string>;
  untilGone(unwanted: Wanted, options?: WaitOptions): Promise<string>;
}

/** A terminal emulator: takes output bytes, shows a screen, and reports when it changed. */
export class Display implements View {
  readonly #emulator: xterm.Terminal;
  readonly #gate = new FrameGate();
  readonly #watched = watchedScreen();
  readonly #waits = new Set<Wait>();
  #bytes = "";
  #title = "";
  #ended: string | null = null;

  /** `answer` receives what the terminal itself sends, for example who it is when asked. */
  constructor(cols: number, rows: number, answer: (bytes: string) => void) {
    this.#emulator = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 5000 });
    this.#emulator.unicode.register(characterWidths);
    this.#emulator.unicode.activeVersion = characterWidths.version;
    this.#emulator.onData(answer);
    this.#emulator.onTitleChange((title) => {
      this.#title = title;
    });
  }

  get cols(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  get applicationCursor(): boolean {
    return this.#emulator.modes.applicationCursorKeysMode;
  }

  get bracketedPaste(): boolean {
    return this.#emulator.modes.bracketedPasteMode;
  }

  /** Takes output of the program, in any pieces. */
  feed(chunk: string): void {
    this.#bytes += chunk;
    this.#watched(chunk);
    this.#emulator.write(this.#gate.push(chunk), () => this.#recheck());
  }

  /** Changes the size after everything fed so far has been drawn. */
  resize(cols: number, rows: number): void {
    this.#emulator.write("", () => {
      this.#emulator.resize(cols, rows);
      this.#recheck();
    });
  }

  /** No more output will come: draws what is left, then fails what can no longer come true. */
  end(why: string): Promise<void> {
    return new Promise((resolve) => {
      this.#emulator.write(this.#gate.flush(), () => {
        this.#ended ??= why;
        this.#recheck();
        for (const wait of [...this.#waits]) wait.fail(why);
        resolve();
      });
    });
  }

  dispose(): void {
    for (const wait of [...this.#waits]) wait.fail("the terminal was closed");
    this.#emulator.dispose();
  }

  screen(): string[] {
    const buffer = this.#emulator.buffer.active;
    return Array.from({ length: this.rows }, (_, row) =>
      (buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
  }

  text(): string {
    return this.screen().join("\n");
  }

  cell(row: number, col: number): Cell {
    const buffer = this.#emulator.buffer.active;
    const cell = buffer.getLine(buffer.baseY + row)?.getCell(col);
    if (!cell || row < 0 || row >= this.rows) {
      throw new RangeError(`no cell at row ${row}, column ${col} of ${this.cols}×${this.rows}`);
    }
    return readCell(cell);
  }

  find(text: string): { row: number; col: number } {
    for (const [row, line] of this.screen().entries()) {
      const index = line.indexOf(text);
      if (index !== -1) return { row, col: this.#columnAt(row, index) };
    }
    throw new Error(`“${text}” is not on the screen\n${this.#drawn()}`);
  }

  protected typed(): Typed {
    return {
      until: (wanted, options) => this.waitFor(wanted, options),
      untilGone: (unwanted, options) => this.waitForGone(unwanted, options),
    };
  }

  waitFor(wanted: Wanted, options: WaitOptions = {}): Promise<string> {
    const holds = () => matches(wanted, this.text());
    return this.#wait(holds, `waited for ${inWords(wanted, options)}`, options);
  }

  waitForGone(unwanted: Wanted, options: WaitOptions = {}): Promise<string> {
    const holds = () => !matches(unwanted, this.text());
    return this.#wait(holds, `waited for this to go: ${inWords(unwanted, options)}`, options);
  }

  bytes(): string {
    return this.#bytes;
  }

  copied(): readonly string[] {
    return [...this.#bytes.matchAll(/\u001b\]52;c;([^\u0007]*)\u0007/g)].map(([, encoded = ""]) =>
      Buffer.from(encoded, "base64").toString("utf8"),
    );
  }

  altScreen(): boolean {
    return this.#emulator.buffer.active.type === "alternate";
  }

  title(): string {
    return this.#title;
  }

  cursor(): { row: number; col: number } {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return { row: cursorY, col: cursorX };
  }

  #wait(holds: () => boolean, wish: string, options: WaitOptions): Promise<string> {
    // Made here, so that its stack leads to the line of the test that waits.
    const failure = new Error(wish);
    if (holds()) return Promise.resolve(this.text());
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const bound = options.bound ?? longestWait;
    const timer = setTimeout(() => wait.fail(`gave up after ${bound / 1000} s`), bound);
    const done = () => {
      clearTimeout(timer);
      this.#waits.delete(wait);
    };
    const wait: Wait = {
      holds,
      succeed: () => {
        done();
        resolve(this.text());
      },
      fail: (why) => {
        done();
        failure.message = `${wish}; ${why}\n${this.#drawn()}`;
        reject(failure);
      },
    };
    if (this.#ended === null) this.#waits.add(wait);
    else wait.fail(this.#ended);
    return promise;
  }

  #recheck(): void {
    for (const wait of [...this.#waits]) {
      let holds = false;
      try {
        holds = wait.holds();
      } catch (error) {
        wait.fail(`asking threw: ${error}`);
        continue;
      }
      if (holds) wait.succeed();
    }
  }

  #drawn(): string {
    const note = this.#gate.holding ? "a synchronised drawing has begun and not ended" : null;
    return drawnScreen(this.screen(), this.cols, note);
  }

  /** The cell where the character at a string index stands; wide ones take two. */
  #columnAt(row: number, index: number): number {
    let passed = 0;
    for (let col = 0; col < this.cols; col++) {
      const { chars, width } = this.cell(row, col);
      if (width === 0) continue;
      if (passed >= index) return col;
      passed += chars === "" ? 1 : chars.length;
    }
    return this.cols - 1;
  }
}
