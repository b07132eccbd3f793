import type { Block } from "./block.ts";
import { BlockCharacters, type BlockSearch, type ShownTimes } from "./block-characters.ts";
import { fieldStart, isGoneRow, isPendingRow, TextColumn } from "./columns.ts";
import { bitWords, type RowBits } from "./row-bits.ts";
import { type ShownInstant, shownBytes } from "./shown-instant.ts";

/** Returns the indexes of a full block. Builds them on the first call. */
export function blockSearchOf(block: Block): BlockSearch {
  if (block.search) return block.search;
  const { text, ends, rows } = block;
  const columns = [TextColumn.external, TextColumn.service, TextColumn.created].map(
    (column) => new BlockCharacters(text, ends, rows, 3, column),
  );
  const pending = new Uint32Array(bitWords);
  let gone: RowBits | null = null;
  for (let row = 0; row < rows; row++) {
    let rowsOfState: RowBits | null = null;
    if (isPendingRow(block, row)) rowsOfState = pending;
    else if (isGoneRow(block, row)) rowsOfState = gone ??= new Uint32Array(bitWords);
    if (rowsOfState !== null)
      rowsOfState[row >>> 5] = (rowsOfState[row >>> 5] as number) | (1 << (row & 31));
  }
  block.search = { columns, pending, gone };
  return block.search;
}

/**
 * Returns the texts of a full block's creation times as the screen shows them, or no texts if the
 * raw times contain them. Builds them if the block has none yet or their format has changed.
 */
export function shownTimesOf(block: Block, shown: ShownInstant): ShownTimes {
  block.shown ??= areRawTimePrefixes(block, shown)
    ? { text: new Uint8Array(0), ends: new Uint32Array(0), characters: null }
    : formatTimes(block, shown);
  return block.shown;
}

/**
 * Returns true if each shown time is the beginning of the raw time. A space of the shown time can be
 * any character of the raw time, such as the `T` after the date. Unreadable times are ignored.
 */
function areRawTimePrefixes(block: Block, shown: ShownInstant): boolean {
  const shownText = new Uint8Array(shownBytes);
  const { text, ends, createdAt } = block;
  for (let row = 0; row < block.rows; row++) {
    const time = createdAt[row] as number;
    if (Number.isNaN(time)) continue;
    const length = shown.write(time, shownText, 0);
    const from = fieldStart(block, row, TextColumn.created);
    if ((ends[row * 3 + TextColumn.created] as number) - from < length) return false;
    for (let at = 0; at < length; at++) {
      const byte = shownText[at] as number;
      if (byte !== 0x20 && byte !== text[from + at]) return false;
    }
  }
  return true;
}

function formatTimes(block: Block, shown: ShownInstant): ShownTimes {
  let text = new Uint8Array(block.rows * 20 + shownBytes);
  const ends = new Uint32Array(block.rows);
  let length = 0;
  for (let row = 0; row < block.rows; row++) {
    const time = block.createdAt[row] as number;
    if (!Number.isNaN(time)) {
      if (text.length - length < shownBytes) {
        const larger = new Uint8Array(text.length * 2);
        larger.set(text);
        text = larger;
      }
      length = shown.write(time, text, length);
    }
    ends[row] = length;
  }
  const used = text.slice(0, length);
  return { text: used, ends, characters: new BlockCharacters(used, ends, block.rows, 1, 0) };
}
