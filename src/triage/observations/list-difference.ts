/** Computes the changes between a complete list and the stored accounts. */
import { State } from "./block-parts.ts";
import { contentAt, type StoredContent } from "./content.ts";
import { Delta, EntryFlag } from "./delta.ts";
import { Listed, type Listing } from "./listing.ts";
import type { ChangeKind } from "./observations.ts";

/** The kinds of changes, in the stored order. */
export const changeKinds: readonly ChangeKind[] = [
  "staged",
  "imported",
  "gone",
  "returned",
  "renumbered",
  "removed",
];

/** The differences between a complete list and the stored data. */
export interface ListDifference {
  readonly delta: Delta;
  /** Number of accounts that the last list had. */
  readonly before: number;
  /** Number of accounts on this list. */
  readonly now: number;
  /** Number of accounts that the last list had and this list lacks. */
  readonly lost: number;
  /** Number of accounts in each state after this list. */
  readonly counts: { readonly pending: number; readonly imported: number; readonly gone: number };
  /** Number of changes of each of {@link changeKinds}. */
  readonly tally: readonly number[];
  /** The newest creation time, or NaN if none is known. */
  readonly newestCreatedAt: number;
  /** The content of new accounts for which a later row replaces the first one, by row. */
  readonly corrected: ReadonlyMap<number, StoredContent>;
  /** The state of each new account. */
  readonly newStates: Uint8Array;
}

/** Computes the changes that a complete list shows. */
export function listDifference(listing: Listing): ListDifference {
  const comparison = new Comparison(listing);
  comparison.compareStored();
  comparison.compareNew();
  return comparison.result();
}

/** Compares a list with the stored accounts, row by row. */
class Comparison {
  readonly #listing: Listing;
  readonly #delta = new Delta();
  /** The indexes of the other rows, sorted by row. */
  readonly #order: Uint32Array;
  readonly #corrected = new Map<number, StoredContent>();
  readonly #newStates: Uint8Array;
  /** The index in `#order` of the next other row. */
  #nextOther = 0;
  #before = 0;
  #lost = 0;
  #newest: number;
  readonly #counts = new Uint32Array(5);

  constructor(listing: Listing) {
    const { known } = listing;
    this.#listing = listing;
    this.#order = inRowOrder(listing);
    this.#newStates = new Uint8Array(known.rows - known.stored);
    this.#newest = known.list?.newestCreatedAt ?? Number.NaN;
  }

  /** Compares the stored accounts. Called before {@link compareNew}. */
  compareStored(): void {
    const { known, listed } = this.#listing;
    for (let row = 0; row < known.stored; row++) {
      const bits = listed[row] as number;
      const state = known.state(row);
      const wasListed = state === State.pending || state === State.imported;
      if (wasListed) this.#before += 1;
      let to = state;
      if (bits === 0 && wasListed) {
        to = known.isEverImported(row) ? State.removed : State.gone;
        this.#delta.add(row, state, to);
        this.#lost += 1;
      } else if (bits & Listed.other) {
        to = bits & Listed.imported ? State.imported : State.pending;
        const others = this.#othersOf(row);
        const isStored = (bits & Listed.asStored) !== 0 && state === to;
        if (!isStored) this.#change(row, state, to, others);
      }
      this.#counts[to] = (this.#counts[to] as number) + 1;
    }
  }

