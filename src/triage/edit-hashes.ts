/** Hashes texts so that two texts that differ by one edit share a hash. Used for suggestions. */
import { type CodePoints, mixed } from "./normal-form.ts";

const base = 0x01000193;

/**
 * The hashes of a text, and of the text without each one of its code points. Two texts that are one
 * edit apart share at least one hash.
 */
export class EditHashes {
  hashes = new Uint32Array(65);
  count = 0;
  /** The hash of the text before each code point, and the powers of the base. */
  #before = new Uint32Array(65);
  #powers = new Uint32Array(65);

  constructor() {
    this.#fillPowers();
  }

  take({ points, length }: CodePoints): void {
    if (length + 1 > this.hashes.length) this.#grow(length + 1);
    const before = this.#before;
    let hash = 0;
    for (let at = 0; at < length; at++) {
      before[at] = hash;
      hash = (Math.imul(hash, base) + (points[at] as number) + 1) | 0;
    }
    this.hashes[0] = mixed(hash ^ length);
    let count = 1;
    let behind = 0;
    for (let at = length - 1; at >= 0; at--) {
      // Removing either of two equal neighbors results in the same text.
      if (at === 0 || points[at] !== points[at - 1]) {
        const rest = length - 1 - at;
        const without =
          (Math.imul(before[at] as number, this.#powers[rest] as number) + behind) | 0;
        this.hashes[count++] = mixed(without ^ (length - 1));
      }
      const power = this.#powers[length - 1 - at] as number;
      behind = (behind + Math.imul((points[at] as number) + 1, power)) | 0;
    }
    this.count = count;
  }

  #grow(length: number): void {
    this.hashes = new Uint32Array(length * 2);
    this.#before = new Uint32Array(length * 2);
    this.#powers = new Uint32Array(length * 2);
    this.#fillPowers();
  }

  #fillPowers(): void {
    let power = 1;
    for (let at = 0; at < this.#powers.length; at++) {
      this.#powers[at] = power;
      power = Math.imul(power, base);
    }
  }
}
