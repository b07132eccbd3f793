/** Prints frames as lines that are only added, for screen readers and plain terminals. */
import { stripVTControlCharacters } from "node:util";
import type { Clock } from "../../api/clock.ts";
import { asciiCells } from "../../text/ascii-cells.ts";
import { maskDurations } from "../../text/durations.ts";
import { linearSigns } from "../../text/linear-signs.ts";
import { plainWords, wrap } from "../../text/width.ts";
import { withWrite } from "./frame-output.ts";

/** The milliseconds without a new frame after which a change is printed. */
const settleMs = 120;
/** The milliseconds without typing after which changes are printed. */
const typingMs = 700;
/** The maximum milliseconds between two prints of a screen that changes continuously. */
const maxReportMs = 10_000;

/**
 * Prints the changes of a screen as added lines. Nothing moves, and each change is printed once.
 * The text of the active field is echoed while it is typed.
 */
export class Transcript {
  readonly #print: (text: string) => void;
  readonly #clock: Clock;
  #printed: LinearFrame = emptyFrame;
  #latest: LinearFrame = emptyFrame;
  /** The printed text of the unfinished last line, or null if the last line is finished. */
  #unfinished: string | null = null;
  #echoedAt = Number.NEGATIVE_INFINITY;
  #waitingSince: number | null = null;
  #wait: AbortController | null = null;

  /**
   * Creates an empty transcript. `print` writes to the terminal. Its text ends with a line break if
   * the line is complete.
   */
  constructor(print: (text: string) => void, clock: Clock) {
    this.#print = print;
    this.#clock = clock;
  }

  show(drawn: string): void {
    this.#latest = readFrame(drawn);
    this.#echo();
    const now = this.#clock.now();
    this.#waitingSince ??= now;
    const quiet = now - this.#echoedAt < typingMs ? typingMs : settleMs;
    const ms = Math.max(0, Math.min(quiet, this.#waitingSince + maxReportMs - now));
    this.#wait?.abort();
    const wait = new AbortController();
    this.#wait = wait;
    this.#clock.sleep(ms, wait.signal).then(
      () => this.#report(),
      () => {},
    );
  }

  repeat(): void {
    this.#printed = emptyFrame;
    this.#report();
  }

  settle(): void {
    this.#report();
    this.#endLine();
  }

  #echo(): void {
    const { typed } = this.#latest;
    const before = this.#unfinished;
    if (typed === null || before === null || typed === before) return;
    if (!typed.startsWith(before)) return;
    this.#print(typed.slice(before.length));
    this.#unfinished = typed;
    this.#printed = { ...this.#printed, typed };
    this.#echoedAt = this.#clock.now();
  }

  #report(): void {
    this.#wait?.abort();
    this.#wait = null;
    this.#waitingSince = null;
    const changes = changesBetween(this.#printed, this.#latest);
    const isOtherPlace = this.#printed.lines[0] !== this.#latest.lines[0];
    this.#printed = this.#latest;
    if (isOtherPlace) this.#line("");
    for (const line of changes.lines) this.#line(line);
    if (changes.current !== null) this.#line(changes.current);
    // The field is printed again after other lines, because the next letter appears at the cursor.
    const typed = changes.typed ?? (this.#unfinished === null ? this.#latest.typed : null);
    if (typed === null) return;
    this.#endLine();
    this.#print(typed);
    this.#unfinished = typed;
  }

  #line(text: string): void {
    this.#endLine();
    this.#print(`${text}\n`);
  }

  #endLine(): void {
    if (this.#unfinished !== null) this.#print("\n");
    this.#unfinished = null;
  }
}

interface LinearFrame {
  /** The lines that have words. The first one names the place. */
  readonly lines: readonly string[];
  /** The line with the active text field, which is not in `lines`, or null if there is none. */
  readonly typed: string | null;
  readonly current: string | null;
}

