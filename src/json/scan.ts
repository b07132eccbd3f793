/**
 * Parses JSON text with exact numbers and the place of each value, so that an issue has a line and
 * a column.
 */
import { type Json, jsonNumber, nestingLimit, type Path } from "./exact.ts";
import { type Place, type Position, positionsOf } from "./positions.ts";

interface JsonIssue {
  readonly offset: number;
  /** The offset at which the scan stopped. It is after `offset` for a comma before a bracket. */
  readonly end: number;
  readonly path: Path;
  readonly message: string;
}

type Scan =
  | { readonly ok: true; readonly value: Json; readonly place: Place }
  | { readonly ok: false; readonly issues: readonly JsonIssue[] };

const maxRepeated = 100;

const blanks = /[ \t\r\n]*/y;
const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /[^\s{}[\],:"]+/y;

interface ScannedValue {
  readonly value: Json;
  readonly place: Place;
}

/** The error at the first character that is not JSON. It ends the scan. */
class ScanError extends Error {
  readonly issue: JsonIssue;
  constructor(issue: JsonIssue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** Reads one JSON value. A repeated field is an issue, but the scan continues. */
export function scanJson(text: string): Scan {
  return scan(new Scanner(text, maxRepeated));
}

/**
 * Returns the position of the first syntax error, or null if the text is JSON. A repeated field is
 * not an error here. The messages of JSON.parse are not used, because some have no position and the
 * others quote the text, which might be a secret.
 */
export function jsonErrorAt(text: string): Position | null {
  const scanner = new Scanner(text, Infinity);
  const result = scan(scanner);
  const issue = result.ok ? undefined : result.issues[scanner.repeated.length];
  return issue === undefined ? null : positionsOf(text)(issue.end);
}

export function repeatedField(text: string): Path | null {
  const scanner = new Scanner(text, 1);
  scan(scanner);
  return scanner.repeated[0]?.path ?? null;
}

function scan(scanner: Scanner): Scan {
  try {
    const { value, place } = scanner.whole();
    if (scanner.repeated.length > 0) return { ok: false, issues: scanner.repeated };
    return { ok: true, value, place };
  } catch (thrown) {
    if (!(thrown instanceof ScanError)) throw thrown;
    return { ok: false, issues: [...scanner.repeated, thrown.issue] };
  }
}

/** Reads a text from left to right. Throws a ScanError at the first syntax error. */
class Scanner {
  readonly repeated: JsonIssue[] = [];
  readonly #text: string;
  readonly #maxRepeated: number;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string, maxRepeated: number) {
    this.#text = text;
    this.#maxRepeated = maxRepeated;
  }

  whole(): ScannedValue {
    const scanned = this.#value(null);
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#stop("Nothing may follow the end of the JSON value.");
    return scanned;
  }

  #value(name: number | null): ScannedValue {
    this.#skipBlanks();
    const start = this.#at;
    const place: Place = { start, name, children: new Map() };
    switch (this.#text[start]) {
      case "{":
        return this.#object(start, name);
      case "[":
        return this.#array(start, name);
      case '"':
        return { value: this.#string(), place };
      default:
        return { value: this.#scalar(), place };
    }
  }

  #object(start: number, name: number | null): ScannedValue {
    const entries: [string, Json][] = [];
    const children = new Map<string | number, Place>();
    this.#open();
    for (let first = true; !this.#closes("}", first); first = false) {
      const nameAt = this.#at;
      if (this.#text[nameAt] !== '"') this.#stop("A field name in double quotes is expected here.");
      const field = this.#string();
      this.#skipBlanks();
      if (this.#text[this.#at] !== ":") this.#stop("A colon is expected here.");
      this.#at += 1;
      this.#path.push(field);
      if (children.has(field)) {
        const message = "This field appears here for the second time.";
        this.repeated.push({ offset: nameAt, end: nameAt, path: [...this.#path], message });
        if (this.repeated.length >= this.#maxRepeated)
          this.#stop("Too many fields appear twice; the rest was not read.");
      }
      const { value, place } = this.#value(nameAt);
      this.#path.pop();
      entries.push([field, value]);
      children.set(field, place);
    }
    return { value: Object.fromEntries(entries), place: { start, name, children } };
  }

  #array(start: number, name: number | null): ScannedValue {
    const value: Json[] = [];
    const children = new Map<string | number, Place>();
    this.#open();
    for (let first = true; !this.#closes("]", first); first = false) {
      this.#path.push(value.length);
      const scanned = this.#value(null);
      this.#path.pop();
      children.set(value.length, scanned.place);
      value.push(scanned.value);
    }
    return { value, place: { start, name, children } };
  }

  #depth = 0;

  #open(): void {
    this.#depth += 1;
    if (this.#depth > nestingLimit) this.#stop(`Nested deeper than ${nestingLimit} levels.`);
    this.#at += 1;
  }

  /** Reads the bracket that ends an object or array and returns true, or reads a comma. */
  #closes(bracket: "}" | "]", first: boolean): boolean {
    this.#skipBlanks();
    const character = this.#text[this.#at];
    if (character === bracket) {
      this.#at += 1;
      this.#depth -= 1;
      return true;
    }
    if (first) return false;
    if (character !== ",") this.#stop(`A comma or ${bracket} is expected here.`);
    const comma = this.#at;
    this.#at += 1;
    this.#skipBlanks();
    if (this.#text[this.#at] === bracket) {
      this.#stop(`A comma must not come before ${bracket}.`, comma);
    }
    return false;
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      this.#take(plainCharacters);
      const character = this.#text[this.#at];
      if (character === '"') break;
      if (character === "\\") {
        if (this.#take(escapeSequence) === "") this.#stop("No such escape in JSON text.");
      } else if (character === undefined) {
        this.#at = start;
        this.#stop("This text has no closing quote.");
      } else {
        this.#stop(
          "A line break or control character in text is written as an escape, such as \\n.",
        );
      }
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #scalar(): Json {
    const start = this.#at;
    const scanned = this.#take(word);
    if (scanned === "true") return true;
    if (scanned === "false") return false;
    if (scanned === "null") return null;
    this.#at = start;
    if (scanned !== "" && this.#take(number) === scanned) return jsonNumber(scanned);
    this.#at = start;
    return this.#stop(scalarProblem(scanned, this.#text[start]));
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const scanned = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += scanned.length;
    return scanned;
  }

  #skipBlanks(): void {
    this.#take(blanks);
  }

  #stop(message: string, offset = this.#at): never {
    const ended = this.#at >= this.#text.length;
    throw new ScanError({
      offset,
      end: this.#at,
      path: [...this.#path],
      message: ended ? "The JSON ends too early here." : message,
    });
  }
}

function scalarProblem(scanned: string, character: string | undefined): string {
  if (/^\/[/*]/.test(scanned) || scanned.startsWith("#")) return "JSON has no comments.";
  if (/^[+-]?\.?\d/.test(scanned)) return "This is not a number that JSON can hold.";
  if (character === "'") return "Text must be in double quotes.";
  return "A value is expected here; text must be in double quotes.";
}
