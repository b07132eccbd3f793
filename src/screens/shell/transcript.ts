import { stripVTControlCharacters } from "node:util";
import type { Clock } from "../../api/clock.ts";
import { maskDurations } from "../../text/durations.ts";
import { linearSigns } from "../../text/linear-signs.ts";

/** Frames that follow each other this closely are one change. */
const settleMs = 120;
/** Changes beside a text field are printed after a pause in typing of this length. */
const typingMs = 700;
/** Maximum milliseconds between two reports of a screen that changes continuously. */
const longestMs = 10_000;

/**
 * Prints a screen that is drawn again and again as lines that are only added: nothing moves, and
 * each change is printed once. The text of the active field is echoed as it grows.
 */
export class Transcript {
  readonly #print: (text: string) => void;
  readonly #clock: Clock;
  #said: LinearFrame = nothingSaid;
  #latest: LinearFrame = nothingSaid;
  /** The typed text that the last, unfinished line holds. */
  #unfinished: string | null = null;
  #echoedAt = Number.NEGATIVE_INFINITY;
  #waitingSince: number | null = null;
  #wait: AbortController | null = null;

  /**
   * `print` writes directly to the terminal: text, and `
   * ` at the end of a line.
   */
  constructor(print: (text: string) => void, clock: Clock) {
    this.#print = print;
    this.#clock = clock;
  }

  /** The screen as it is now. */
  show(drawn: string): void {
    this.#latest = readFrame(drawn);
    this.#echo();
    const now = this.#clock.now();
    this.#waitingSince ??= now;
    const quiet = now - this.#echoedAt < typingMs ? typingMs : settleMs;
    const ms = Math.max(0, Math.min(quiet, this.#waitingSince + longestMs - now));
    this.#wait?.abort();
    const wait = new AbortController();
    this.#wait = wait;
    this.#clock.sleep(ms, wait.signal).then(
      () => this.#report(),
      () => {},
    );
  }

  /** Prints everything again, as for a new reader. */
  repeat(): void {
    this.#said = nothingSaid;
    this.#report();
  }

  /** Prints the remaining changes and ends the last line, because another program prints next. */
  settle(): void {
    this.#report();
    this.#endLine();
  }

  /** Prints text at once that is typed at the end of the unfinished line. */
  #echo(): void {
    const { typed } = this.#latest;
    const before = this.#unfinished;
    if (typed === null || before === null || typed === before) return;
    if (!typed.startsWith(before)) return;
    this.#print(typed.slice(before.length));
    this.#unfinished = typed;
    this.#said = { ...this.#said, typed };
    this.#echoedAt = this.#clock.now();
  }

  #report(): void {
    this.#wait?.abort();
    this.#wait = null;
    this.#waitingSince = null;
    const news = newsBetween(this.#said, this.#latest);
    const elsewhere = this.#said.lines[0] !== this.#latest.lines[0];
    this.#said = this.#latest;
    if (elsewhere) this.#line("");
    for (const line of news.lines) this.#line(line);
    if (news.current !== null) this.#line(news.current);
    // Printed again where other lines came in between: the cursor stands where the next letter goes.
    const typed = news.typed ?? (this.#unfinished === null ? this.#latest.typed : null);
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

/** The content of a screen, line by line. */
interface LinearFrame {
  /** Every line that has words; the first one names the place. */
  readonly lines: readonly string[];
  /** The line that is typed into, which is not among `lines`, or null without one. */
  readonly typed: string | null;
  /** The line the cursor is on. */
  readonly current: string | null;
}

/** Reads a drawn frame. Spaces for alignment and the signs are removed. */
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

const nothingSaid: LinearFrame = { lines: [], typed: null, current: null };

/**
 * Returns the lines to print so that a reader of `before` knows `after`: the new lines in their
 * order, then the line with the cursor or the text, if it changed. At another place everything is
 * printed. An age that has grown is no change.
 */
function newsBetween(before: LinearFrame, after: LinearFrame): LinearFrame {
  const elsewhere = before.lines[0] !== after.lines[0];
  const known = new Map<string, number>();
  const heard = [...before.lines, before.typed, before.current].filter((line) => line !== null);
  for (const line of elsewhere ? [] : heard) {
    const key = maskDurations(line);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const lines = after.lines.filter((line) => {
    const key = maskDurations(line);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
  const typed = !elsewhere && after.typed === before.typed ? null : after.typed;
  const current = !elsewhere && sameSaid(after.current, before.current) ? null : after.current;
  return {
    // The line that is typed into, or that the cursor is on, stands in its list as well.
    lines: lines.filter(
      (line) =>
        line !== after.typed && (line !== after.current || current === null || isList(lines)),
    ),
    typed,
    current: current !== null && isFirstOf(lines, current) ? null : current,
  };
}

function sameSaid(one: string | null, other: string | null): boolean {
  return one === null || other === null
    ? one === other
    : maskDurations(one) === maskDurations(other);
}

/** Returns true if the lines contain more than one choice. */
function isList(lines: readonly string[]): boolean {
  return lines.filter(isChoice).length > 1;
}

/** A list that is read from its first line needs no word that the cursor is on it. */
function isFirstOf(lines: readonly string[], current: string): boolean {
  return isList(lines) && lines.find(isChoice) === current;
}

function isChoice(line: string): boolean {
  return /^\d+\. /.test(line);
}
