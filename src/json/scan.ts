/**
 * Parses JSON text with exact numbers and the place of each value, so that an issue has a line and
 * a column.
 */
import { type Json, jsonNumber, nestingLimit, type Path } from "./exact.ts";
import { type Place, type Position, positionsOf } from "./positions.ts";

interface JsonIssue {
  readonly offset: number;
  /**
   * The offset at which reading stopped. It is after `offset` for a comma that must not be there.
   */
  readonly end: number;
  readonly path: Path;
  readonly message: string;
}

type Scan =
  | { readonly ok: true; readonly value: Json; readonly place: Place }
  | { readonly ok: false; readonly issues: readonly JsonIssue[] };

/** Maximum number of repeated fields that are reported. */
const maxRepeated = 100;

const blanks = /[ \t\r\n]*/y;
const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /[^\s{}[\],:"]+/y;

interface Found {
  readonly value: Json;
  readonly place: Place;
}

/** Stops the reading at the first text that is not JSON. */
class Stop extends Error {
  readonly issue: JsonIssue;
  constructor(issue: JsonIssue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** Reads one JSON value. A field named twice is an issue, but reading continues. */
export function scanJson(text: string): Scan {
  return scan(new Scanner(text, maxRepeated));
}

/**
 * Returns the position at which `text` stops being JSON, or null if it is JSON. A field named twice
 * is not an issue here. Half of the errors of JSON.parse have no position. The others quote the
 * text, which might be a secret.
 */
export function jsonErrorAt(text: string): Position | null {
  const scanner = new Scanner(text, Infinity);
  const result = scan(scanner);
  const issue = result.ok ? undefined : result.issues[scanner.repeated.length];
  return issue === undefined ? null : positionsOf(text)(issue.end);
}

/** Returns the path of the first field that an object has twice, or null if there is none. */
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
    if (!(thrown instanceof Stop)) throw thrown;
    return { ok: false, issues: [...scanner.repeated, thrown.issue] };
  }
}

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

  whole(): Found {
    const found = this.#value(null);
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#stop("Nothing may follow the end of the JSON value.");
    return found;
  }

  #value(name: number | null): Found {
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

  #object(start: number, name: number | null): Found {
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

  #array(start: number, name: number | null): Found {
    const value: Json[] = [];
    const children = new Map<string | number, Place>();
    this.#open();
    for (let first = true; !this.#closes("]", first); first = false) {
      this.#path.push(value.length);
      const found = this.#value(null);
      this.#path.pop();
      children.set(value.length, found.place);
      value.push(found.value);
    }
    return { value, place: { start, name, children } };
  }

  #depth = 0;

  #open(): void {
    this.#depth += 1;
    if (this.#depth > nestingLimit) this.#stop(`Nested deeper than ${nestingLimit} levels.`);
    this.#at += 1;
  }

  /** Reads the bracket that ends an object or array, or the comma before the next value. */
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
    const found = this.#take(word);
    if (found === "true") return true;
    if (found === "false") return false;
    if (found === "null") return null;
    this.#at = start;
    if (found !== "" && this.#take(number) === found) return jsonNumber(found);
    this.#at = start;
    return this.#stop(scalarProblem(found, this.#text[start]));
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #skipBlanks(): void {
    this.#take(blanks);
  }

  #stop(message: string, offset = this.#at): never {
    const ended = this.#at >= this.#text.length;
    throw new Stop({
      offset,
      end: this.#at,
      path: [...this.#path],
      message: ended ? "The JSON ends too early here." : message,
    });
  }
}

function scalarProblem(found: string, character: string | undefined): string {
  if (/^\/[/*]/.test(found) || found.startsWith("#")) return "JSON has no comments.";
  if (/^[+-]?\.?\d/.test(found)) return "This is not a number that JSON can hold.";
  if (character === "'") return "Text must be in double quotes.";
  return "A value is expected here; text must be in double quotes.";
}
