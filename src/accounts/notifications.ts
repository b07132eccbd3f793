/** Notifies listeners of changes, at once or bundled. */
export class Notifications {
  readonly #listeners = new Set<() => void>();
  readonly #before: () => void;
  #timer: NodeJS.Timeout | null = null;
  /** The time at which the timer fires, in monotonic milliseconds. */
  #due = Number.POSITIVE_INFINITY;
  /** The time of the last notification, in monotonic milliseconds. */
  #notifiedAt = Number.NEGATIVE_INFINITY;

  constructor(before: () => void) {
    this.#before = before;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  now(): void {
    this.#cancel();
    this.#notifiedAt = performance.now();
    this.#before();
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Notifies when at least `betweenMs` milliseconds have passed since the last notification: at
   * once, or by a timer.
   */
  soon(betweenMs: number): void {
    const due = this.#notifiedAt + betweenMs;
    const left = due - performance.now();
    if (left <= 0) {
      this.now();
      return;
    }
    if (this.#due <= due) return;
    this.#cancel();
    this.#due = due;
    this.#timer = setTimeout(() => this.now(), left);
    // The timer must not keep the program running.
    this.#timer.unref();
  }

  #cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
  }

  end(): void {
    this.#cancel();
    this.#listeners.clear();
  }
}
