/** Adds up decimal texts digit for digit; no float comes near them. */
export class ExactSum {
  /** Sums of the numbers that have so many digits after the point, in units of the last one. */
  readonly #sums = new Map<number, bigint>();

  /** Adds decimal text without an exponent, such as `-12.50`, as many `times`. Throws SyntaxError for any other. */
  add(decimal: string, times = 1): void {
    const places = decimalPlaces(decimal);
    const units = BigInt(places === 0 ? decimal : decimal.replace(".", ""));
    this.#sums.set(places, (this.#sums.get(places) ?? 0n) + units * BigInt(times));
  }

  /** With as many places as the longest of what was added had; `0` when nothing was. */
  text(): string {
    const places = Math.max(0, ...this.#sums.keys());
    let sum = 0n;
    for (const [own, units] of this.#sums) sum += units * 10n ** BigInt(places - own);
    const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0");
    const sign = sum < 0n ? "-" : "";
    if (places === 0) return `${sign}${digits}`;
    return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  }
}

/** Digits after the point. */
export function decimalPlaces(source: string): number {
  const point = source.indexOf(".");
  return point < 0 ? 0 : source.length - point - 1;
}
