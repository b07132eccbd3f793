/**
 * Splits the input of the terminal into single keys and pastes, and can hold keys until a reader
 * exists.
 */
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { toInkSequence } from "./function-keys.ts";

const pasteStart = "\x1b[200~";
const pasteEnd = "\x1b[201~";
/**
 * The size in characters at which a paste without an end (after a lost connection) is delivered.
 */
const pasteLimit = 4 * 1024 * 1024;
/**
 * Input that looks like a pasted number: many characters at once, several of them digits, perhaps
 * with a line break at the end. Terminals without bracketed paste send it. No one types that fast.
 */
const burst = /^(?=(?:\D*\d){3})[!-~]{8,200}[\r\n]?$/;
/** A sequence whose end has not arrived. The start of a paste is stored without a time limit. */
const unfinished = /\x1b\x1b?\[[0-?]*[ -/]*$/;
const pasteBegun = /^\x1b\[20{0,2}$/;
/**
 * Maximum milliseconds until the end of another sequence. Without an end it was Alt-[, which is not
 * a key.
 */
const longestCut = 100;
/** Ctrl-C. It is delivered before waiting keys, as in a terminal's queue. */
const interrupt = "\x03";

/**
 * The number of frames drawn so far, and when the current key was typed. With them the console
 * ignores an answer that was typed before its question appeared.
 */
export class FrameCount {
  drawn = 0;
  atKey = 0;
}

/** The part of a terminal's input that the stream uses. */
interface RawInput {
  on(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  setRawMode(mode: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
  resume?(): unknown;
  pause?(): unknown;
}

/** A key, a burst or a paste, and the number of frames that were drawn when it was typed. */
interface Piece {
  readonly text: string;
  readonly drawn: number;
}

/**
 * Splits raw terminal input so that keys that arrive together over a slow link (`jjj`, `abc⏎`)
 * count as separate key presses. Each is handled after the previous one is drawn. Bracketed pastes
 * stay whole and never act as keys. Ends when the terminal hangs up.
 */
export class KeyStream extends Readable {
  readonly isTTY = true;
  readonly #source: RawInput;
  readonly #decoder = new StringDecoder("utf8");
  readonly #queue: Piece[] = [];
  #held = "";
  #inPaste = false;
  #delivering = false;
  #deaf = false;
  #holds = 0;
  readonly #onAnswer: (answer: string) => void;
  readonly #frames: FrameCount;
  #isTyping: () => boolean = () => true;

  /**
   * Reads keys from `source`. `onAnswer` receives the terminal's responses to questions (OSC),
   * which are not keys.
   */
  constructor(
    source: RawInput,
    onHangUp: () => void,
    onAnswer: (answer: string) => void = () => {},
    frames: FrameCount = new FrameCount(),
  ) {
    super({ objectMode: true, highWaterMark: 1024, read() {} });
    this.#source = source;
    this.#onAnswer = onAnswer;
    this.#frames = frames;
    source.on("data", (chunk) => this.#take(chunk));
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

  /**
   * Starts or stops dropping keys. Keys are dropped while another program owns the terminal and
   * shortly afterwards.
   */
  deafen(deaf: boolean): void {
    this.#deaf = deaf;
    if (deaf) this.#queue.length = 0;
  }

  /** Stops reading the terminal, so that another program receives every key. */
  release(): void {
    this.deafen(true);
    this.#source.pause?.();
  }

  /**
   * Reads the terminal's input again after {@link release}. Drops input that was typed for the
   * other program and not read by it. `pause` resolves after that input has arrived, and rejects if
   * none can arrive.
   */
  async reclaim(pause: () => Promise<void>): Promise<void> {
    // The terminal delivers an unfinished line only in raw mode.
    this.#source.setRawMode(true);
    this.#source.resume?.();
    await pause().then(
      // On a busy machine the pause can end before the input is read.
      () => new Promise((resolve) => setImmediate(resolve)),
      // After the terminal is lost, the program can end at once, so it does not wait for the event
      // loop.
      () => {},
    );
    this.deafen(false);
  }

  /**
   * Holds typed keys until their reader exists, then delivers them in order. An interrupt does not
   * wait: it is delivered at once, and the keys before it are dropped. Returns a function that
   * releases the hold. After the last release, the keys are delivered in the next turn of the event
   * loop.
   */
  hold(): () => void {
    this.#holds++;
    let holding = true;
    return () => {
      if (!holding) return;
      holding = false;
      this.#holds--;
      setImmediate(() => this.#start());
    };
  }

  #take(chunk: Buffer | string): void {
    const text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
    if (this.#deaf) return;
    if (this.#inPaste && text === interrupt) {
      // An interrupt alone in its chunk was typed, so the end of the paste was lost.
      this.#inPaste = false;
      this.#held = "";
      this.#add(interrupt);
    } else if (this.#held === "" && !this.#inPaste && burst.test(text)) this.#add(text);
    else this.#split(this.#held + text);
    this.#start();
  }

  #add(text: string): void {
    this.#queue.push({ text, drawn: this.#frames.drawn });
  }

  /** Delivers the first key at once, unless keys are already being delivered. */
  #start(): void {
    if (!this.#delivering && this.#queue.length > 0) this.#deliver();
  }

  #split(text: string): void {
    this.#held = "";
    let rest = text;
    while (rest !== "") {
      if (this.#inPaste) {
        const end = rest.indexOf(pasteEnd);
        if (end === -1 && rest.length < pasteLimit) {
          this.#held = rest;
          return;
        }
        const content = end === -1 ? rest : rest.slice(0, end);
        this.#add(pasteStart + content + pasteEnd);
        rest = end === -1 ? "" : rest.slice(end + pasteEnd.length);
        this.#inPaste = false;
        continue;
      }
      const start = rest.indexOf(pasteStart);
      const plain = start === -1 ? rest : rest.slice(0, start);
      if (start === -1) {
        const partial = unfinished.exec(plain) ?? /\x1b\][\d;:/a-z]{1,60}\x1b?$/i.exec(plain);
        if (partial) this.#hold(partial[0]);
        this.#queueKeys(partial ? plain.slice(0, partial.index) : plain);
        return;
      }
      this.#queueKeys(plain);
      rest = rest.slice(start + pasteStart.length);
      this.#inPaste = true;
    }
  }

  /** Stores the beginning of a sequence until the rest arrives. */
  #hold(beginning: string): void {
    this.#held = beginning;
    if (!unfinished.test(beginning) || pasteBegun.test(beginning)) return;
    setTimeout(() => {
      if (this.#held === beginning && !this.#inPaste) this.#held = "";
    }, longestCut).unref();
  }

  /** Queues an escape sequence as one piece and other input by character. */
  #queueKeys(text: string): void {
    const pattern =
      /\x1b\][^\x07\x1b]{1,60}(?:\x07|\x1b\\)|\x1b\x1b?(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[0-9;]*[@-~]|[^\x1b[O])?|[\s\S]/gu;
    for (const [piece] of text.matchAll(pattern)) {
      if (/^\x1b\]./.test(piece)) this.#onAnswer(piece);
      else this.#add(toInkSequence(piece));
    }
  }

  /**
   * If a burst is next, turns it into keys for a focused text field, or into a paste without one.
   */
  #openBurst(): void {
    const next = this.#queue[0];
    if (next === undefined || !burst.test(next.text)) return;
    const keys = this.#isTyping() ? [...next.text] : [pasteStart + next.text + pasteEnd];
    this.#queue.splice(0, 1, ...keys.map((text) => ({ ...next, text })));
  }

  #deliver(): void {
    const lastInterrupt = this.#queue.findLastIndex(({ text }) => text === interrupt);
    if (this.#holds > 0) this.#queue.splice(0, Math.max(0, lastInterrupt));
    this.#openBurst();
    const isHeld = this.#holds > 0 && this.#queue[0]?.text !== interrupt;
    const next = isHeld ? undefined : this.#queue.shift();
    if (next === undefined) {
      this.#delivering = false;
      return;
    }
    this.#delivering = true;
    this.#frames.atKey = next.drawn;
    this.push(next.text);
    setImmediate(() => this.#deliver());
  }
}
