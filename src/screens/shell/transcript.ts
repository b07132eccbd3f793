import type { Clock } from "../../api/clock.ts";
import { type LinearFrame, newsBetween, nothingSaid, readFrame } from "./linear-frame.ts";

/** Frames that follow each other this closely are one change. */
const settleMs = 120;
/** What changes beside a text that is being typed waits for a pause in the typing. */
const typingMs = 700;
/** A screen that never stands still is told of this often all the same. */
const longestMs = 10_000;

/**
 * Tells a screen that is drawn over and over as lines that are only ever added: nothing moves, and
 * each change is said once. The text of the field that is typed into is echoed as it grows.
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
      () => this.#tell(),
      () => {},
    );
  }

  /** Says everything again, as for somebody who has just come. */
  repeat(): void {
    this.#said = nothingSaid;
    this.#tell();
  }

  /** Says what is still to be said, and ends the last line: another program prints next. */
  settle(): void {
    this.#tell();
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

  #tell(): void {
    this.#wait?.abort();
    this.#wait = null;
    this.#waitingSince = null;
    const news = newsBetween(this.#said, this.#latest);
    const elsewhere = this.#said.lines[0] !== this.#latest.lines[0];
    this.#said = this.#latest;
    if (elsewhere) this.#line("");
    for (const line of news.lines) this.#line(line);
    if (news.current !== null) this.#line(news.current);
    // Said again where other lines came in between: the cursor stands where the next letter goes.
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
