/**
 * Exchanges the lists of a service with those of a team: makes the local list of a supplier equal to the team's,
 * and publishes the observations of this machine. Calls reject with a team error.
 */
import type { Row, Rows } from "../../sqlite/rows.ts";
import type { MemoryDriver, Position, SharedLists, SharedPage } from "../../writes/team/memory.ts";
import type { SharedAccounts } from "./shared-accounts.ts";
import {
  applyRow,
  checkMoves,
  checkRow,
  readSnapshot,
  rowsAfter,
  sharedFrom,
  snapshotParts,
} from "./shared-rows.ts";
import type { ListPlace, LocalList, Mark } from "./shared-store.ts";
import * as shared from "./shared-store.ts";
import {
  accountsOf,
  packedSnapshot,
  readStoredList,
  type Snapshot,
  type Stored,
  storedList,
} from "./store.ts";

interface ListTables {
  readonly accounts: Pick<SharedAccounts, "keep">;
  read<T>(work: (rows: Rows) => T): T;
  commit<T>(work: (rows: Rows) => T): Promise<T>;
}

export interface ExchangePorts {
  readonly origin: string;
  readonly driver: Pick<MemoryDriver, "address" | "names">;
  readonly tables: () => ListTables;
  readonly lists: () => Promise<SharedLists>;
  readonly answered: () => void;
  readonly life: AbortSignal;
}

/** Maximum number of times that another machine may be faster. */
export const maxTries = 8;
/** Maximum number of observations that a history begins the team's with, and of bytes of their changes. */
const maxBegun = { rows: 5_000, bytes: 4 << 20 };
const batch = 20;

export class ListExchange {
  readonly ledger: string;
  readonly #ports: ExchangePorts;

  constructor(ports: ExchangePorts) {
    this.#ports = ports;
    this.ledger = ports.driver.address;
  }

