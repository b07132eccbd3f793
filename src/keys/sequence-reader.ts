/**
 * Cuts the bytes of a terminal into characters, escape sequences and pastes, wherever the terminal
 * or the network cut them. A sequence that has begun never becomes characters.
 */

/** A character, a complete escape sequence or the text of a paste. */
export interface Token {
  readonly kind: "character" | "sequence" | "paste";
  readonly text: string;
}

type State =
  | "ground"
  | "character"
  | "escape"
  | "csi"
  | "ss3"
  | "string"
  | "terminator"
  | "mouse"
  | "paste";

/**
 * The effect of a byte: the next state, or one of these:
 * - `whole`: the byte completes a token
 * - `abort`: the token is dropped, and the byte is read again
 * - `first`: the first of two Esc bytes is a key, and the byte is read again after the second
 * - `restart`: the token is dropped, but its last Esc begins another, and the byte is read again
 */
type Effect = State | "whole" | "abort" | "first" | "restart";

const esc = "\x1b";
const bell = "\x07";
const interrupt = "\x03";
export const pasteStart = "\x1b[200~";
export const pasteEnd = "\x1b[201~";

/** The size in bytes at which an unfinished paste is delivered. The rest is a further paste. */
const pasteLimit = 4 * 1024 * 1024;

/** The size in bytes up to which a sequence is stored. The rest is read and dropped. */
const sequenceLimit = 256;

/** The milliseconds after which an Esc byte without a continuation is the key Esc. */
const escapeMs = 50;

/**
 * The milliseconds after which an introducer without a continuation is forgotten, because it was
 * Alt with that character. A network that lost a packet sends the rest earlier.
 */
const forgetMs = 1_000;

/** The state after Esc and a character: CSI, SS3, and the strings DCS, SOS, OSC, PM and APC. */
const introducers: Readonly<Record<string, State>> = {
  "[": "csi",
  O: "ss3",
  P: "string",
  X: "string",
  "]": "string",
  "^": "string",
  _: "string",
};

/**
 * The bytes that terminals send after each introducer. After an Esc byte that was delivered as the
 * key, other bytes are characters that someone typed.
 */
const continuations: Readonly<Record<string, RegExp>> = {
  "[": /[0-?@-~]/,
  O: /[A-DFHIMP-SXa-dj-y]/,
  P: /[\d!$+>|]/,
  "]": /[\dlL]/,
  _: /G/,
};

/** The number of characters after the mouse reports that have no parameters, by final byte. */
const mouseCharacters: Readonly<Record<string, number>> = { M: 3, t: 2, T: 6 };

/** Matches an introducer without a continuation, also after a second Esc byte. */
const bare = /^\x1b{1,2}[[OPX\]^_]$/;

/** Matches a complete UTF-8 character of more than one byte, at the end of a text. */
const wholeCharacter =
  /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})[\x80-\xbf]$/;

