/**
 * Scans the JSON of an account list byte by byte and reports the first error. The scanner can stop
 * and continue at any byte, so that a value in two chunks is never scanned twice. It stores only
 * its state, no text. `src/json/scan.ts` needs the whole text as a string, which is too large for
 * a list of a million rows.
 */

export const Expect = {
  value: 0,
  /** A value or the end of an array just opened. */
  firstValue: 1,
  key: 2,
  firstKey: 3,
  colon: 4,
  /** A comma or a closing bracket. At depth 0, only white space. */
  separator: 5,
  inString: 6,
  inEscape: 7,
  inHex: 8,
  inLiteral: 9,
  numberSign: 10,
  numberZero: 11,
  numberDigits: 12,
  numberPoint: 13,
  numberFraction: 14,
  numberExponent: 15,
  numberExponentSign: 16,
  numberExponentDigits: 17,
} as const;

type Expectation = (typeof Expect)[keyof typeof Expect];

const expectationNames: Readonly<Record<Expectation, string>> = {
  [Expect.value]: "a value",
  [Expect.firstValue]: 'a value or "]"',
  [Expect.key]: "a field name in quotes",
  [Expect.firstKey]: 'a field name in quotes or "}"',
  [Expect.colon]: 'a ":"',
  [Expect.separator]: "a comma or the end of the list or object",
  [Expect.inString]: "text (control characters must be escaped)",
  [Expect.inEscape]: "an escape that JSON knows",
  [Expect.inHex]: "four hexadecimal digits",
  [Expect.inLiteral]: "true, false or null",
  [Expect.numberSign]: "a digit",
  [Expect.numberZero]: "the end of a number",
  [Expect.numberDigits]: "a digit",
  [Expect.numberPoint]: "a digit",
  [Expect.numberFraction]: "a digit",
  [Expect.numberExponent]: "a digit",
  [Expect.numberExponentSign]: "a digit",
  [Expect.numberExponentDigits]: "a digit",
};

const quote = 0x22;
const backslash = 0x5c;

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function byteName(byte: number): string {
  if (byte === quote) return "a quotation mark";
  if (byte > 0x20 && byte < 0x7f) return `"${String.fromCharCode(byte)}"`;
  return `the byte 0x${byte.toString(16).padStart(2, "0")}`;
}

export function notAList(byte: number, at: number): string {
  return `The body is not a list: it begins, at byte ${at}, with ${byteName(byte)} where "[" or "{" belongs.`;
}

/** Checks the syntax of JSON byte by byte, in chunks, without building values. */
export class JsonScanner {
  state: Expectation = Expect.value;
  depth = 0;
  /** True if {@link scan} stopped because an array opened inside the outermost object. */
  openedList = false;
  /** The problem at the position that {@link scan} returned, or null if there is none. */
  problem: string | null = null;
  readonly #limit: number;
  /** 1 for each nesting level that is an object. */
  readonly #objects: Uint8Array;
  #isKey = false;
  #hexLeft = 0;
  #literal = "";
  #literalAt = 0;

  constructor(nestingLimit: number) {
    this.#limit = nestingLimit;
    this.#objects = new Uint8Array(nestingLimit + 1);
  }

