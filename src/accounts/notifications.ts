/** Between two notices of a list that is growing. */
const shortestMs = 33;

/** Tells listeners that something has changed, at once or bundled. */
export class Notifications {
  readonly #listeners = new Set<() => void>();
  readonly #before: () => void;
  #timer: NodeJS.Timeout | null = null;
  #due = false;

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
    this.#due = false;
    this.#before();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Tells at once if nothing was told lately, else as soon as that is so. */
  soon(): void {
    if (this.#timer !== null) {
      this.#due = true;
      return;
    }
    this.now();
    this.#wait();
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (!this.#due) return;
      this.now();
      this.#wait();
    }, shortestMs);
    // A list that grows must not keep the program alive.
    this.#timer.unref();
  }

  /** Tells nobody any more. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = false;
    this.#listeners.clear();
  }
}