  place(supplier: string): ListPlace {
    return { origin: this.#ports.origin, supplier };
  }

  local(place: ListPlace): LocalList {
    return this.#ports.tables().read((rows) => shared.localList(rows, place, this.ledger));
  }

  /** Returns a mark after an observation of this machine, which the team has now. */
  markAfter(mark: Mark, { number, token }: Position, machines: number): Mark {
    return { ...mark, number, token, machines, ...this.#ports.driver.names, held: null };
  }

  putMark(rows: Rows, list: number, mark: Mark): void {
    shared.putMark(rows, list, this.ledger, mark);
  }

  /**
   * Makes the local list equal to the team's. Observations that the team does not have are published, or
   * compared again if it has others. Returns true if the local list has changed.
   */
  async pull(place: ListPlace): Promise<boolean> {
    const lists = await this.#ports.lists();
    let isChanged = false;
    for (let tries = 0; tries < maxTries; ) {
      this.#ports.life.throwIfAborted();
      const local = this.local(place);
      const page = await lists.since(place.supplier, local.mark, local.mark?.held ?? null);
      this.#ports.answered();
      if (page !== null && (page.snapshot !== null || page.rows.length > 0)) {
        if (!(await this.#take(lists, place, local, page))) tries += 1;
        isChanged = true;
        continue;
      }
      if (page !== null) {
        const { commit } = this.#ports.tables();
        const isHeld = (held: Mark["held"] | undefined) => held ?? null;
        if (isHeld(page.held?.token) !== isHeld(local.mark?.held)) isChanged = true;
        await commit((rows) => shared.followHeld(rows, place, this.ledger, page.held));
      }
      if (local.list === null || (page !== null && !local.isAhead)) {
        if (page !== null) await this.#publishHeld(lists, place);
        return isChanged;
      }
      const isPublished =
        page === null
          ? await this.#publishAll(lists, place, local)
          : await this.#publishOwn(lists, place, local);
      if (!isPublished) tries += 1;
    }
    return isChanged;
  }

  /** Stores a page of the team. Returns false if the local list has changed meanwhile. */
  async #take(
    lists: SharedLists,
    place: ListPlace,
    local: LocalList,
    given: SharedPage,
  ): Promise<boolean> {
    const { read, commit, accounts } = this.#ports.tables();
    const canFollow = !local.isAhead || read((rows) => shared.canGoBack(rows, local));
    const page =
      given.snapshot === null && !canFollow ? await lists.since(place.supplier, null, null) : given;
    if (page === null) return false;
    const whole = page.snapshot === null ? null : await this.#readWhole(lists, page);
    if (page.snapshot !== null && whole === null) return false;
    let known = whole?.accounts.rows ?? this.#knownAt(local);
    let before = page.rows[0]?.at ?? 0;
    for (const row of whole === null ? page.rows : page.rows.slice(1)) {
      const checked = await checkRow(row, known);
      known = rowsAfter(row);
      if (whole !== null) await applyRow(whole.accounts, checked, row.at, before);
      before = row.at;
    }
    const last = page.rows.at(-1);
    const taken = await commit((rows) => {
      const now = shared.localList(rows, place, this.ledger);
      if (now.list?.id !== local.list?.id || now.list?.seq !== local.list?.seq) return null;
      // A restored database has lost what the list here has.
      const isNewer = now.list !== null && last !== undefined && now.list.lastAt > last.at;
      if (now.isAhead || (whole !== null && isNewer))
        shared.putAside(rows, place, now, whole === null);
      if (whole === null) shared.followRows(rows, place, this.ledger, page);
      else shared.putWhole(rows, place, this.ledger, { page, snapshot: whole.snapshot });
      return storedList(rows, place.origin, place.supplier);
    });
    if (taken !== null && whole !== null) accounts.keep(taken, whole.accounts);
    return taken !== null;
  }

  /** Returns the number of accounts after the last observation of the team that is here. */
  #knownAt({ list, mark, isAhead }: LocalList): number {
    if (list === null || !isAhead) return list?.rows ?? 0;
    return this.#ports
      .tables()
      .read((rows) =>
        rows.number(
          "SELECT rows FROM observation WHERE list = ? AND seq = ?",
          list.id,
          mark?.number ?? 0,
        ),
      );
  }

  async #readWhole(lists: SharedLists, { snapshot, rows }: SharedPage) {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < (snapshot?.parts ?? 0); at++) {
      const part = await lists.part(snapshot?.id ?? "", at);
      if (part === null) return null;
      parts.push(part);
    }
    const read = await readSnapshot(parts);
    const [base] = rows;
    if (base !== undefined) await checkMoves(base, read.accounts.rows);
    return base === undefined || rowsAfter(base) !== read.accounts.rows ? null : read;
  }

