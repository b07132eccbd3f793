/**
 * Counts the drawn frames, and stores their number at the time when the current key was typed. A
 * key that was typed before a question appeared does not answer it.
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

  /** Records that a frame is on the terminal. */
  frameDrawn(): void {
    this.#drawn += 1;
  }

  /** Records a delivered key. `drawnWhenTyped` is the number of frames drawn when it was typed. */
  keyDelivered(drawnWhenTyped: number): void {
    this.#atKey = drawnWhenTyped;
  }
}