/** Matches a key of rxvt with Shift, such as `ESC [ 3 $`. Elsewhere `$` does not end a sequence. */
const rxvtShift = /^\x1b{1,2}\[\d+\$$/;

/**
 * Returns the state after an 8-bit introducer (C1), or undefined for other bytes. `0x9b`, for
 * example, is `ESC [`.
 */
function stateAfterC1(byte: string): State | undefined {
  return /[\x80-\x9f]/.test(byte) ? introducers[sevenBit(byte)] : undefined;
}

const sevenBit = (byte: string) => String.fromCharCode(byte.charCodeAt(0) - 0x40);

/** The effect of a byte in each state. `begun` has the earlier bytes of the token. */
const effects: Readonly<Record<State, (byte: string, begun: string) => Effect>> = {
  ground(byte) {
    if (byte === esc) return "escape";
    return /[\xc2-\xf4]/.test(byte) ? "character" : (stateAfterC1(byte) ?? "whole");
  },
  character(byte, begun) {
    if (!/[\x80-\xbf]/.test(byte)) return "abort";
    if (begun === "\xc2") return stateAfterC1(byte) ?? "whole";
    return wholeCharacter.test(begun + byte) ? "whole" : "character";
  },
  escape(byte, begun) {
    const isSecond = begun !== esc;
    if (byte === esc) return isSecond ? "first" : "escape";
    // rxvt sends Alt with an arrow as a sequence after another Esc byte.
    if (isSecond && byte !== "[" && byte !== "O") return "first";
    return introducers[byte] ?? (/[\xc2-\xf4]/.test(byte) ? "character" : "whole");
  },
  csi(byte, begun) {
    if (bare.test(begun) && byte in mouseCharacters) return "mouse";
    // The Linux console sends function keys as `ESC [ [ A`.
    if (bare.test(begun) && byte === "[") return "csi";
    if (/[ -?]/.test(byte)) return rxvtShift.test(begun + byte) ? "whole" : "csi";
    if (!/[@-~]/.test(byte)) return "abort";
    return begun + byte === pasteStart ? "paste" : "whole";
  },
  ss3(byte) {
    if (/[\d;]/.test(byte)) return "ss3";
    return /[ -~]/.test(byte) ? "whole" : "abort";
  },
  string(byte, begun) {
    if (byte === bell) return "whole";
    if (byte === esc) return "terminator";
    // In UTF-8 the 8-bit terminator can be a part of a character.
    if (byte === "\x9c" && /[\x00-\x7f\xc2]$/.test(begun)) return "whole";
    // A person whose keys a string without an end would swallow presses Esc or Ctrl-C.
    return byte === interrupt ? "abort" : "string";
  },
  terminator: (byte) => (byte === "\\" ? "whole" : "restart"),
  mouse(byte, begun) {
    if (byte < " " && byte !== "\0") return "abort";
    const [, final = "", sent = ""] = /\[(.)([\s\S]*)$/.exec(begun + byte) ?? [];
    // A coordinate is one byte, or in the mode 1005 a character of UTF-8.
    const characters = sent.match(/[\xc2-\xdf][\x80-\xbf]|[\s\S]/g) ?? [];
    const missing = (mouseCharacters[final] ?? 0) - characters.length;
    if (missing < 0) return "abort";
    return missing > 0 || /^[\xc2-\xdf]$/.test(characters.at(-1) ?? "") ? "mouse" : "whole";
  },
  // The reader looks for the end of a paste itself.
  paste: () => "paste",
};

/**
 * Reads the bytes of a terminal as a state machine. No part of a sequence has a time limit, apart
 * from a single Esc byte and a single introducer: a person can type these.
 */
export class SequenceReader {
  readonly #onTokens: (tokens: readonly Token[]) => void;
  #state: State = "ground";
  /** The bytes of the token that has begun, one character for each. */
  #begun = "";
  /** True for a second after an Esc byte was delivered as the key. Its sequence can still arrive. */
  #wasEscape = false;
  /** True if the token that has begun continues an Esc byte that was delivered as the key. */
  #isTail = false;
  #waiting: NodeJS.Timeout | undefined;

  /** `onTokens` receives the tokens that bytes, or the end of a wait, complete. */
  constructor(onTokens: (tokens: readonly Token[]) => void) {
    this.#onTokens = onTokens;
  }

  /** True if no token has begun. */
  get isIdle(): boolean {
    return this.#state === "ground" && !this.#wasEscape;
  }

  /** Reads bytes, one character of `bytes` for each. */
  read(bytes: string): void {
    const tokens = this.#tokensOf(bytes);
    this.#awaitRest();
    if (tokens.length > 0) this.#onTokens(tokens);
  }

  /** Reads bytes without their tokens. The rest of a sequence that they begin is dropped, too. */
  skip(bytes: string): void {
    this.#tokensOf(bytes);
    if (this.#waitMs() !== null) this.#expire();
    this.#awaitRest();
  }

  /** Forgets the token that has begun. */
  reset(): void {
    this.#clear();
    this.#endWait();
  }

  /** Waits for the rest of a key or a sequence that a person can have typed. */
  #awaitRest(): void {
    this.#endWait();
    const waitMs = this.#waitMs();
    if (waitMs === null) return;
    const waiting = setTimeout(() => {
      // After a busy time the rest can have arrived, but it is read only after the timers.
      setImmediate(() => {
        if (waiting !== this.#waiting) return;
        const tokens = this.#expire();
        this.#awaitRest();
        if (tokens.length > 0) this.#onTokens(tokens);
      });
    }, waitMs);
    waiting.unref();
    this.#waiting = waiting;
  }

  #endWait(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
  }

  /** Returns the milliseconds of the wait for the next byte, or null if it has no limit. */
  #waitMs(): number | null {
    if (this.#state === "escape" || (this.#isTail && bare.test(this.#begun))) return escapeMs;
    return bare.test(this.#begun) || this.#wasEscape ? forgetMs : null;
  }

  /** Returns the tokens that the end of the wait completes. */
  #expire(): readonly Token[] {
    const begun = this.#begun;
    const isEscape = this.#state === "escape";
    const isTyped = this.#isTail;
    this.#clear();
    this.#wasEscape = isEscape;
    if (isEscape) return [...begun].map((text) => ({ kind: "character", text }));
    return isTyped ? [{ kind: "character", text: begun.slice(1) }] : [];
  }

  #clear(): void {
    this.#enter("ground", "");
    this.#isTail = false;
    this.#wasEscape = false;
  }

  /** Returns the tokens that these bytes complete. */
  #tokensOf(bytes: string): readonly Token[] {
    const tokens: Token[] = [];
    // An interrupt alone in its chunk was typed, so the end of the paste was lost.
    if (this.#state === "paste" && bytes === interrupt) this.#clear();
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === "paste") at = this.#readPaste(bytes, at, tokens);
      else if (this.#take(bytes.charAt(at), tokens)) at++;
    }
    return tokens;
  }

  /** Takes a byte. Returns false if the byte must be read again in the new state. */
  #take(byte: string, tokens: Token[]): boolean {
    if (this.#state === "ground") {
      const isTail = this.#wasEscape && byte in continuations;
      this.#wasEscape = false;
      if (isTail) {
        this.#enter(introducers[byte] ?? "ground", esc + byte);
        this.#isTail = true;
        return true;
      }
    }
    const begun = this.#begun;
    if (this.#isTail && bare.test(begun) && !continuations[begun.charAt(1)]?.test(byte)) {
      this.#clear();
      tokens.push({ kind: "character", text: begun.slice(1) });
      return false;
    }
    const effect = effects[this.#state](byte, begun);
    switch (effect) {
      case "whole":
        if (!this.#isTail) tokens.push(tokenOf(begun + byte));
        this.#clear();
        return true;
      case "abort":
        this.#clear();
        return false;
      case "first":
        tokens.push({ kind: "character", text: esc });
        this.#enter("escape", esc);
        return false;
      case "restart":
        this.#clear();
        this.#enter("escape", esc);
        return false;
      default:
        this.#enter(effect, effect === "paste" ? "" : this.#with(byte, effect));
        return true;
    }
  }

  #enter(state: State, begun: string): void {
    this.#state = state;
    this.#begun = begun;
  }

  /** Returns the token that has begun with one more byte. The last byte is always the newest. */
  #with(byte: string, next: State): string {
    const begun = this.#begun;
    const isC1 = (this.#state === "ground" || begun === "\xc2") && stateAfterC1(byte) === next;
    if (isC1) return esc + sevenBit(byte);
    return begun.slice(0, sequenceLimit - 1) + byte;
  }

  /** Reads the text of a paste from an index. Returns the index after the paste. */
  #readPaste(bytes: string, at: number, tokens: Token[]): number {
    const before = this.#begun;
    const text = before + bytes.slice(at);
    const end = text.indexOf(pasteEnd, Math.max(0, before.length - pasteEnd.length));
    if (end === -1 && text.length < pasteLimit) {
      this.#begun = text;
      return bytes.length;
    }
    // The bytes that can be the beginning of the end stay in the next part.
    const cut = end === -1 ? text.length - pasteEnd.length : end;
    if (!this.#isTail) tokens.push({ kind: "paste", text: decoded(text.slice(0, cut)) });
    if (end === -1) {
      this.#begun = text.slice(cut);
      return bytes.length;
    }
    this.#clear();
    return at + end + pasteEnd.length - before.length;
  }
}

function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function tokenOf(bytes: string): Token {
  return { kind: bytes.startsWith(esc) ? "sequence" : "character", text: decoded(bytes) };
}