  /** Begins the team's list with that of this machine. Returns false if another machine was faster. */
  async #publishAll(lists: SharedLists, place: ListPlace, local: LocalList): Promise<boolean> {
    const { read, commit } = this.#ports.tables();
    const { list, stored, own } = read((rows) => ({
      ...listIn(rows, place),
      own: shared.ownRows(rows, { ...local, mark: null }),
    }));
    if (list === null || list.seq !== local.list?.seq) return false;
    const snapshot = await packedSnapshot(await accountsOf(stored));
    const [id, parts] = await this.#putParts(lists, place.supplier, snapshot);
    let bytes = 0;
    const rows = own
      .slice(-maxBegun.rows)
      .toReversed()
      .map((row, at) => {
        const begun = sharedFrom(row);
        bytes += begun.moves?.length ?? 0;
        const moves = bytes <= maxBegun.bytes ? begun.moves : null;
        const { pendingSince } = begun;
        return {
          ...begun,
          moves,
          contents: null,
          dates: null,
          forgetBefore: null,
          pendingSince: at ? null : pendingSince,
        };
      })
      .toReversed();
    const last = rows.at(-1);
    if (last === undefined) return true;
    const observations = read((of) =>
      of.number("SELECT observations FROM list WHERE id = ?", list.id),
    );
    const beginning = { snapshot: id, parts, observations };
    const { firstAt } = list;
    const machines = await lists.append(place.supplier, null, rows, { firstAt, beginning });
    if (machines === null) return false;
    const { number, token } = last;
    const { names } = this.#ports.driver;
    await commit((of) => {
      if (storedList(of, place.origin, place.supplier)?.id !== list.id) return;
      const mark = { number, token, machines, ...names, held: null, isWhole: true, dropped: 0 };
      this.putMark(of, list.id, mark);
    });
    return true;
  }

  async #putParts(lists: SharedLists, supplier: string, snapshot: Snapshot) {
    const id = crypto.randomUUID();
    const parts = snapshotParts(snapshot);
    for (const [at, part] of parts.entries()) await lists.putPart(supplier, id, at, part);
    return [id, parts.length] as const;
  }

  /** Appends the observations that the team does not have. Returns false if it has others. */
  async #publishOwn(lists: SharedLists, place: ListPlace, local: LocalList): Promise<boolean> {
    const { read, commit } = this.#ports.tables();
    const own: readonly Row[] = read((rows) => shared.ownRows(rows, local));
    let { mark } = local;
    for (let at = 0; at < own.length && mark !== null; at += batch) {
      const rows = own.slice(at, at + batch).map((row) => sharedFrom(row));
      const firstAt = local.list?.firstAt ?? 0;
      const last = rows.at(-1);
      const machines = await lists.append(place.supplier, mark, rows, { firstAt });
      if (machines === null || last === undefined) return false;
      const next = this.markAfter(mark, last, machines);
      await commit((of) => {
        if (storedList(of, place.origin, place.supplier)?.id === local.list?.id)
          this.putMark(of, local.list?.id ?? 0, next);
      });
      mark = next;
    }
    return true;
  }

  /** Publishes the list that was held back while the database was away. */
  async #publishHeld(lists: SharedLists, place: ListPlace): Promise<void> {
    const { read, commit } = this.#ports.tables();
    const { local, held } = read((rows) => {
      const found = shared.localList(rows, place, this.ledger);
      return { local: found, held: shared.heldRow(rows, found) };
    });
    if (held === null || local.mark === null || local.isAhead || local.mark.held !== null) return;
    const row = sharedFrom(held, local.mark.number + 1);
    if (!(await lists.holdBack(place.supplier, local.mark, row))) return;
    await commit((rows) => shared.changeMark(rows, place, this.ledger, { held: row.token }));
  }

  /** Publishes a snapshot that contains an observation, if one is due. */
  async fold(supplier: string, at: Position, snapshot: Snapshot, accounts: number) {
    const lists = await this.#ports.lists();
    if (!(await lists.beginFold(supplier, at.number, accounts))) return;
    const [id, parts] = await this.#putParts(lists, supplier, snapshot);
    await lists.endFold(supplier, at, id, parts);
  }

  /**
   * Reads observations before the oldest one here, if that is not before a time. Returns false if there are no
   * more, or none is needed.
   */
  async readEarlier(supplier: string, since: number): Promise<boolean> {
    const place = this.place(supplier);
    const { read, commit } = this.#ports.tables();
    const { local, oldest } = read((rows) => {
      const found = shared.localList(rows, place, this.ledger);
      return { local: found, oldest: shared.oldestRow(rows, found.list?.id ?? 0) };
    });
    const { list, mark } = local;
    if (list === null || mark === null || mark.isWhole || oldest === null) return false;
    if (oldest.at < since) return false;
    const rows = await (await this.#ports.lists()).earlier(supplier, oldest.seq);
    for (const row of rows) await checkMoves(row, list.rows);
    await commit((of) => {
      if (shared.localList(of, place, this.ledger).list?.id !== list.id) return;
      shared.putEarlier(of, list.id, rows);
      if (rows.length === 0) shared.changeMark(of, place, this.ledger, { isWhole: true });
    });
    return rows.length > 0;
  }
}

/** Returns a list and its stored parts, of which there are none without a list. */
export function listIn(rows: Rows, { origin, supplier }: ListPlace) {
  const list = storedList(rows, origin, supplier);
  const stored: Stored = list === null ? { snapshot: [], changes: [] } : readStoredList(rows, list);
  return { list, stored };
}