  /**
   * Scans `bytes` from `from` to `to`. Returns the position at which it stopped: at `to`, after a
   * value that ended at depth `watchedDepth`, after the bracket of a list that opened as a member of the
   * outermost object (`openedList`), or at the invalid byte (`problem`).
   */
  scan(bytes: Uint8Array, from: number, to: number, watchedDepth: number): number {
    this.openedList = false;
    let at = from;
    while (at < to) {
      const byte = bytes[at] as number;
      if (this.state === Expect.inString) {
        at = this.#readString(bytes, at, to);
        if (this.problem !== null) return at;
        if (this.#ended(watchedDepth)) return at;
        continue;
      }
      if (this.state <= Expect.separator) {
        if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
          at += 1;
          continue;
        }
        if (!this.#readStructure(byte)) return at;
        at += 1;
        if (this.openedList) return at;
        const closed = byte === 0x5d || byte === 0x7d;
        if (closed && this.depth === watchedDepth) return at;
        continue;
      }
      if (!this.#readInToken(byte)) {
        if (this.problem !== null) return at;
        // The byte that ends a number is not a part of it, and is read next.
        if (this.depth === watchedDepth) return at;
        continue;
      }
      at += 1;
      if (this.#ended(watchedDepth)) return at;
    }
    return at;
  }

  #ended(watchedDepth: number): boolean {
    return this.state === Expect.separator && this.depth === watchedDepth;
  }

  #readString(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        this.state = this.#isKey ? Expect.colon : Expect.separator;
        return at + 1;
      }
      if (byte === backslash) {
        this.state = Expect.inEscape;
        return at + 1;
      }
      if (byte < 0x20) {
        this.#fail(byte);
        return at;
      }
      at += 1;
    }
    return at;
  }

  #fail(byte: number): false {
    this.problem = `unexpected ${byteName(byte)} where ${expectationNames[this.state]} belongs`;
    return false;
  }

  #open(object: boolean): boolean {
    if (this.depth >= this.#limit) {
      this.problem = `values nested more than ${this.#limit} deep`;
      return false;
    }
    this.depth += 1;
    this.#objects[this.depth] = object ? 1 : 0;
    this.state = object ? Expect.firstKey : Expect.firstValue;
    if (!object && this.depth === 2 && this.#objects[1] === 1) this.openedList = true;
    return true;
  }

  #close(): true {
    this.depth -= 1;
    this.state = Expect.separator;
    return true;
  }

  /** Reads a byte between tokens. Returns false if it does not belong there. */
  #readStructure(byte: number): boolean {
    const inObject = this.depth > 0 && this.#objects[this.depth] === 1;
    switch (this.state) {
      case Expect.separator:
        if (this.depth === 0) {
          this.problem = `unexpected ${byteName(byte)} after the end of the JSON`;
          return false;
        }
        if (byte === 0x2c) {
          this.state = inObject ? Expect.key : Expect.value;
          return true;
        }
        return byte === (inObject ? 0x7d : 0x5d) ? this.#close() : this.#fail(byte);
      case Expect.colon:
        if (byte !== 0x3a) return this.#fail(byte);
        this.state = Expect.value;
        return true;
      case Expect.firstKey:
      case Expect.key:
        if (byte === 0x7d && this.state === Expect.firstKey) return this.#close();
        if (byte !== quote) return this.#fail(byte);
        this.#isKey = true;
        this.state = Expect.inString;
        return true;
      default:
        if (byte === 0x5d && this.state === Expect.firstValue) return this.#close();
        return this.#value(byte);
    }
  }

  #value(byte: number): boolean {
    if (byte === quote) {
      this.#isKey = false;
      this.state = Expect.inString;
    } else if (byte === 0x7b || byte === 0x5b) return this.#open(byte === 0x7b);
    else if (byte === 0x2d) this.state = Expect.numberSign;
    else if (byte === 0x30) this.state = Expect.numberZero;
    else if (isDigit(byte)) this.state = Expect.numberDigits;
    else if (byte === 0x74 || byte === 0x66 || byte === 0x6e) {
      this.#literal = byte === 0x74 ? "true" : byte === 0x66 ? "false" : "null";
      this.#literalAt = 1;
      this.state = Expect.inLiteral;
    } else return this.#fail(byte);
    return true;
  }

  /** Reads a byte inside a token. Returns false if a number ended before it, or if invalid. */
  #readInToken(byte: number): boolean {
    switch (this.state) {
      case Expect.inEscape:
        if (byte === 0x75) {
          this.#hexLeft = 4;
          this.state = Expect.inHex;
          return true;
        }
        if (!'"\\/bfnrt'.includes(String.fromCharCode(byte))) return this.#fail(byte);
        this.state = Expect.inString;
        return true;
      case Expect.inHex:
        if (!isHex(byte)) return this.#fail(byte);
        this.#hexLeft -= 1;
        if (this.#hexLeft === 0) this.state = Expect.inString;
        return true;
      case Expect.inLiteral:
        if (this.#literal.charCodeAt(this.#literalAt) !== byte) return this.#fail(byte);
        this.#literalAt += 1;
        if (this.#literalAt === this.#literal.length) this.state = Expect.separator;
        return true;
      default:
        return this.#readNumber(byte);
    }
  }

  #readNumber(byte: number): boolean {
    const { state } = this;
    const digit = isDigit(byte);
    const exponent = byte === 0x65 || byte === 0x45;
    let next: Expectation = Expect.separator;
    if (state === Expect.numberSign && digit) {
      next = byte === 0x30 ? Expect.numberZero : Expect.numberDigits;
    } else if (state === Expect.numberDigits && digit) next = Expect.numberDigits;
    else if ((state === Expect.numberDigits || state === Expect.numberZero) && byte === 0x2e) {
      next = Expect.numberPoint;
    } else if ((state === Expect.numberPoint || state === Expect.numberFraction) && digit) {
      next = Expect.numberFraction;
    } else if (
      exponent &&
      (state === Expect.numberDigits ||
        state === Expect.numberZero ||
        state === Expect.numberFraction)
    ) {
      next = Expect.numberExponent;
    } else if (state === Expect.numberExponent && (byte === 0x2b || byte === 0x2d)) {
      next = Expect.numberExponentSign;
    } else if (state >= Expect.numberExponent && digit) next = Expect.numberExponentDigits;
    if (next === Expect.separator) {
      const complete =
        state === Expect.numberZero ||
        state === Expect.numberDigits ||
        state === Expect.numberFraction ||
        state === Expect.numberExponentDigits;
      if (!complete) return this.#fail(byte);
      this.state = Expect.separator;
      return false;
    }
    this.state = next;
    return true;
  }
}
