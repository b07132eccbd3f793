/**
 * Reads and writes JSON with exact numbers. The service returns payloads unchanged and
 * amounts as decimal text, and a double would change the digits of a large number.
 */

/** A number of the request. `JSON.stringify` writes it back digit for digit. */
export interface ExactNumber {
  readonly rawJSON: string;
}

interface ExactJson {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(source: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
}

// Node 24 has these functions, but TypeScript's library does not describe them yet.
const exact = JSON as unknown as ExactJson;

/** Parses JSON text. Throws a SyntaxError (or a RangeError for deep nesting), as JSON.parse. */
export function parseExact(text: string): unknown {
  return exact.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined
      ? exact.rawJSON(context.source)
      : value,
  );
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return exact.isRawJSON(value);
}

/** Formats a number with two decimal places, rounded half away from zero: `10` → `10.00`. */
export function twoPlaces(number: ExactNumber): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number.rawJSON);
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = match ?? [];
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + 2;
  const hundredths =
    shift >= 0 ? digits * 10n ** BigInt(shift) : roundedQuotient(digits, 10n ** BigInt(-shift));
  const text = hundredths.toString().padStart(3, "0");
  return `${hundredths === 0n ? "" : sign}${text.slice(0, -2)}.${text.slice(-2)}`;
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}
