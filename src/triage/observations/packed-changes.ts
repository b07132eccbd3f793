/**
 * The changes of an observation as columns of bytes. Numbers are columns of their lowest bytes, of the next ones
 * and so on, and a text lacks the beginning that it shares with the one before: so they take few bytes.
 */
import { runSliced, type Sliced } from "../../accounts/slices.ts";
import { Damage } from "../../sqlite/file-error.ts";
import type { Contents, Moves } from "./comparison.ts";
import { maxUnpacked, packedColumns, unpackedColumns } from "./packing.ts";

export async function packedMoves(moves: Moves): Promise<Uint8Array> {
  return packedColumns(await runSliced(moveColumns(moves)));
}

function* moveColumns({ rows, moves, renumbered }: Moves): Sliced<readonly Uint8Array[]> {
  const columns = [...numberColumns(differences(rows)), Uint8Array.from(moves)];
  yield;
  const texts = [...renumbered.values()];
  columns.push(...numberColumns([...renumbered.keys()]));
  columns.push(...textColumns(texts.map(([from]) => from)));
  columns.push(...textColumns(texts.map(([, to]) => to)));
  return columns;
}

/** Throws damage if the bytes are not those of changes. */
export async function movesIn(bytes: unknown): Promise<Moves> {
  const columns = new ColumnReader(await unpackedColumns(bytes));
  const rows = sums(columns.numbers());
  const moves = Array.from(columns.next());
  const indexes = columns.numbers();
  const [from, to] = [columns.texts(), columns.texts()];
  columns.end();
  demand(rows.length === moves.length);
  demand(from.length === indexes.length && to.length === indexes.length);
  const renumbered = indexes.map((index, at) => [index, [from[at] ?? "", to[at] ?? ""]] as const);
  return { rows, moves, renumbered: new Map(renumbered) };
}

export async function packedContents(contents: Contents): Promise<Uint8Array> {
  return packedColumns(await runSliced(contentColumns(contents)));
}

function* contentColumns({ numbers, services, created }: Contents): Sliced<readonly Uint8Array[]> {
  const columns = [...textColumns(numbers)];
  yield;
  columns.push(...textColumns(services));
  yield;
  columns.push(...numberColumns(created));
  return columns;
}

/** Throws damage if the bytes are not those of the data of changes. */
export async function contentsIn(bytes: unknown): Promise<Contents> {
  const columns = new ColumnReader(await unpackedColumns(bytes));
  const contents = {
    numbers: columns.texts(),
    services: columns.texts(),
    created: columns.numbers(),
  };
  columns.end();
  return contents;
}

/** Returns the differences of each number to the one before, which are small if the numbers ascend. */
function differences(numbers: readonly number[]): number[] {
  return numbers.map((value, at) => (at === 0 ? value : value - (numbers[at - 1] as number)));
}

function sums(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((value) => {
    sum += value;
    return sum;
  });
}

/**
 * Returns columns of whole numbers, or NaN: the least of them, their unit, their number and that of the columns,
 * then their lowest bytes and so on. 0 stands for NaN, and 1 for the least.
 */
function numberColumns(numbers: ArrayLike<number>): readonly Uint8Array[] {
  const { length } = numbers;
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < length; at++) {
    const value = numbers[at] as number;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  if (least > greatest) [least, greatest] = [0, -1];
  let unit = 1_000;
  for (let at = 0; at < length && unit > 1; at++)
    if (((numbers[at] as number) - least) % unit > 0) unit = 1;
  const columns: Uint8Array[] = [];
  for (let scale = 1; scale <= (greatest - least) / unit + 1; scale *= 256) {
    const column = new Uint8Array(length);
    for (let at = 0; at < length; at++)
      column[at] = (((numbers[at] as number) - least) / unit + 1) / scale;
    columns.push(column);
  }
  const head = new Float64Array([least, unit, length, columns.length]);
  return [new Uint8Array(head.buffer), ...columns];
}

/** Returns columns of texts: the lengths of their shared beginnings, those of the rests, and the rests. */
function textColumns(texts: readonly string[]): readonly Uint8Array[] {
  const most = texts.reduce((sum, { length }) => sum + length, 0) * maxBytesOfUnit;
  const [whole, rests] = [Buffer.allocUnsafe(most), Buffer.allocUnsafe(most)];
  const [shared, lengths] = [new Uint32Array(texts.length), new Uint32Array(texts.length)];
  let [before, from, end] = [0, 0, 0];
  for (const [at, text] of texts.entries()) {
    const length = whole.write(text, from);
    let same = 0;
    while (same < length && before + same < from && whole[before + same] === whole[from + same])
      same += 1;
    shared[at] = same;
    lengths[at] = length - same;
    end += whole.copy(rests, end, from + same, from + length);
    [before, from] = [from, from + length];
  }
  return [...numberColumns(shared), ...numberColumns(lengths), rests.subarray(0, end)];
}

/** Number of bytes in UTF-8 of a unit of a text, at most. */
const maxBytesOfUnit = 3;

/** Reads columns in the order in which they were packed. Throws damage. */
class ColumnReader {
  readonly #columns: Iterator<Uint8Array>;

  constructor(columns: readonly Uint8Array[]) {
    this.#columns = columns.values();
  }

  next(): Uint8Array {
    const { value } = this.#columns.next();
    demand(value !== undefined);
    return value;
  }

  numbers(): number[] {
    const bytesOfHead = this.next();
    demand(bytesOfHead.length === headBytes);
    const head = new Float64Array(bytesOfHead.slice().buffer);
    demand(head.every((value) => Number.isSafeInteger(value)));
    const [least = 0, unit = 0, count = 0, bytes = 0] = head;
    demand(count >= 0 && count <= maxNumbers && bytes >= 0 && bytes <= maxBytes);
    const codes = new Float64Array(count);
    for (let scale = 1, at = 0; at < bytes; scale *= 256, at++) {
      const column = this.next();
      demand(column.length === count);
      for (const [row, byte] of column.entries())
        codes[row] = (codes[row] as number) + byte * scale;
    }
    return Array.from(codes, (code) => (code === 0 ? Number.NaN : (code - 1) * unit + least));
  }

  texts(): string[] {
    const [shared, lengths, rests] = [this.numbers(), this.numbers(), this.next()];
    demand(shared.length === lengths.length);
    let total = 0;
    for (let at = 0; at < shared.length; at++) {
      const before = at === 0 ? 0 : (shared[at - 1] as number) + (lengths[at - 1] as number);
      const [start, length] = [shared[at] as number, lengths[at] as number];
      total += start + length;
      demand(start >= 0 && start <= before && length >= 0 && total <= maxUnpacked);
    }
    const whole = Buffer.allocUnsafe(total);
    let [before, at, from] = [0, 0, 0];
    const texts = shared.map((start, index) => {
      const end = from + (lengths[index] as number);
      const first = at;
      whole.copyWithin(at, before, before + start);
      whole.set(rests.subarray(from, end), at + start);
      [before, at, from] = [first, at + start + end - from, end];
      return whole.toString("utf8", first, at);
    });
    demand(from === rests.length);
    return texts;
  }

  end(): void {
    demand(this.#columns.next().done === true);
  }
}

const headBytes = 4 * Float64Array.BYTES_PER_ELEMENT;
/** Number of bytes of the greatest number. */
const maxBytes = 7;
/** Maximum length of a column: a colleague's column names its length, too. */
const maxNumbers = 1 << 25;

function demand(isSound: boolean): asserts isSound {
  if (!isSound) throw new Damage("a stored change cannot be read");
}
