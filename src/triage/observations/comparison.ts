/** Compares a list, as it arrives, with what earlier lists have shown. Knows no file. */
import { fieldEnd, fieldStart, isPendingRow, TextColumn, utf8 } from "../../accounts/columns.ts";
import { AccountFlag } from "../../accounts/ingest/batch.ts";
import type { Sliced } from "../../accounts/slices.ts";
import { numberAt } from "../account-numbers.ts";
import { type Accounts, Mark, State } from "./accounts.ts";
import type { ChangeKind, ListRows } from "./observations.ts";

export const changeKinds: readonly ChangeKind[] = [
  "staged",
  "imported",
  "gone",
  "returned",
  "renumbered",
  "removed",
];

/** Changed accounts of one list, in row order: `moves` are 8 × the state before + the state after. */
export interface Moves {
  readonly rows: number[];
  readonly moves: number[];
  readonly renumbered: Map<number, readonly [from: string, to: string]>;
}

export interface Contents {
  readonly numbers: string[];
  readonly services: string[];
  readonly created: number[];
}

export interface ListDifference extends Moves, Contents {
  readonly before: number;
  readonly now: number;
  readonly lost: number;
  readonly counts: { readonly pending: number; readonly imported: number; readonly gone: number };
  readonly tally: readonly number[];
  readonly newestCreatedAt: number | null;
  /** Pending accounts by the time since when they are. */
  readonly pendingSince: ReadonlyMap<number, number>;
}

/**
 * Ranks of a row among rows of the same account: imported counts more than pending, then a row
 * like the last list's, then one with the known service number, then the first.
 */
const Rank = { absent: 0, other: 1, sameService: 2, asStored: 3, imported: 4 } as const;
const rowsPerStep = 1 << 11;

export class Comparison {
  readonly accounts: Accounts;
  readonly stored: number;
  #rank: Uint8Array;
  readonly #others = new Map<
    number,
    { readonly service: Uint8Array; readonly createdAt: number }
  >();
  #expected = 0;
  /** The account of a first list with the greatest number. */
  #greatest = 0;
  #difference: ListDifference | null = null;

  /** Nothing else changes the accounts. */
  constructor(accounts: Accounts) {
    this.accounts = accounts;
    this.stored = accounts.rows;
    this.#rank = new Uint8Array(accounts.rows);
  }

  *take(batch: ListRows): Sliced<void> {
    const { accounts } = this;
    const { text } = batch;
    let hasRoom = false;
    for (let row = 0; row < batch.count; row++) {
      if (row % rowsPerStep === rowsPerStep - 1) yield;
      const from = fieldStart(batch, row, 0);
      const to = fieldEnd(batch, row, TextColumn.external);
      if (from === to) continue;
      if (this.#isExpected(text, from, to)) {
        this.#takeRow(batch, row, this.#expected, to);
        continue;
      }
      if (this.#isGreatest(text, from, to)) {
        this.#greatest = this.#add(batch, row, from, to);
        continue;
      }
      if (!hasRoom || accounts.index.rows < accounts.rows)
        yield* accounts.indexing(batch.count - row);
      hasRoom = true;
      const known = accounts.find(text, from, to);
      if (known >= 0) this.#takeRow(batch, row, known, to);
      else accounts.index.add(this.#add(batch, row, from, to));
    }
  }

  /** Returns true if an account follows the one before as in the list before. */
  #isExpected(text: Uint8Array, from: number, to: number): boolean {
    const { accounts } = this;
    const row = this.#expected;
    return row < accounts.rows && accounts.numbers.is(row, text, from, to);
  }

  /** Returns true if a first list, which many services sort, has had lesser numbers only. */
  #isGreatest(text: Uint8Array, from: number, to: number): boolean {
    const { rows, numbers } = this.accounts;
    return this.stored === 0 && (rows === 0 || numbers.isLess(this.#greatest, text, from, to));
  }

  #add(batch: ListRows, at: number, from: number, to: number): number {
    const createdAt = batch.createdAt[at] as number;
    const row = this.accounts.add(batch.text, from, to, this.#serviceEnd(batch, at, to), createdAt);
    this.#takeRow(batch, at, row, to);
    return row;
  }

  #serviceEnd(batch: ListRows, at: number, to: number): number {
    const isNull = ((batch.flags[at] as number) & AccountFlag.serviceNull) !== 0;
    return isNull ? to : fieldEnd(batch, at, TextColumn.service);
  }

