/** Packs the blocks of the accounts that are new on a list. */
import type { Rows } from "../../sqlite/rows.ts";
import {
  agesColumns,
  blockShift,
  emptyTimes,
  Part,
  type PartKind,
  packContent,
  packHashes,
  packNumbers,
  packStates,
  packTimes,
  pastColumns,
  State,
  storedBlockRows,
  storedState,
  Time,
  unpackContent,
  unpackTimes,
} from "./block-parts.ts";
import { ContentRows, contentAt, hash, hashContent, placed } from "./content.ts";
import type { ListDifference } from "./list-difference.ts";
import type { Listing } from "./listing.ts";
import type { FullBlock } from "./new-content.ts";
import { blocksOf, readPart } from "./parts-table.ts";

interface NewPart {
  readonly kind: PartKind;
  readonly block: number;
  readonly bytes: Uint8Array;
}

/** Yields the parts of the blocks with new accounts, as of an observation at `at`. */
export function* newParts(
  sql: Rows,
  listing: Listing,
  difference: ListDifference,
  at: number,
): Generator<NewPart, void, void> {
  const { known } = listing;
  if (known.rows === known.stored) return;
  for (let block = known.stored >>> blockShift; block < blocksOf(known.rows); block++) {
    const from = block << blockShift;
    const to = Math.min(known.rows, from + storedBlockRows);
    const { ages, past } = timesOf(sql, listing, difference, block, at);
    const { numbers, hashes, content } =
      fullBlock(listing, difference, block) ?? packedBlock(sql, listing, difference, block);
    const bytes: Readonly<Record<PartKind, Uint8Array>> = {
      [Part.numbers]: numbers,
      [Part.states]: packStates(statesOf(listing, difference, from, to)),
      [Part.hashes]: hashes,
      [Part.ages]: packTimes(ages, to - from),
      [Part.past]: packTimes(past, to - from),
      [Part.content]: content,
    };
    for (const kind of Object.values(Part)) yield { kind, block, bytes: bytes[kind] };
  }
}

/**
 * Returns the parts that were packed while the list arrived, or null if the content of an account
 * was corrected afterwards.
 */
function fullBlock(
  { added }: Listing,
  { corrected }: ListDifference,
  block: number,
): FullBlock | null {
  for (const row of corrected.keys()) if (row >>> blockShift === block) return null;
  return added.full(block);
}

/** Packs the parts of a block that were not packed while the list arrived. */
function packedBlock(
  sql: Rows,
  listing: Listing,
  difference: ListDifference,
  block: number,
): FullBlock {
  const { known } = listing;
  const from = block << blockShift;
  const to = Math.min(known.rows, from + storedBlockRows);
  const { low, high } = hashesOf(listing, difference, from, to);
  return {
    numbers: packNumbers(known, from, to),
    hashes: packHashes(low, high),
    content: packContent(contentOf(sql, listing, difference, block), to - from),
  };
}

function statesOf(
  { known }: Listing,
  { newStates }: ListDifference,
  from: number,
  to: number,
): Uint8Array {
  const states = new Uint8Array(to - from);
  for (let row = from; row < to; row++) {
    states[row - from] =
      row < known.stored
        ? (known.states[row] as number)
        : storedState(0, newStates[row - known.stored] as number);
  }
  return states;
}

function hashesOf(
  { known, added }: Listing,
  { corrected }: ListDifference,
  from: number,
  to: number,
) {
  const low = new Uint32Array(to - from);
  const high = new Uint32Array(to - from);
  for (let row = from; row < to; row++) {
    if (row < known.stored) {
      hash.low = known.low[row] as number;
      hash.high = known.high[row] as number;
    } else {
      const content = corrected.get(row);
      const service = content?.service ?? noBytes;
      if (content === undefined) added.hashOf(row);
      else hashContent(service, 0, service.length, content.createdAt);
    }
    low[row - from] = hash.low;
    high[row - from] = hash.high;
  }
  return { low, high };
}

const noBytes = new Uint8Array(0);

/** Returns the times of a block after an observation at `at`. */
function timesOf(
  sql: Rows,
  { known }: Listing,
  { newStates }: ListDifference,
  block: number,
  at: number,
) {
  const from = block << blockShift;
  const stored = Math.max(0, Math.min(storedBlockRows, known.stored - from));
  const read = (kind: PartKind, columns: number) =>
    stored === 0 || known.list === null
      ? emptyTimes(columns)
      : unpackTimes(readPart(sql, known.list.id, kind, block), columns, stored);
  const ages = read(Part.ages, agesColumns);
  const past = read(Part.past, pastColumns);
  const column = (time: number) =>
    (time < agesColumns ? ages[time] : past[time - agesColumns]) as Float64Array;
  const [firstSeen, since] = [column(Time.firstSeen), column(Time.pendingSince)];
  const [pending, imported] = [column(Time.firstPending), column(Time.firstImported)];
  const end = Math.min(storedBlockRows, known.rows - from);
  for (let row = stored; row < end; row++) {
    firstSeen[row] = at;
    if (newStates[from + row - known.stored] === State.imported) imported[row] = at;
    else {
      since[row] = at;
      pending[row] = at;
    }
  }
  return { ages, past };
}

/** Returns the content of a block, with the stored rows first. */
function contentOf(
  sql: Rows,
  { known, added }: Listing,
  { corrected }: ListDifference,
  block: number,
): ContentRows {
  const from = block << blockShift;
  const to = Math.min(known.rows, from + storedBlockRows);
  const content = new ContentRows();
  const stored = known.list === null ? 0 : Math.max(0, known.stored - from);
  if (known.list !== null && stored > 0) {
    const packed = readPart(sql, known.list.id, Part.content, block);
    const before = placed(unpackContent(packed, stored));
    for (let at = 0; at < stored; at++) content.put(contentAt(before, at));
  }
  for (let row = from + stored; row < to; row++) content.put(corrected.get(row) ?? added.at(row));
  return content;
}
