/**
 * Cuts the bytes of a terminal into characters, escape sequences and pastes, wherever the terminal
 * or the network cut them. A sequence that has begun never becomes characters.
 */

import {
  bare,
  continuations,
  effects,
  esc,
  interrupt,
  introducers,
  type State,
  sevenBit,
  stateAfterC1,
} from "./sequence-states.ts";

export interface Token {
  readonly kind: "character" | "sequence" | "paste";
  readonly text: string;
}

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

  constructor(onTokens: (tokens: readonly Token[]) => void) {
    this.#onTokens = onTokens;
  }

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

  reset(): void {
    this.#clear();
    this.#endWait();
  }

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
        if (effect === "paste" && begun.startsWith(esc + esc))
          tokens.push({ kind: "character", text: esc });
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
