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
 * Matches input that looks like a pasted number: many characters at once, several of them digits,
 * perhaps with a line break at the end. Terminals without bracketed paste send a paste in this way.
 * No one types that fast.
 */
const burst = /^(?=(?:\D*\d){3})[!-~]{8,200}[\r\n]?$/;
/** Matches a sequence whose end has not arrived. */
const unfinished = /\x1b\x1b?\[[0-?]*[ -/]*$/;
/** Matches the beginning of the start of a paste. It is stored without a time limit. */
const partialPasteStart = /^\x1b\[20{0,2}$/;
/**
 * Maximum wait for the end of any other sequence. A sequence without an end was Alt-[, which has no
 * name.
 */
const maxGapMs = 100;
/** Ctrl-C, which is delivered before waiting keys, as a terminal does. */
const interrupt = "\x03";

/**
 * Counts drawn frames, so that the console can ignore an answer that was typed before its question
 * was drawn.
 */
export class FrameCount {
  /** Number of frames drawn so far. */
  drawn = 0;
  /** Number of frames that were drawn when the current key was typed. */
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
 * Splits raw terminal input so that keys that arrive together over a slow link (`jjj`, `abc⏎`) are
 * separate key presses. Each is handled after the effect of the previous one is drawn. A bracketed
 * paste is one piece and never acts as keys. Calls `onHangUp` when the terminal is lost.
 */
export class KeyStream extends Readable {
  readonly isTTY = true;
  readonly #source: RawInput;
  readonly #decoder = new StringDecoder("utf8");
  readonly #queue: Piece[] = [];
  #partial = "";
  #inPaste = false;
  #delivering = false;
  #isDropping = false;
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

  /**
   * Starts or stops dropping keys. Keys are dropped while another program uses the terminal and
   * shortly afterwards.
   */
  dropKeys(isDropping: boolean): void {
    this.#isDropping = isDropping;
    if (isDropping) this.#queue.length = 0;
  }

  /** Stops reading the terminal, so that another program receives every key. */
  release(): void {
    this.dropKeys(true);
    this.#source.pause?.();
  }

  /**
   * Reads the terminal's input again after {@link release}. Drops input for the other program that
   * the program did not read. `pause` resolves after that input has arrived, and rejects if no
   * input can arrive.
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
    this.dropKeys(false);
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
    const text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
    if (this.#isDropping) return;
    if (this.#inPaste && text === interrupt) {
      // An interrupt alone in its chunk was typed, so the end of the paste was lost.
      this.#inPaste = false;
      this.#partial = "";
      this.#add(interrupt);
    } else if (this.#partial === "" && !this.#inPaste && burst.test(text)) this.#add(text);
    else this.#split(this.#partial + text);
    this.#start();
  }

  #add(text: string): void {
    this.#queue.push({ text, drawn: this.#frames.drawn });
  }

  /** Delivers the first piece at once, unless pieces are already being delivered. */
  #start(): void {
    if (!this.#delivering && this.#queue.length > 0) this.#deliver();
  }

  /** Splits received text into pastes and keys, and queues them. Stores an incomplete end. */
  #split(text: string): void {
    this.#partial = "";
    let rest = text;
    while (rest !== "") {
      if (this.#inPaste) {
        const end = rest.indexOf(pasteEnd);
        if (end === -1 && rest.length < pasteLimit) {
          this.#partial = rest;
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
        if (partial) this.#storePartial(partial[0]);
        this.#queueKeys(partial ? plain.slice(0, partial.index) : plain);
        return;
      }
      this.#queueKeys(plain);
      rest = rest.slice(start + pasteStart.length);
      this.#inPaste = true;
    }
  }

  /** Stores the beginning of a sequence until the rest arrives, or drops it after `maxGapMs`. */
  #storePartial(beginning: string): void {
    this.#partial = beginning;
    if (!unfinished.test(beginning) || partialPasteStart.test(beginning)) return;
    setTimeout(() => {
      if (this.#partial === beginning && !this.#inPaste) this.#partial = "";
    }, maxGapMs).unref();
  }

  /** Queues an escape sequence as one piece and other input by character. */
  #queueKeys(text: string): void {
    const pattern =
      /\x1b\][^\x07\x1b]{1,60}(?:\x07|\x1b\\)|\x1b\x1b?(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[0-9;]*[@-~]|[^\x1b[O])?|[\s\S]/gu;
    for (const [piece] of text.matchAll(pattern)) {
      if (/^\x1b\]./.test(piece)) this.#onResponse(piece);
      else this.#add(toInkSequence(piece));
    }
  }

  /**
   * If a burst is next, converts it to keys if a text field is focused, else to a paste.
   */
  #convertBurst(): void {
    const next = this.#queue[0];
    if (next === undefined || !burst.test(next.text)) return;
    const keys = this.#isTyping() ? [...next.text] : [pasteStart + next.text + pasteEnd];
    this.#queue.splice(0, 1, ...keys.map((text) => ({ ...next, text })));
  }

  /** Delivers the next piece, and the others one by one in later turns of the event loop. */
  #deliver(): void {
    const lastInterrupt = this.#queue.findLastIndex(({ text }) => text === interrupt);
    if (this.#holdCount > 0) this.#queue.splice(0, Math.max(0, lastInterrupt));
    this.#convertBurst();
    const isHeld = this.#holdCount > 0 && this.#queue[0]?.text !== interrupt;
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
