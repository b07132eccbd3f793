import type { Rows } from "../../sqlite/rows.ts";
import {
  agesColumns,
  blockRows,
  blockShift,
  noTimes,
  Part,
  type PartKind,
  packContent,
  packHashes,
  packNumbers,
  packStates,
  packTimes,
  pastColumns,
  State,
  storedState,
  Time,
  unpackContent,
  unpackTimes,
} from "./block-parts.ts";
import { hash, hashContent } from "./content-hash.ts";
import type { StoredContent } from "./known-accounts.ts";
import type { ListDifference } from "./list-difference.ts";
import type { Listing } from "./listing.ts";
import type { FullBlock } from "./new-content.ts";
import { blocksOf, readPart } from "./parts-table.ts";

export interface NewPart {
  readonly kind: PartKind;
  readonly block: number;
  readonly bytes: Uint8Array;
}

/** The parts of the blocks that new accounts are in, as of an observation at `at`. */
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
    const to = Math.min(known.rows, from + blockRows);
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

/** What was packed while the list arrived; null where another row of an account counts after all. */
function fullBlock(
  { added }: Listing,
  { corrected }: ListDifference,
  block: number,
): FullBlock | null {
  for (const row of corrected.keys()) if (row >>> blockShift === block) return null;
  return added.full(block);
}

function packedBlock(
  sql: Rows,
  listing: Listing,
  difference: ListDifference,
  block: number,
): FullBlock {
  const { known } = listing;
  const from = block << blockShift;
  const to = Math.min(known.rows, from + blockRows);
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
      const said = corrected.get(row);
      const service = said?.service ?? nothing;
      if (said === undefined) added.hashOf(row);
      else hashContent(service, 0, service.length, said.createdAt);
    }
    low[row - from] = hash.low;
    high[row - from] = hash.high;
  }
  return { low, high };
}

const nothing = new Uint8Array(0);

function timesOf(
  sql: Rows,
  { known }: Listing,
  { newStates }: ListDifference,
  block: number,
  at: number,
) {
  const from = block << blockShift;
  const stored = Math.max(0, Math.min(blockRows, known.stored - from));
  const read = (kind: PartKind, columns: number) =>
    stored === 0 || known.list === null
      ? noTimes(columns)
      : unpackTimes(readPart(sql, known.list.id, kind, block), columns, stored);
  const ages = read(Part.ages, agesColumns);
  const past = read(Part.past, pastColumns);
  const column = (time: number) =>
    (time < agesColumns ? ages[time] : past[time - agesColumns]) as Float64Array;
  const [firstSeen, since] = [column(Time.firstSeen), column(Time.pendingSince)];
  const [pending, imported] = [column(Time.firstPending), column(Time.firstImported)];
  const end = Math.min(blockRows, known.rows - from);
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

/** The content of a block, stored rows first. */
function contentOf(
  sql: Rows,
  { known, added }: Listing,
  { corrected }: ListDifference,
  block: number,
) {
  const from = block << blockShift;
  const to = Math.min(known.rows, from + blockRows);
  const lengths = new Uint32Array(to - from);
  const createdAt = new Float64Array(to - from);
  let text = new Uint8Array(blockRows * 8);
  let length = 0;
  const put = (bytes: Uint8Array) => {
    if (length + bytes.length > text.length) {
      const more = new Uint8Array((length + bytes.length) * 2);
      more.set(text);
      text = more;
    }
    text.set(bytes, length);
    length += bytes.length;
  };
  let row = from;
  if (row < known.stored && known.list !== null) {
    const before = unpackContent(
      readPart(sql, known.list.id, Part.content, block),
      known.stored - from,
    );
    lengths.set(before.lengths);
    createdAt.set(before.createdAt);
    put(before.text);
    row = known.stored;
  }
  for (; row < to; row++) {
    const said: StoredContent = corrected.get(row) ?? added.at(row);
    lengths[row - from] = said.service === null ? 0 : said.service.length + 1;
    createdAt[row - from] = said.createdAt;
    if (said.service !== null) put(said.service);
  }
  return { lengths, createdAt, text };
}
