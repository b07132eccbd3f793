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
  /** Service account numbers before and after, of accounts with another one. */
  readonly renumbered: Map<number, readonly [from: string, to: string]>;
}

/** The facts that the list gives of its changed accounts. A snapshot contains them too. */
export interface Contents {
  /** Numbers of accounts that are known from this list on. */
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
const rowsPerStep = 1 << 14;

export class Comparison {
  readonly accounts: Accounts;
  /** Rows that were known before this list. */
  readonly stored: number;
  #rank: Uint8Array;
  readonly #others = new Map<
    number,
    { readonly service: Uint8Array; readonly createdAt: number }
  >();
  #expected = 0;
  #difference: ListDifference | null = null;

  constructor(accounts: Accounts) {
    this.accounts = accounts;
    this.stored = accounts.rows;
    this.#rank = new Uint8Array(accounts.rows);
  }

  take(batch: ListRows): void {
    const { text, flags, createdAt } = batch;
    for (let row = 0; row < batch.count; row++) {
      const from = fieldStart(batch, row, 0);
      const to = fieldEnd(batch, row, TextColumn.external);
      const isNull = ((flags[row] as number) & AccountFlag.serviceNull) !== 0;
      const serviceEnd = isNull ? to : fieldEnd(batch, row, TextColumn.service);
      this.takeRow(text, from, to, serviceEnd, createdAt[row] as number, isPendingRow(batch, row));
    }
  }

  takeRow(
    text: Uint8Array,
    from: number,
    to: number,
    serviceEnd: number,
    createdAt: number,
    isPending: boolean,
  ): void {
    if (from === to) return;
    const { accounts } = this;
    let row = this.#expected;
    if (row >= accounts.rows || !accounts.numbers.is(row, text, from, to))
      row = accounts.find(text, from, to);
    const isNew = row < 0;
    if (isNew) row = accounts.add(text, from, to, serviceEnd, createdAt);
    this.#expected = row + 1;
    if (row >= this.#rank.length) this.#grow(row);
    const before = this.#rank[row] as number;
    const rank =
      (isPending ? 0 : Rank.imported) +
      this.#likeness(row, text, to, serviceEnd, createdAt, isPending);
    if (rank <= before) return;
    this.#rank[row] = rank;
    if (isNew) return;
    if ((rank & 3) === Rank.asStored) this.#others.delete(row);
    else this.#others.set(row, { service: text.slice(to, serviceEnd), createdAt });
  }

  #grow(row: number): void {
    const rank = new Uint8Array(row * 2 + 64);
    rank.set(this.#rank);
    this.#rank = rank;
  }

  #likeness(
    row: number,
    text: Uint8Array,
    to: number,
    serviceEnd: number,
    createdAt: number,
    isPending: boolean,
  ): number {
    const { accounts } = this;
    if (row >= this.stored) return Rank.other;
    const hasService = serviceEnd > to;
    const isSameService = hasService && accounts.services.is(row, text, to, serviceEnd);
    const isSaid =
      accounts.has(row, Mark.saidService) === hasService && (!hasService || isSameService);
    const hasCreated = !Number.isNaN(createdAt);
    const isCreated =
      accounts.has(row, Mark.saidCreated) === hasCreated &&
      (!hasCreated || accounts.created[row] === createdAt);
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
        const since = accounts.times.pendingSince[row] as number;
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
  const { numbers, services, created } = from;
  for (let row = 0; row < from.rows; row++) {
    const state = from.state(row);
    if (state !== State.pending && state !== State.imported) continue;
    const number = numbers.at(row);
    const service = from.has(row, Mark.saidService) ? services.at(row) : new Uint8Array(0);
    const createdAt = from.has(row, Mark.saidCreated) ? created[row] : Number.NaN;
    const text = Buffer.concat([number, service]);
    const isPending = state === State.pending;
    next.takeRow(text, 0, number.length, text.length, createdAt as number, isPending);
    if (row % rowsPerStep === 0) yield;
  }
  return next;
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
