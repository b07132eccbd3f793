/** Delivers the keys and pastes of the terminal one by one, and can hold keys until a reader exists. */
import { Readable } from "node:stream";
import { inkInput } from "./key-name.ts";
import { keysOf } from "./sequence-keys.ts";
import { pasteEnd, SequenceReader, type Token } from "./sequence-reader.ts";
import { pasteStart } from "./sequence-states.ts";

/**
 * Matches input that looks like a pasted number: many characters at once, several of them digits,
 * perhaps with a line break at the end. Terminals without bracketed paste send a paste in this way.
 * No one types that fast.
 */
const burst = /^(?=(?:\D*\d){3})[!-~]{8,200}[\r\n]?$/;
/** The key that is delivered before waiting keys, as a terminal does. */
const interrupt = "ctrl-c";
/** The sequence that asks the terminal for its attributes (DA1), which nearly every one answers. */
export const attributesQuery = "\x1b[c";
const attributesAnswer = /\x1b\[\?[\d;]*c/;
const answerLimit = 64;

/** Counts drawn frames: an answer that was typed before its question was drawn is ignored. */
export class FrameCount {
  drawn = 0;
  atKey = 0;
}

interface RawInput {
  on(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  setRawMode(mode: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
  resume?(): unknown;
  pause?(): unknown;
}

/**
 * The name of a key, or the text of a burst or a paste. `drawn` is the number of frames that were
 * drawn when it was typed.
 */
interface Piece {
  readonly kind: "key" | "burst" | "paste";
  readonly text: string;
  readonly drawn: number;
}

/**
 * Delivers keys that arrive together over a slow link (`jjj`, `abc⏎`) as separate key presses. Each
 * is handled after the effect of the previous one is drawn. A bracketed paste is one piece and never
 * acts as keys. Reports and unknown sequences of the terminal are dropped. Calls `onHangUp` when the
 * terminal is lost.
 */
export class KeyStream extends Readable {
  readonly isTTY = true;
  readonly #source: RawInput;
  readonly #reader = new SequenceReader((tokens) => this.#take(tokens));
  readonly #queue: Piece[] = [];
  #delivering = false;
  #isDropping = false;
  /** The end of the dropped input, while the answer of the terminal is expected. */
  #dropped: { bytes: string; readonly onAnswer: () => void } | null = null;
  #holdCount = 0;
  readonly #onResponse: (response: string) => void;
  readonly #frames: FrameCount;
  #isTyping: () => boolean = () => true;

  /**
   * Reads keys from `source`. `onResponse` receives the terminal's responses to queries (OSC),
   * which are not keys.
   */
  constructor(
    source: RawInput,
    onHangUp: () => void,
    onResponse: (response: string) => void = () => {},
    frames: FrameCount = new FrameCount(),
  ) {
    super({ objectMode: true, highWaterMark: 1024, read() {} });
    this.#source = source;
    this.#onResponse = onResponse;
    this.#frames = frames;
    source.on("data", (chunk) => this.#receive(chunk));
    for (const event of ["end", "close", "error"] as const) source.on(event, onHangUp);
  }

  /**
   * Sets the function that returns true if a text field is focused. Without a focused field, input
   * that looks like a pasted number is delivered as a paste even if the terminal does not mark
   * pastes.
   */
  whileTyping(isTyping: () => boolean): void {
    this.#isTyping = isTyping;
  }

  /**
   * Ignores Ink's request for UTF-8, because the pieces are strings already and must not be joined.
   */
  override setEncoding(): this {
    return this;
  }

  setRawMode(mode: boolean): this {
    this.#source.setRawMode(mode);
    return this;
  }

  ref(): this {
    this.#source.ref?.();
    this.#source.resume?.();
    return this;
  }

  unref(): this {
    this.#source.unref?.();
    return this;
  }

  /** Drops keys until {@link reclaim}, because another program or the shell has the terminal. */
  dropKeys(): void {
    this.#isDropping = true;
    this.#queue.length = 0;
    this.#reader.reset();
  }

  /** Stops reading the terminal, so that another program receives every key. */
  release(): void {
    this.dropKeys();
    this.#source.pause?.();
  }

  /**
   * Reads the terminal's input again after {@link dropKeys} or {@link release}. Drops what was typed
   * for the other program, and what the terminal still owes it.
   *
   * `ask` sends the terminal {@link attributesQuery}. A terminal answers in order. So everything
   * before the answer was typed on the other program's screen, or answers that program, and
   * everything after the answer is for the console. `pause` waits for the time in which an answer
   * can arrive. It rejects when its signal is aborted, and if no input can arrive.
   */
  async reclaim(pause: (signal: AbortSignal) => Promise<void>, ask = () => {}): Promise<void> {
    const answered = new AbortController();
    this.#dropped = { bytes: "", onAnswer: () => answered.abort() };
    // The terminal delivers an unfinished line only in raw mode.
    this.#source.setRawMode(true);
    this.#source.resume?.();
    ask();
    await pause(answered.signal).then(
      // On a busy machine the pause can end before the input is read.
      () => new Promise((resolve) => setImmediate(resolve)),
      // After the terminal is lost, the program can end at once, so it does not wait for the event
      // loop.
      () => {},
    );
    if (this.#dropped !== null) this.#reader.skip(this.#dropped.bytes);
    this.#dropped = null;
    this.#isDropping = false;
  }

  /**
   * Holds typed keys until their reader exists, then delivers them in order. An interrupt does not
   * wait: it is delivered at once, and the keys before it are dropped. Returns a function that
   * releases the hold. After the last release, the keys are delivered in the next turn of the event
   * loop.
   */
  hold(): () => void {
    this.#holdCount++;
    let isHolding = true;
    return () => {
      if (!isHolding) return;
      isHolding = false;
      this.#holdCount--;
      setImmediate(() => this.#start());
    };
  }

  #receive(chunk: Buffer | string): void {
    const bytes = (typeof chunk === "string" ? Buffer.from(chunk) : chunk).toString("latin1");
    if (this.#isDropping) this.#drop(bytes);
    else this.#read(bytes);
  }

  #read(bytes: string): void {
    if (!this.#reader.isIdle || !burst.test(bytes)) {
      this.#reader.read(bytes);
      return;
    }
    this.#add("burst", bytes);
    this.#start();
  }

  /** Drops input. Reads on after the answer of the terminal, if the answer is expected. */
  #drop(bytes: string): void {
    if (this.#dropped === null) return;
    const text = this.#dropped.bytes + bytes;
    const [answer] = attributesAnswer.exec(text) ?? [];
    this.#dropped.bytes = text.slice(-answerLimit);
    if (answer === undefined) return;
    const { onAnswer } = this.#dropped;
    this.#dropped = null;
    this.#isDropping = false;
    onAnswer();
    this.#read(text.slice(text.indexOf(answer) + answer.length));
  }

  #take(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.kind === "paste") this.#add("paste", token.text);
      else if (token.text.startsWith("\x1b]")) this.#onResponse(token.text);
      else for (const name of keysOf(token)) this.#add("key", name);
    }
    this.#start();
  }

  #add(kind: Piece["kind"], text: string): void {
    this.#queue.push({ kind, text, drawn: this.#frames.drawn });
  }

  /** Delivers the first piece at once, unless pieces are already being delivered. */
  #start(): void {
    if (!this.#delivering && this.#queue.length > 0) this.#deliver();
  }

  /**
   * If a burst is next, converts it to keys if a text field is focused, else to a paste.
   */
  #convertBurst(): void {
    const next = this.#queue[0];
    if (next?.kind !== "burst") return;
    const { text, drawn } = next;
    const names = [...text].flatMap((character) => keysOf({ kind: "character", text: character }));
    const pieces: readonly Piece[] = this.#isTyping()
      ? names.map((name) => ({ kind: "key", text: name, drawn }))
      : [{ kind: "paste", text, drawn }];
    this.#queue.splice(0, 1, ...pieces);
  }

  /** Delivers the next piece, and the others one by one in later turns of the event loop. */
  #deliver(): void {
    const isInterrupt = (piece?: Piece) => piece?.kind === "key" && piece.text === interrupt;
    const lastInterrupt = this.#queue.findLastIndex(isInterrupt);
    if (this.#holdCount > 0) this.#queue.splice(0, Math.max(0, lastInterrupt));
    this.#convertBurst();
    const isHeld = this.#holdCount > 0 && !isInterrupt(this.#queue[0]);
    const next = isHeld ? undefined : this.#queue.shift();
    if (next === undefined) {
      this.#delivering = false;
      return;
    }
    this.#delivering = true;
    this.#frames.atKey = next.drawn;
    const { kind, text } = next;
    this.push(kind === "paste" ? pasteStart + text + pasteEnd : inkInput(text));
    setImmediate(() => this.#deliver());
  }
}
