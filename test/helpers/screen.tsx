import { type Instance, render } from "ink";
import type { ReactNode } from "react";
import { FrameCount, KeyStream } from "../../src/keys/key-stream.ts";
import { closing } from "./closing.ts";
import type { Typed } from "./display.ts";
import { DrivenDisplay, type Driver } from "./driven-display.ts";
import { TerminalInput, TerminalOutput } from "./terminal-streams.ts";

/** An Ink element drawn in this process on a terminal emulator. */
export interface Screen extends Driver, AsyncDisposable {
  resize(cols: number, rows: number): void;
  /** Puts another element in the place of the one drawn. */
  rerender(element: ReactNode): void;
  /** Ends the input, as a lost connection does. */
  hangUp(): void;
  /** True if the end of the input was seen. */
  hungUp(): boolean;
  /** Keeps typed keys from the element until the way to let go is called, as the console does. */
  holdKeys(): () => void;
  /** True if the program has the terminal in raw mode. */
  rawMode(): boolean;
  /** Resolves with what `exit()` was given once the element ended itself; rejects with its error. */
  readonly exit: Promise<unknown>;
}

export interface ScreenOptions {
  /** 80×24 by default. */
  readonly cols?: number;
  readonly rows?: number;
  /** Draws the linear screen for screen readers. */
  readonly accessible?: boolean;
  /** Counts the frames, as the console does. */
  readonly frames?: FrameCount;
}

class InkScreen extends DrivenDisplay implements Screen {
  readonly exit: Promise<unknown>;
  readonly #input: TerminalInput;
  readonly #output: TerminalOutput;
  readonly #ink: Instance;
  readonly #keys: KeyStream;
  #hungUp = false;

  constructor(element: ReactNode, options: ScreenOptions) {
    const { cols = 80, rows = 24, accessible = false, frames = new FrameCount() } = options;
    const input = new TerminalInput();
    super(cols, rows, (answer) => input.type(answer));
    this.#input = input;
    this.#output = new TerminalOutput(cols, rows, (chunk) => this.feed(chunk));
    const hungUp = () => {
      this.#hungUp = true;
    };
    const keys = new KeyStream(input, hungUp, () => {}, frames);
    this.#keys = keys;
    this.#ink = render(element, {
      stdin: keys as unknown as NodeJS.ReadStream,
      stdout: this.#output as unknown as NodeJS.WriteStream,
      stderr: this.#output as unknown as NodeJS.WriteStream,
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
      onRender: () => {
        frames.drawn += 1;
      },
      isScreenReaderEnabled: accessible,
      maxFps: 120,
    });
    this.exit = this.#ink.waitUntilExit();
    this.exit.then(
      () => this.end("what was drawn has ended"),
      (error) => this.end(`what was drawn has failed: ${error?.stack ?? error}`),
    );
  }

  send(keys: string): Typed {
    this.#input.type(keys);
    return this.typed();
  }

  override resize(cols: number, rows: number): void {
    super.resize(cols, rows);
    this.#output.setSize(cols, rows);
  }

  rerender(element: ReactNode): void {
    this.#ink.rerender(element);
  }

  hangUp(): void {
    this.#input.hangUp();
  }

  hungUp(): boolean {
    return this.#hungUp;
  }

  holdKeys(): () => void {
    return this.#keys.hold();
  }

  rawMode(): boolean {
    return this.#input.isRaw;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ink.unmount();
    await this.exit.catch(() => {});
    this.dispose();
  }
}

/** Draws an element with Ink, on the alternate screen, reading keys as the console does. */
export function openScreen(element: ReactNode, options: ScreenOptions = {}): Screen {
  return closing(new InkScreen(element, options));
}