  /** Takes the row `at` of a batch, whose number ends at `to`, as a row of an account. */
  #takeRow(batch: ListRows, at: number, row: number, to: number): void {
    const { text } = batch;
    const serviceEnd = this.#serviceEnd(batch, at, to);
    const isPending = isPendingRow(batch, at);
    this.#expected = row + 1;
    if (row >= this.#rank.length) this.#grow(row);
    const before = this.#rank[row] as number;
    const rank =
      (isPending ? 0 : Rank.imported) + this.#likeness(row, batch, at, to, serviceEnd, isPending);
    if (rank <= before) return;
    this.#rank[row] = rank;
    if (row >= this.stored && before === Rank.absent) return;
    if ((rank & 3) === Rank.asStored) this.#others.delete(row);
    else {
      const createdAt = batch.createdAt[at] as number;
      this.#others.set(row, { service: text.slice(to, serviceEnd), createdAt });
    }
  }

  #grow(row: number): void {
    const rank = new Uint8Array(row * 2 + 64);
    rank.set(this.#rank);
    this.#rank = rank;
  }

  #likeness(
    row: number,
    { text, createdAt }: ListRows,
    at: number,
    to: number,
    serviceEnd: number,
    isPending: boolean,
  ): number {
    const { accounts } = this;
    if (row >= this.stored) return Rank.other;
    const hasService = serviceEnd > to;
    const isSameService = hasService && accounts.services.is(row, text, to, serviceEnd);
    const isSaid =
      accounts.has(row, Mark.saidService) === hasService && (!hasService || isSameService);
    const hasCreated = !Number.isNaN(createdAt[at]);
    const isCreated =
      accounts.has(row, Mark.saidCreated) === hasCreated &&
      (!hasCreated || accounts.created[row] === createdAt[at]);
    const state = isPending ? State.pending : State.imported;
    if (isSaid && isCreated && accounts.state(row) === state) return Rank.asStored;
    return isSameService ? Rank.sameService : Rank.other;
  }

  /**
   * Moves the accounts to what the list of the time `at` says, and returns the difference. `before`
   * is the time of the list before, null for the first one.
   */
  *difference(at: number, before: number | null): Sliced<ListDifference> {
    this.#difference ??= yield* this.#finish(at, before);
    return this.#difference;
  }

  *#finish(at: number, before: number | null): Sliced<ListDifference> {
    const { accounts } = this;
    const changes: Moves & Contents = {
      ...{ rows: [], moves: [], renumbered: new Map() },
      ...{ numbers: [], services: [], created: [] },
    };
    const counts = [0, 0, 0, 0, 0];
    const tally = changeKinds.map(() => 0);
    const pendingSince = new Map<number, number>();
    let [listedBefore, lost, newest] = [0, 0, Number.NaN];
    for (let row = 0; row < accounts.rows; row++) {
      const from = accounts.state(row);
      const wasListed = from === State.pending || from === State.imported;
      if (wasListed) listedBefore += 1;
      const to = this.#stateAfter(row, from);
      if (wasListed && to !== State.pending && to !== State.imported) lost += 1;
      const isChanged = from !== to || this.#others.has(row);
      if (isChanged && before !== null) this.#note(changes, tally, row, from, to);
      if (isChanged) {
        const other = this.#others.get(row);
        if (other !== undefined) accounts.say(row, other.service, other.createdAt);
        accounts.move(row, to, at, before ?? at);
      }
      counts[to] = (counts[to] as number) + 1;
      const created = accounts.created[row] as number;
      if (to !== State.none && !(created <= newest) && !Number.isNaN(created)) newest = created;
      if (to === State.pending) {
        const since = accounts.times.pendingSince.at(row);
        pendingSince.set(since, (pendingSince.get(since) ?? 0) + 1);
      }
      if (row % rowsPerStep === 0) yield;
    }
    const [, pending = 0, imported = 0, gone = 0] = counts;
    return {
      ...changes,
      before: listedBefore,
      now: pending + imported,
      lost,
      counts: { pending, imported, gone },
      tally,
      newestCreatedAt: Number.isNaN(newest) ? null : newest,
      pendingSince,
    };
  }

  #stateAfter(row: number, from: number): number {
    const rank = this.#rank[row] ?? Rank.absent;
    if (rank !== Rank.absent) return rank >= Rank.imported ? State.imported : State.pending;
    if (from !== State.pending && from !== State.imported) return from;
    return this.accounts.has(row, Mark.everImported) ? State.removed : State.gone;
  }

  #note(changes: Moves & Contents, tally: number[], row: number, from: number, to: number): void {
    const { accounts } = this;
    const isNew = row >= this.stored;
    const isListed = to === State.pending || to === State.imported;
    if (isNew) changes.numbers.push(numberAt(accounts.numbers, row));
    if (isListed) {
      const other = this.#others.get(row);
      const known = accounts.services.at(row);
      const service = other?.service ?? known;
      const createdAt = other?.createdAt ?? (accounts.created[row] as number);
      const isRenumbered =
        from === State.imported &&
        to === State.imported &&
        service.length > 0 &&
        known.length > 0 &&
        Buffer.compare(known, service) !== 0;
      if (isRenumbered)
        changes.renumbered.set(changes.rows.length, [utf8.decode(known), utf8.decode(service)]);
      changes.services.push(utf8.decode(service));
      changes.created.push(createdAt);
    }
    const kind = changes.renumbered.has(changes.rows.length) ? "renumbered" : kindOf(from, to);
    if (kind !== null)
      tally[changeKinds.indexOf(kind)] = (tally[changeKinds.indexOf(kind)] ?? 0) + 1;
    changes.rows.push(row);
    changes.moves.push(from * 8 + to);
  }

  /** Compares the rows of this finished list again, with accounts that another process has changed. */
  again(accounts: Accounts): Sliced<Comparison> {
    return relisted(this.accounts, accounts);
  }
}

