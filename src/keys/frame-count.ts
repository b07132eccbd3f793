/**
 * Counts the frames that were drawn, and knows how many of them there were when the key under way was
 * typed: a key typed ahead of a question does not answer it.
 */
export class FrameCount {
  #drawn = 0;
  #atKey = 0;

  /** Frames drawn so far. */
  get drawn(): number {
    return this.#drawn;
  }

  /** Frames that were drawn when the key under way was typed. */
  get atKey(): number {
    return this.#atKey;
  }

  /** A frame is on the terminal. */
  frameDrawn(): void {
    this.#drawn += 1;
  }

  /** A key is delivered; this many frames were drawn when it was typed. */
  keyDelivered(drawnWhenTyped: number): void {
    this.#atKey = drawnWhenTyped;
  }
}
