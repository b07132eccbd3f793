import type { Clock } from "../../api/clock.ts";
import { type LinearFrame, newsBetween, nothingSaid, readFrame } from "./linear-frame.ts";

/** Frames that follow each other this closely are one change. */
const settleMs = 120;
/** What changes beside a text that is being typed waits for a pause in the typing. */
const typingMs = 700;
/** A screen that keeps changing is printed at least this often. */
const longestMs = 10_000;

/**
 * Prints a screen that is drawn over and over as lines that are only ever added: nothing moves, and
 * each change is printed once. The text of the field that is typed into is echoed as it grows.
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

  /** `print` writes to the terminal as it is: text, and `\n` where a line ends. */
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

  /** Prints what is left to print, and ends the last line: another program prints next. */
  settle(): void {
    this.#report();
    this.#endLine();
  }

  /** What is typed at the end of the line that is being typed into appears at once. */
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