/** Compares the last list of `from` with other accounts. */
export function* relisted(from: Accounts, accounts: Accounts): Sliced<Comparison> {
  const next = new Comparison(accounts);
  for (let row = 0; row < from.rows; row += rowsPerStep)
    yield* next.take(listed(from, row, Math.min(from.rows, row + rowsPerStep)));
  return next;
}

function listed(accounts: Accounts, from: number, end: number): ListRows {
  const texts: Uint8Array[] = [];
  const ends: number[] = [];
  const flags: number[] = [];
  const createdAt: number[] = [];
  let length = 0;
  for (let row = from; row < end; row++) {
    const state = accounts.state(row);
    if (state !== State.pending && state !== State.imported) continue;
    const hasService = accounts.has(row, Mark.saidService);
    const number = accounts.numbers.at(row);
    const service = hasService ? accounts.services.at(row) : new Uint8Array(0);
    texts.push(number, service);
    length += number.length + service.length;
    ends.push(length - service.length, length, length);
    flags.push(
      (hasService ? 0 : AccountFlag.serviceNull) |
        (state === State.pending ? 0 : AccountFlag.imported),
    );
    createdAt.push(
      accounts.has(row, Mark.saidCreated) ? (accounts.created[row] as number) : Number.NaN,
    );
  }
  return {
    count: flags.length,
    text: Buffer.concat(texts),
    ends: Uint32Array.from(ends),
    flags: Uint8Array.from(flags),
    createdAt: Float64Array.from(createdAt),
  };
}

export function kindOf(from: number, to: number): ChangeKind | null {
  if (from === to) return null;
  if (to === State.gone) return "gone";
  if (to === State.removed) return "removed";
  if (from === State.removed || (from === State.gone && to === State.pending)) return "returned";
  return to === State.pending ? "staged" : "imported";
}

export function applyChanges(
  accounts: Accounts,
  { rows, moves }: Pick<Moves, "rows" | "moves">,
  { numbers, services, created }: Contents,
  at: number,
  before: number,
): void {
  let [next, newNumber] = [0, 0];
  for (const [index, row] of rows.entries()) {
    const move = moves[index] as number;
    const to = move & 7;
    if (row === accounts.rows) {
      const bytes = Buffer.from(numbers[newNumber++] ?? "");
      accounts.add(bytes, 0, bytes.length, bytes.length, Number.NaN);
    }
    if (to === State.pending || to === State.imported) {
      accounts.say(row, Buffer.from(services[next] ?? ""), created[next] ?? Number.NaN);
      next += 1;
    }
    accounts.move(row, to, at, before);
  }
}
