/** Finds the elements of a JSON array in its bytes, without parsing them. */
import { AppError } from "../errors/app-error.ts";
import { Expect, JsonScanner } from "../json/byte-scanner.ts";
import { nestingLimit } from "../json/exact.ts";
import { jsonErrorAt } from "../json/scan.ts";

/** The bytes of one element of an array, from `from` up to `to`, exclusive. */
interface ElementRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Yields the place of each element of an array, one at a time, so that a list of a million rows does
 * not block other work. Throws a source error if the array is not complete.
 */
export function* elementRanges(array: Buffer, name: string): Generator<ElementRange, void, void> {
  const scanner = new JsonScanner(nestingLimit);
  // Scans the bracket that opens the array.
  let at = scanner.scan(array, 0, array.indexOf(0x5b) + 1, -1);
  for (;;) {
    let from = at;
    at = scanner.scan(array, at, array.length, 1);
    if (scanner.problem === null && scanner.depth === 0) return;
    while (from < at && (array[from] === 0x2c || (array[from] as number) <= 0x20)) from++;
    const isWhole = from < at && scanner.depth === 1 && scanner.state === Expect.separator;
    if (scanner.problem !== null || !isWhole) throw notJson(array.toString(), name);
    yield { from, to: at };
  }
}

function notJson(text: string, name: string): AppError<"source"> {
  const error = jsonErrorAt(text);
  const place = error === null ? "" : `, line ${error.line}, column ${error.column}`;
  const words = `${name}${place}: this begins like a JSON array and is not JSON`;
  return new AppError("source", "usage", words);
}
