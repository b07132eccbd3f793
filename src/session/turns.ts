/** Times the loads of several suppliers whose lists are loaded one after another. */
import { isLate, type ReloadPace, reloadMs } from "../watch/pace.ts";

/** The end of a load in epoch milliseconds, and its duration. */
interface Turn {
  readonly endedAt: number;
  readonly tookMs: number;
}

/** The turns of several suppliers whose lists are loaded one after another. */
export class Turns {
  readonly #turns = new Map<string, Turn>();

  has(supplier: string): boolean {
    return this.#turns.has(supplier);
  }

  /** Records the end of a supplier's turn. A turn without a load does not change the duration. */
  ended(supplier: string, endedAt: number, tookMs: number | null): void {
    this.#turns.set(supplier, { endedAt, tookMs: tookMs ?? this.#tookMs(supplier) });
  }

  /** Makes every supplier due. */
  clear(): void {
    this.#turns.clear();
  }

  keepOnly(suppliers: readonly string[]): void {
    for (const supplier of this.#turns.keys())
      if (!suppliers.includes(supplier)) this.#turns.delete(supplier);
  }

  /** Returns the epoch milliseconds of a supplier's next turn, or 0 before its first turn. */
  nextAt(supplier: string, pace: ReloadPace): number {
    const turn = this.#turns.get(supplier);
    return turn === undefined ? 0 : turn.endedAt + this.restMs(supplier, pace);
  }

  /**
   * Returns true if a check at `now` is far later than the pace of a covered list allows after a
   * check at `before`.
   */
  isLate(supplier: string, before: number, now: number): boolean {
    return isLate(now - before, this.restMs(supplier, "covered"));
  }

  /**
   * Returns the milliseconds between two turns of a supplier. Suppliers that take longer count only
   * as long as this supplier takes.
   */
  restMs(supplier: string, pace: ReloadPace): number {
    const own = this.#tookMs(supplier);
    const together = [...this.#turns.values()].reduce(
      (sum, { tookMs }) => sum + Math.min(own, tookMs),
      0,
    );
    return reloadMs(together, pace);
  }

  #tookMs(supplier: string): number {
    return this.#turns.get(supplier)?.tookMs ?? 0;
  }
}
