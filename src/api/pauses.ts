import type { Clock } from "./clock.ts";

/** Rows that have come whole wait no longer than twice this for more of the body. */
const pauseMs = 40;

/**
 * Tells when a body has paused. There is one sleep at a time, whatever the number of chunks, so that
 * a pause is noticed after one to two times its length.
 */
export class Pauses {
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #sleep: Promise<"pause"> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `next` comes to, or that it has not come. */
  beforeOr<T>(next: Promise<T>): Promise<T | "pause"> {
    this.#sleep ??= this.#clock.sleep(pauseMs, this.#ended.signal).then(
      () => {
        this.#sleep = null;
        return "pause";
      },
      () => "pause",
    );
    return Promise.race([next, this.#sleep]);
  }

  end(): void {
    this.#ended.abort();
  }
}
