/**
 * Counts the drawn frames, and stores their number at the time when the current key was typed. The
 * console uses it to ignore an answer that was typed before its question appeared.
 */
export class FrameCount {
  #drawn = 0;
  #atKey = 0;

  /** The number of frames drawn so far. */
  get drawn(): number {
    return this.#drawn;
  }

  /** The number of frames that were drawn when the current key was typed. */
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
