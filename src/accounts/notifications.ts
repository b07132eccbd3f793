/** Tells listeners that something has changed, at once or bundled. */
export class Notifications {
  readonly #listeners = new Set<() => void>();
  readonly #before: () => void;
  #timer: NodeJS.Timeout | null = null;
  /** When the timer tells; when it was told last. Monotonic milliseconds. */
  #due = Number.POSITIVE_INFINITY;
  #toldAt = Number.NEGATIVE_INFINITY;

  /** `before` runs ahead of the listeners, each time. */
  constructor(before: () => void) {
    this.#before = before;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells at once. */
  now(): void {
    this.#cancel();
    this.#toldAt = performance.now();
    this.#before();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Tells at once if nothing was told for so many milliseconds, else as soon as that is so. */
  soon(betweenMs: number): void {
    const due = this.#toldAt + betweenMs;
    const left = due - performance.now();
    if (left <= 0) {
      this.now();
      return;
    }
    if (this.#due <= due) return;
    this.#cancel();
    this.#due = due;
    this.#timer = setTimeout(() => this.now(), left);
    // A list that grows must not keep the program alive.
    this.#timer.unref();
  }

  #cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
  }

  /** Tells nobody any more. */
  end(): void {
    this.#cancel();
    this.#listeners.clear();
  }
}