  /**
   * Adds a change of an account to the delta, with the content of the list, which replaces the
   * stored content.
   */
  #change(row: number, from: number, to: number, others: readonly number[]): void {
    const { known } = this.#listing;
    const only = others.length === 1 ? this.#other(others[0] as number) : null;
    // The stored content is on the disk and is read only if it matters.
    const isComplete = only !== null && only.service !== null && !Number.isNaN(only.createdAt);
    const stored: StoredContent =
      isComplete && from !== State.imported
        ? { service: null, createdAt: Number.NaN }
        : known.content(row);
    const listed = only ?? this.#chosen(others, to, stored.service);
    const service = listed.service ?? stored.service;
    const createdAt = Number.isNaN(listed.createdAt) ? stored.createdAt : listed.createdAt;
    this.#delta.add(row, from, to);
    this.#delta.addContent(
      service,
      createdAt,
      (listed.service === null && service !== null ? EntryFlag.serviceNotListed : 0) |
        (Number.isNaN(listed.createdAt) && !Number.isNaN(createdAt)
          ? EntryFlag.createdNotListed
          : 0),
    );
    const isStillImported = from === State.imported && to === State.imported;
    if (
      isStillImported &&
      stored.service !== null &&
      service !== null &&
      !isSame(stored.service, service)
    ) {
      this.#delta.addPreviousService(stored.service);
    }
    this.#noteCreated(createdAt);
  }

  /** Adds the new accounts. */
  compareNew(): void {
    const { known, listed, added } = this.#listing;
    const isFirst = known.list === null;
    for (let row = known.stored; row < known.rows; row++) {
      const bits = listed[row] as number;
      const to = bits & Listed.imported ? State.imported : State.pending;
      const at = row - known.stored;
      this.#newStates[at] = to;
      this.#counts[to] = (this.#counts[to] as number) + 1;
      if (!isFirst) this.#delta.add(row, State.none, to);
      const others = bits & Listed.other ? this.#othersOf(row) : [];
      // A pending first row is not used if another row of the account is imported.
      const isCorrected = to === State.imported && others.length > 0 && this.#isFirstPending(row);
      const content = isCorrected ? this.#chosen(others, to, null) : null;
      if (content !== null) this.#corrected.set(row, content);
      if (content !== null) this.#noteCreated(content.createdAt);
    }
    this.#noteCreated(added.newest);
  }

  result(): ListDifference {
    const delta = this.#delta;
    const tally = changeKinds.map(() => 0);
    for (let at = 0; at < delta.count; at++) {
      const change = delta.change(at);
      if (change !== null)
        tally[changeKinds.indexOf(change)] = (tally[changeKinds.indexOf(change)] ?? 0) + 1;
    }
    const [, pending = 0, imported = 0, gone = 0] = this.#counts;
    return {
      delta,
      before: this.#before,
      now: pending + imported,
      lost: this.#lost,
      counts: { pending, imported, gone },
      tally,
      newestCreatedAt: this.#newest,
      corrected: this.#corrected,
      newStates: this.#newStates,
    };
  }

  /**
   * Returns the indexes in `others` of the rows of an account. Must be called in ascending order of
   * rows.
   */
  #othersOf(row: number): number[] {
    const { otherRows } = this.#listing;
    const indexes: number[] = [];
    while (this.#nextOther < this.#order.length) {
      const index = this.#order[this.#nextOther] as number;
      if ((otherRows[index] as number) > row) break;
      if (otherRows[index] === row) indexes.push(index);
      this.#nextOther += 1;
    }
    return indexes;
  }

  #other(index: number): StoredContent {
    return contentAt(this.#listing.others, index);
  }

  /**
   * Chooses one of several rows of one account: the row with the stored service account number,
   * else the first.
   */
  #chosen(others: readonly number[], to: number, service: Uint8Array | null): StoredContent {
    const pending = to === State.pending ? 1 : 0;
    const candidates = others.filter((index) => this.#listing.otherPending[index] === pending);
    const known = candidates.find((index) => {
      const listed = this.#other(index).service;
      return listed !== null && service !== null && isSame(listed, service);
    });
    return this.#other(known ?? candidates[0] ?? (others[0] as number));
  }

  #isFirstPending(row: number): boolean {
    return this.#listing.firstPending.has(row);
  }

  /** Updates the newest creation time. */
  #noteCreated(at: number): void {
    if (!(at <= this.#newest) && !Number.isNaN(at)) this.#newest = at;
  }
}

/** Returns the indexes of the other rows, sorted by row. */
function inRowOrder({ others, otherRows }: Listing): Uint32Array {
  const order = Uint32Array.from({ length: others.rows }, (_, at) => at);
  const row = (at: number) => otherRows[at] as number;
  const isSorted = order.every((at) => at === 0 || row(at - 1) <= row(at));
  return isSorted ? order : order.sort((a, b) => row(a) - row(b) || a - b);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