function readFrame(drawn: string): LinearFrame {
  const lines: string[] = [];
  let typed: string | null = null;
  let current: string | null = null;
  for (const line of stripVTControlCharacters(drawn).split("\n")) {
    const isTyped = line.includes(linearSigns.typed);
    const isCurrent = line.includes(linearSigns.current);
    const words = line
      .replaceAll(linearSigns.typed, "")
      .replaceAll(linearSigns.current, "")
      .replace(/(?<=\S) {2,}/g, "  ")
      .trimEnd();
    if (words.trim() === "") continue;
    if (isTyped) typed = words;
    else if (isCurrent) current = words;
    else lines.push(words);
  }
  return { lines, typed, current };
}

const emptyFrame: LinearFrame = { lines: [], typed: null, current: null };

/**
 * Returns the lines that changed from `before` to `after`: new lines in their order, then the line
 * with the cursor or the text. Returns all lines if the place changed. A longer duration is not a
 * change.
 */
function changesBetween(before: LinearFrame, after: LinearFrame): LinearFrame {
  const isOtherPlace = before.lines[0] !== after.lines[0];
  const known = new Map<string, number>();
  const printedLines = [...before.lines, before.typed, before.current].filter(
    (line) => line !== null,
  );
  for (const line of isOtherPlace ? [] : printedLines) {
    const key = maskDurations(line);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const lines = after.lines.filter((line) => {
    const key = maskDurations(line);
    const remaining = known.get(key) ?? 0;
    known.set(key, remaining - 1);
    return remaining <= 0;
  });
  const typed = !isOtherPlace && after.typed === before.typed ? null : after.typed;
  const current = !isOtherPlace && isSameText(after.current, before.current) ? null : after.current;
  return {
    // The line with the cursor or the text can also be a line of the list, which would repeat it.
    lines: lines.filter(
      (line) =>
        line !== after.typed && (line !== after.current || current === null || isList(lines)),
    ),
    typed,
    current: current !== null && isFirstOf(lines, current) ? null : current,
  };
}

function isSameText(one: string | null, other: string | null): boolean {
  return one === null || other === null
    ? one === other
    : maskDurations(one) === maskDurations(other);
}

function isList(lines: readonly string[]): boolean {
  return lines.filter(isChoice).length > 1;
}

/** Returns true for the first choice of a printed list, which need not be repeated. */
function isFirstOf(lines: readonly string[], current: string): boolean {
  return isList(lines) && lines.find(isChoice) === current;
}

function isChoice(line: string): boolean {
  return /^\d+\. /.test(line);
}

/**
 * The output for Ink in a linear console, with functions for a terminal that another program uses.
 */
interface LinearOutput {
  readonly stdout: NodeJS.WriteStream;
  repeat(): void;
  /** Prints the remaining changes and starts a new line, because another program writes next. */
  settle(): void;
}

/** Matches the request for bracketed pastes, the only sequence that linear mode sends. */
const bracketedPaste = /^\x1b\[\?2004[hl]$/;

/**
 * Returns an output that prints Ink's complete frames as a transcript (see {@link Transcript}). No
 * sequence moves the cursor. With `plain` no sequence is sent at all.
 */
export function linearOutput(
  stdout: NodeJS.WriteStream,
  options: { readonly clock: Clock; readonly ascii: boolean; readonly plain: boolean },
): LinearOutput {
  const print = (text: string) => {
    const shown = options.ascii ? asciiCells(plainWords(text)) : text;
    stdout.write(wrapped(shown, stdout.columns || 80));
  };
  const transcript = new Transcript(print, options.clock);
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    const callback = rest.find((one): one is () => void => typeof one === "function");
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    if (bracketedPaste.test(text)) {
      if (!options.plain) stdout.write(text);
    } else if (text.startsWith("\x1b")) {
      // Other sequences are dropped, so that the cursor stays visible after the last printed word.
    } else if (text.trim() !== "") transcript.show(text);
    return callback ? stdout.write("", callback) : true;
  };
  return {
    stdout: withWrite(stdout, write),
    repeat: () => transcript.repeat(),
    settle: () => transcript.settle(),
  };
}

function wrapped(text: string, columns: number): string {
  if (!text.endsWith("\n") || text === "\n") return text;
  const lines = wrap(text.slice(0, -1), Math.max(20, columns - 1));
  return lines.map((line) => `${line}\n`).join("");
}
