/**
 * The young generation of V8's heap while a long list arrives. Left alone it doubles until it has
 * twice 16 MB, and between two of its collections as much of the buffers of the network is garbage.
 */
import { createRequire } from "node:module";

/** Shorter lists leave the heap as it is. */
const longRows = 100_000;

/** By how much V8 lets it grow at a time, by default. */
const usualGrowth = 2;

/** Lists that are being read and are long. */
let long = 0;

/** Lets the young generation stay as large as it is, from a list's hundred-thousandth row to its last. */
export class YoungGeneration {
  #isHeld = false;

  /** Takes note of how many rows a list has so far. */
  holdFrom(rows: number): void {
    if (this.#isHeld || rows < longRows) return;
    this.#isHeld = true;
    long += 1;
    if (long === 1) letGrowBy(1);
  }

  /**
   * The list has ended. V8 stores compiled code for certain flags: with others, what was stored before
   * would be refused, and nothing could be stored.
   */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    long -= 1;
    if (long === 0) letGrowBy(usualGrowth);
  }
}

/** It is read at each growth; Node does not freeze V8's flags. */
function letGrowBy(factor: number): void {
  // Loading it at the start would take longer than the rest of this file's work.
  const { setFlagsFromString }: typeof import("node:v8") = createRequire(import.meta.url)(
    "node:v8",
  );
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
