/** Reads an operator's list of account numbers in any supported layout. */
import { isUtf8 } from "node:buffer";
import { runToEnd, type Sliced } from "../../accounts/slices.ts";
import { AppError } from "../../errors/app-error.ts";
import { byteOrderMarkLength, isSeparatorHint, otherFormatOf } from "../../rows/layout.ts";
import { cellsOf } from "../../rows/record-text.ts";
import { readCsv } from "./read-csv.ts";
import { readJson, readJsonLines } from "./read-json.ts";
import { type Source, SourceBuilder, trimmedStart } from "./source.ts";
import {
  columnsWithSamples,
  firstLine,
  firstRecord,
  recordAfter,
  separatorIn,
  separators,
  tableLine,
} from "./table-head.ts";

/** The default name of the column with the number (INTERFACE 2). */
export const defaultColumn = "external_account_number";

const [LF, CR] = [0x0a, 0x0d];

interface SourceOptions {
  readonly name: string;
  /** The column or the key of the number. Default: `external_account_number`. */
  readonly column?: string | undefined;
  /**
   * The supplier of the list. Rows that name another one in `import_supplier` are left out. Default:
   * the rows of all suppliers.
   */
  readonly supplier?: string | undefined;
}

/**
 * Reads the rows of an operator's list: one number per line, a JSON array, JSON lines (strings, or
 * objects with the column), or CSV with the column and commas, semicolons or tabs as separators. A
 * row that cannot be read is malformed and does not stop the other rows. Blank lines are not rows.
 * Throws a source error if the whole list cannot be used: also for a table without the column,
 * because its lines, with the names of customers, would be sent as numbers.
 */
export function readSource(bytes: Uint8Array, options: SourceOptions): Source {
  return runToEnd(readingSource(bytes, options));
}

/**
 * Reads a list in slices, so that a screen is not blocked. Returns the same source as {@link
 * readSource}.
 */
export function* readingSource(bytes: Uint8Array, options: SourceOptions): Sliced<Source> {
  const source = yield* readingRows(bytes, options);
  const { rows, otherSuppliers } = source;
  if (rows > 0 || otherSuppliers.size === 0) return source;
  const others = [...otherSuppliers.keys()].join(", ");
  throw new AppError(
    "source",
    "usage",
    `${options.name} has no row of ${options.supplier}: its rows name ${others}`,
    { remedy: "Name that supplier, or another list." },
  );
}

function* readingRows(bytes: Uint8Array, options: SourceOptions): Sliced<Source> {
  const { name, column = defaultColumn, supplier = null } = options;
  checkIsText(bytes, name);
  const content = bytes.subarray(byteOrderMarkLength(bytes));
  const first = content.find((byte) => byte > 0x20);
  if (first === undefined) return new SourceBuilder(0).finish(name, "text");
  const named = { name, column, supplier };
  if (first === 0x5b) return yield* readJson(content, named);
  if (first === 0x7b) return yield* readJsonLines(content, named);
  const head = firstLine(content);
  if (isSeparatorHint(head))
    throw new AppError("source", "usage", `${name} begins with ${head.trim()}, a hint for Excel`, {
      remedy: "Remove its first line.",
    });
  const header = firstRecord(content);
  const separator = separatorIn(header, column);
  if (separator !== null) return yield* readCsv(content, { ...named, separator });
  const isTable = options.column !== undefined || /\.(csv|tsv)$/i.test(name);
  if (isTable && (options.column !== undefined || !isPlainList(content, head)))
    throw noColumn(content, header, named);
  if (first === 0x22 && isJsonString(head)) return yield* readJsonLines(content, named);
  const line = tableLine(content);
  if (line !== null) throw noColumn(content, line, named);
  return yield* readLines(content, name);
}

function* readLines(bytes: Uint8Array, name: string): Sliced<Source> {
  const builder = new SourceBuilder(bytes.length);
  const allUtf8 = isUtf8(bytes);
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    let end = start;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    builder.begin(bytes, start, end);
    if (!allUtf8 && !isUtf8(bytes.subarray(start, end))) {
      builder.addIssue(line, { kind: "not-utf8" });
    } else if (isSeparators(bytes, start, end)) {
      builder.addIssue(line, { kind: "blank" });
    } else if (trimmedStart(bytes, start, end) < end) {
      builder.addBytes(line, bytes, start, end);
    }
    start = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
    if (line % 4096 === 0) yield;
  }
  return builder.finish(name, "text");
}

/** Throws if the bytes are of another format or not text, because their rows would be meaningless. */
function checkIsText(bytes: Uint8Array, name: string): void {
  const other = otherFormatOf(bytes);
  if (other !== null)
    throw new AppError("source", "usage", `${name} is ${other.name}`, { remedy: other.remedy });
  if (bytes.subarray(0, 1024).includes(0))
    throw new AppError("source", "usage", `${name} has a NUL byte, so it is no text`, {
      remedy: "Save it as UTF-8 text.",
    });
}

function isSeparators(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from];
  if (from === to || (first !== 0x2c && first !== 0x3b && first !== 0x09)) return false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte !== 0x2c && byte !== 0x3b && byte !== 0x09) return false;
  }
  return true;
}

/**
 * Returns true if a file named `.csv` or `.tsv` has no header and only one number per line: its
 * first two lines have no separators and the same shape.
 */
function isPlainList(content: Uint8Array, head: string): boolean {
  if (!/\d/.test(head) || /[,;\t"]/.test(head)) return false;
  const from = content.findIndex((byte) => byte > 0x20) + Buffer.byteLength(head);
  return shapeOf(firstLine(content.subarray(from))) === shapeOf(head);
}

/**
 * Returns the shape of a number, without its letters and digits. `EXT-0000001` and `EXT-17` have
 * the same shape.
 */
function shapeOf(line: string): string {
  return line
    .trim()
    .replace(/\p{L}+/gu, "A")
    .replace(/\d+/g, "0");
}

function isJsonString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false;
  }
}

function noColumn(
  content: Uint8Array,
  head: string,
  { name, column }: { name: string; column: string },
): AppError<"source"> {
  const cellsBy = (separator: string) => cellsOf(head, separator);
  const separator = separators.reduce((best, other) =>
    cellsBy(other).length > cellsBy(best).length ? other : best,
  );
  const row = cellsOf(recordAfter(content, head), separator);
  return new AppError(
    "source",
    "usage",
    `${name} has no column named ${column} in its first line`,
    columnsWithSamples(cellsBy(separator), row),
  );
}
