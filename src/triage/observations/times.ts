/**
 * Columns of times. The lists of a supplier have few distinct times for many accounts, so a row has
 * the code of its time: two bytes instead of eight.
 */
import { longer } from "../../accounts/columns.ts";
import { Damage } from "../../sqlite/file-error.ts";

/** The distinct times in epoch milliseconds, by their code. Code 0 is an unknown time, NaN. */
export class Instants {
  readonly values: number[];
  readonly #codes = new Map<number, number>();
  /** Times are set for many rows in a row. */
  #last = { time: Number.NaN, code: 0 };

  constructor(stored: ArrayLike<number> = [Number.NaN]) {
    this.values = Array.from(stored);
    for (const [code, value] of this.values.entries()) this.#codes.set(value, code);
    if (this.#codes.get(Number.NaN) !== 0) throw new Damage("stored times lack the unknown one");
  }

  codeOf(time: number): number {
    if (Number.isNaN(time)) return 0;
    if (time !== this.#last.time) {
      const code = this.#codes.get(time) ?? this.values.push(time) - 1;
      this.#codes.set(time, code);
      this.#last = { time, code };
    }
    return this.#last.code;
  }
}

type Codes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** The number of codes of two bytes. */
const twoByteCodes = 1 << 16;

export class TimeColumn {
  codes: Codes;
  readonly #instants: Instants;

  constructor(instants: Instants, codes: Codes = new Uint16Array(0)) {
    this.#instants = instants;
    this.codes = codes;
    const known = instants.values.length;
    for (let row = 0; row < codes.length; row++)
      if ((codes[row] as number) >= known) throw new Damage("a stored time is unknown");
  }

  /** Returns the time of a row in epoch milliseconds, or NaN if it is unknown or there is no such row. */
  at(row: number): number {
    return this.#instants.values[this.codes[row] ?? 0] as number;
  }

  set(row: number, time: number): void {
    const code = this.#instants.codeOf(time);
    if (code >= twoByteCodes && this.codes instanceof Uint16Array)
      this.codes = Uint32Array.from(this.codes);
    this.codes[row] = code;
  }

  grow(rows: number): void {
    this.codes = longer<Codes>(this.codes, rows);
  }

  copy(): TimeColumn {
    const copy = new TimeColumn(this.#instants);
    copy.codes = this.codes.slice();
    return copy;
  }
}
