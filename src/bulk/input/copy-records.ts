import type { InputFormat } from "./layout.ts";
import { type RawRecord, RecordCutter } from "./record-cutter.ts";

/**
 * Copies the header of a CSV input and the records that begin on these lines, byte for byte; a last
 * one without a line end stays without. `write` is given bytes of its own. Lines that are not in a
 * set come in ascending order.
 */
export async function copyRecords(
  bytes: AsyncIterable<Uint8Array>,
  lines: ReadonlySet<number> | Iterable<number>,
  write: (bytes: Uint8Array) => void | Promise<void>,
  format: InputFormat = "detect",
): Promise<void> {
  const cutter = new RecordCutter(format);
  const isWanted = wanting(lines);
  let isFirst = true;
  const copy = async (record: RawRecord) => {
    const isHeader = isFirst && cutter.layout?.kind === "csv";
    isFirst = false;
    if (isWanted(record.line) || isHeader) await write(Uint8Array.from(record.bytes));
  };
  for await (const chunk of bytes) {
    cutter.append(chunk);
    for (let record = cutter.take(); record !== null; record = cutter.take()) await copy(record);
  }
  cutter.finish();
  for (let record = cutter.take(); record !== null; record = cutter.take()) await copy(record);
}

function wanting(lines: ReadonlySet<number> | Iterable<number>): (line: number) => boolean {
  if (lines instanceof Set) return (line) => lines.has(line);
  const ascending = lines[Symbol.iterator]();
  let next = ascending.next();
  return (line) => {
    while (!next.done && next.value < line) next = ascending.next();
    return !next.done && next.value === line;
  };
}
