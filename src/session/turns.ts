/** Decides when the list of each supplier is due, if several lists are loaded one after another. */
import { isLate, type ReloadPace, reloadMs } from "../watch/pace.ts";

interface Turn {
  readonly endedAt: number;
  readonly tookMs: number;
}

export class Turns {
  readonly #turns = new Map<string, Turn>();

  has(supplier: string): boolean {
    return this.#turns.has(supplier);
  }

  /** Records the end of a supplier's turn. A turn without a load does not change the duration. */
  ended(supplier: string, endedAt: number, tookMs: number | null): void {
    this.#turns.set(supplier, { endedAt, tookMs: tookMs ?? this.#tookMs(supplier) });
  }

  clear(): void {
    this.#turns.clear();
  }

  keepOnly(suppliers: readonly string[]): void {
    for (const supplier of this.#turns.keys())
      if (!suppliers.includes(supplier)) this.#turns.delete(supplier);
  }

  nextAt(supplier: string, pace: ReloadPace): number {
    const turn = this.#turns.get(supplier);
    return turn === undefined ? 0 : turn.endedAt + this.restMs(supplier, pace);
  }

  /** Returns true if a check at `now` is far later than a covered list's pace after `before`. */
  isLate(supplier: string, before: number, now: number): boolean {
    return isLate(now - before, this.restMs(supplier, "covered"));
  }

  /**
   * Returns the milliseconds between two turns of a supplier. They grow with the loads of all
   * suppliers, each of which counts for at most the duration of this supplier's own load.
   */
  restMs(supplier: string, pace: ReloadPace): number {
    const ownMs = this.#tookMs(supplier);
    const totalMs = [...this.#turns.values()].reduce(
      (sum, { tookMs }) => sum + Math.min(ownMs, tookMs),
      0,
    );
    return reloadMs(totalMs, pace);
  }

  #tookMs(supplier: string): number {
    return this.#turns.get(supplier)?.tookMs ?? 0;
  }
}
