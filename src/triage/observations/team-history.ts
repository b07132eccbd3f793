/**
 * Keeps the local lists equal to a team's, and publishes those of this machine. Everything is stored here
 * first or without the team if its database does not answer.
 */
import { runSliced, type Sliced } from "../../accounts/slices.ts";
import type { Clock } from "../../api/clock.ts";
import type { Row, Rows } from "../../sqlite/rows.ts";
import type {
  MemoryDriver,
  Position,
  SharedLists,
  SharedPage,
  SharedRow,
  TeamMemory,
} from "../../writes/team/memory.ts";
import type { Accounts } from "./accounts.ts";
import { State } from "./accounts.ts";
import { applyDates, datesAsBytes, earlierDates } from "./earlier-dates.ts";
import type { ListComparison, SharedHistory } from "./observations.ts";
import { packed } from "./packing.ts";
import type { SharedAccounts } from "./shared-accounts.ts";
import {
  applyRow,
  checkMoves,
  checkRow,
  readSnapshot,
  rowsAfter,
  sharedFrom,
  sharedRow,
  snapshotParts,
} from "./shared-rows.ts";
import type { ListPlace, LocalList, Mark } from "./shared-store.ts";
import * as shared from "./shared-store.ts";
import {
  type AsideKind,
  accountsOf,
  asideKinds,
  asideOrigin,
  departedRetentionMs,
  type NewObservation,
  packedSnapshot,
  readStoredList,
  type Snapshot,
  type Stored,
  type StoredList,
  storedList,
} from "./store.ts";

/** The local tables of the lists. */
interface ListTables {
  readonly accounts: Pick<SharedAccounts, "keep">;
  read<T>(work: (rows: Rows) => T): T;
  commit<T>(work: (rows: Rows) => T): Promise<T>;
}

/** The team of a caller, and what it hears of it. */
export interface HistoryTeam {
  /** Finds the memory of the team. */
  readonly load: () => Promise<MemoryDriver | null>;
  /** True for a console: it reads what is stored here first, and asks the team every five seconds. */
  readonly isFollowing: boolean;
  /** Receives the error of the first call without an answer since the last answer. */
  readonly onAway?: (error: unknown) => void;
  /** The team's part of a supplier's list has changed here. */
  readonly onChanged?: (supplier: string) => void;
  /** Lists of this machine were left out, because others have recorded later ones. */
  readonly onDropped?: (supplier: string, lists: number) => void;
}

interface Surroundings {
  readonly origin: string;
  readonly clock: Clock;
  readonly tables: () => ListTables;
  /** Records the last list of `own`, of the time `at`, as if it arrived now. */
  readonly record: (supplier: string, own: Accounts, at: number) => Promise<ListComparison>;
}

/** The decision about an observation before it is committed here. */
export type Turn =
  /** It is stored here alone. */
  | { readonly kind: "own" }
  /** Another machine or process was faster: it is compared again. */
  | { readonly kind: "behind" }
  /** The team has it. `mark` stores that with it. */
  | { readonly kind: "shared"; readonly at: Position; readonly mark: (rows: Rows) => void };

/** Time limit of the first answer, in milliseconds. Later, the work goes on without the team. */
const patienceMs = 3_000;
/** Time between two questions for news, and for which an answer is new, in milliseconds. */
const everyMs = 5_000;
/** Time for which a database that did not answer is not waited for, in milliseconds. */
const awayMs = 30_000;
/** Time limit of publishing before the end, in milliseconds. */
const farewellMs = { following: 3_000, command: 20_000 };
/** Maximum number of times that another machine may be faster. */
const maxTries = 8;
/** Maximum number of observations that a history begins the team's with, and of bytes of their changes. */
const maxBegun = { rows: 5_000, bytes: 4 << 20 };
/** Number of observations that are published at once. */
const batch = 20;

/** The facts of accounts that an observation without a list changes. */
interface Amendment extends Partial<Pick<SharedRow, "pendingSince" | "dates" | "forgetBefore">> {
  readonly firstAt?: number;
}

export class TeamHistory {
  readonly #team: HistoryTeam;
  readonly #driver: MemoryDriver;
  readonly #around: Surroundings;
  readonly #life = new AbortController();
  #memory: Promise<TeamMemory> | null = null;
  readonly #suppliers = new Map<string, Promise<void>>();
  readonly #caughtUpAt = new Map<string, number>();
  readonly #running = new Set<Promise<unknown>>();
  #answer = Promise.withResolvers<void>();
  #awayUntil = Number.NEGATIVE_INFINITY;
  #isFollowing = false;

  constructor(team: HistoryTeam, driver: MemoryDriver, around: Surroundings) {
    this.#team = team;
    this.#driver = driver;
    this.#around = around;
  }

  /** Begins to catch up with the team's list of a supplier. */
  begin(supplier: string): void {
    this.#follow();
    if (!this.#suppliers.has(supplier)) this.#suppliers.set(supplier, Promise.resolve());
    if (this.#isAway() || this.#isFresh(supplier)) return;
    this.#caughtUpAt.set(supplier, this.#around.clock.now());
    const running = (this.#suppliers.get(supplier) ?? Promise.resolve())
      .then(() => this.#catchUp(supplier))
      .catch((error: unknown) => this.#failed(supplier, error));
    this.#suppliers.set(supplier, this.#track(running));
  }

  /** Resolves when the list is equal to the team's, or the database does not answer. Never rejects. */
  async ready(supplier: string): Promise<void> {
    this.begin(supplier);
    if (this.#isAway()) return;
    const late = new AbortController();
    const isAnswering = await Promise.race([
      this.#answer.promise.then(() => true),
      this.#suppliers.get(supplier)?.then(() => true),
      this.#around.clock.sleep(patienceMs, late.signal).then(
        () => false,
        () => true,
      ),
    ]);
    late.abort();
    if (isAnswering) await this.#suppliers.get(supplier);
    else this.#failed(supplier, null);
  }

  /**
   * Brings observations since a time here before they are read. A console reads what is here, and hears
   * of the rest. Never rejects.
   */
  async beforeRead(supplier: string, since: number): Promise<void> {
    if (this.#team.isFollowing) {
      this.begin(supplier);
      void this.#track(this.ready(supplier).then(() => this.#earlier(supplier, since)));
      return;
    }
    await this.ready(supplier);
    await this.#earlier(supplier, since);
  }

  /** Offers an observation that follows the local list to the team. Never rejects. */
  async offer(
    supplier: string,
    list: StoredList | null,
    next: NewObservation,
    isHeldBack: boolean,
  ): Promise<Turn> {
    const place = this.#place(supplier);
    const local = this.#local(place);
    if (local.list?.id !== list?.id || local.list?.seq !== list?.seq) return { kind: "behind" };
    const { mark } = local;
    if (list === null || mark === null || local.isAhead || this.#isAway()) return { kind: "own" };
    const row = sharedRow(next, mark.number + 1);
    try {
      const lists = await this.#lists();
      const { names } = this.#driver;
      if (isHeldBack) {
        if (!(await lists.holdBack(supplier, mark, row))) return this.#behind(supplier);
        const marked = { ...mark, held: row.token };
        return { kind: "shared", at: mark, mark: (rows) => this.#putMark(rows, list.id, marked) };
      }
      const machines = await lists.append(supplier, mark, [row], { firstAt: list.firstAt });
      if (machines === null) return this.#behind(supplier);
      const { number, token } = row;
      const marked = { ...mark, number, token, machines, ...names, held: null };
      return { kind: "shared", at: row, mark: (rows) => this.#putMark(rows, list.id, marked) };
    } catch (error) {
      this.#failed(supplier, error);
      return { kind: "own" };
    }
  }

  /** Publishes in the background: the lists that the team does not have, and a snapshot if it is due. */
  publish(supplier: string, turn: Turn, snapshot: Snapshot | null, accounts: number): void {
    if (turn.kind === "own") {
      this.#caughtUpAt.delete(supplier);
      this.begin(supplier);
    } else if (turn.kind === "shared" && snapshot !== null) {
      void this.#track(this.#fold(supplier, turn.at, snapshot, accounts).catch(() => {}));
    }
  }

  /** Records the list that is held back, for the team. Rejects with a team error. */
  async confirm(supplier: string): Promise<boolean> {
    const place = this.#place(supplier);
    const held = this.#local(place).mark?.held ?? null;
    if (held === null) return false;
    const isConfirmed = await (await this.#lists()).confirm(supplier, held);
    await this.#pull(place);
    return isConfirmed;
  }

  /** Returns the part of a list that is the team's, or null if nothing of it is. */
  markOf(rows: Rows, supplier: string): Mark | null {
    return shared.localList(rows, this.#place(supplier), this.#ledger()).mark;
  }

  /** Returns the facts about the part of a list that is the team's, or null if nothing of it is. */
  factsOf(rows: Rows, supplier: string): SharedHistory | null {
    const local = shared.localList(rows, this.#place(supplier), this.#ledger());
    if (local.mark === null) return null;
    const { machines, machine, person, dropped } = local.mark;
    const unpublished = shared.ownRows(rows, local).length;
    return { machines, machine, person, unpublished, dropped };
  }

  /** Publishes for some seconds, and ends the connection. */
  async close(): Promise<void> {
    const late = new AbortController();
    const limit = this.#team.isFollowing ? farewellMs.following : farewellMs.command;
    if (this.#running.size > 0 && !this.#isAway())
      await Promise.race([
        Promise.allSettled(this.#running),
        this.#around.clock.sleep(limit, late.signal).catch(() => {}),
      ]);
    late.abort();
    this.#life.abort();
    await this.#memory?.then(
      (memory) => memory.close(),
      () => {},
    );
    await Promise.allSettled(this.#running);
  }

  #place(supplier: string): ListPlace {
    return { origin: this.#around.origin, supplier };
  }

  #ledger(): string {
    return this.#driver.address;
  }

  #local(place: ListPlace): LocalList {
    return this.#around.tables().read((rows) => shared.localList(rows, place, this.#ledger()));
  }

  #putMark(rows: Rows, list: number, mark: Mark): void {
    shared.putMark(rows, list, this.#ledger(), mark);
  }

  #isAway(): boolean {
    return this.#around.clock.now() < this.#awayUntil;
  }

  #isFresh(supplier: string): boolean {
    const at = this.#caughtUpAt.get(supplier);
    return at !== undefined && this.#around.clock.now() - at < everyMs;
  }

  async #lists(): Promise<SharedLists> {
    this.#memory ??= this.#driver.open();
    return (await this.#memory).lists;
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const end = () => this.#running.delete(work);
    work.then(end, end);
    return work;
  }

  #answered(): void {
    this.#awayUntil = Number.NEGATIVE_INFINITY;
    this.#answer.resolve();
  }

  #failed(supplier: string, error: unknown): void {
    this.#caughtUpAt.delete(supplier);
    if (this.#life.signal.aborted) return;
    const wasAway = this.#isAway();
    this.#awayUntil = this.#around.clock.now() + awayMs;
    this.#answer = Promise.withResolvers();
    if (!wasAway) this.#team.onAway?.(error);
  }

  async #behind(supplier: string): Promise<Turn> {
    await this.#pull(this.#place(supplier));
    return { kind: "behind" };
  }

  /** Asks for news every five seconds, from the first supplier on. */
  #follow(): void {
    if (!this.#team.isFollowing || this.#isFollowing) return;
    this.#isFollowing = true;
    const { clock } = this.#around;
    const follow = async () => {
      for (;;) {
        await clock.sleep(everyMs, this.#life.signal);
        await this.#askForNews().catch(() => {});
      }
    };
    follow().catch(() => {});
  }

  async #askForNews(): Promise<void> {
    const suppliers = [...this.#suppliers.keys()];
    const newest = await (await this.#lists()).newest(suppliers);
    this.#answered();
    for (const supplier of suppliers) {
      const { mark, isAhead } = this.#local(this.#place(supplier));
      const { token = null, held = null } = newest.get(supplier) ?? {};
      if (!isAhead && token === (mark?.token ?? null) && held === (mark?.held ?? null)) continue;
      this.#caughtUpAt.delete(supplier);
      this.begin(supplier);
    }
  }

  async #catchUp(supplier: string): Promise<void> {
    const place = this.#place(supplier);
    const isChanged = await this.#pull(place);
    const isSettled = await this.#settle(place);
    this.#caughtUpAt.set(supplier, this.#around.clock.now());
    if (isChanged || isSettled) this.#team.onChanged?.(supplier);
  }

  /**
   * Makes the local list equal to the team's. Observations that the team does not have are published, or
   * compared again if it has others. Returns true if the local list has changed.
   */
  async #pull(place: ListPlace): Promise<boolean> {
    const lists = await this.#lists();
    let isChanged = false;
    for (let tries = 0; tries < maxTries; ) {
      this.#life.signal.throwIfAborted();
      const local = this.#local(place);
      const page = await lists.since(place.supplier, local.mark, local.mark?.held ?? null);
      this.#answered();
      if (page !== null && (page.snapshot !== null || page.rows.length > 0)) {
        if (!(await this.#take(lists, place, local, page))) tries += 1;
        isChanged = true;
        continue;
      }
      if (page !== null) {
        const { commit } = this.#around.tables();
        const isHeld = (held: Mark["held"] | undefined) => held ?? null;
        if (isHeld(page.held?.token) !== isHeld(local.mark?.held)) isChanged = true;
        await commit((rows) => shared.followHeld(rows, place, this.#ledger(), page.held));
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
    const { read, commit, accounts } = this.#around.tables();
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
      const now = shared.localList(rows, place, this.#ledger());
      if (now.list?.id !== local.list?.id || now.list?.seq !== local.list?.seq) return null;
      // A restored database has lost what the list here has.
      const isNewer = now.list !== null && last !== undefined && now.list.lastAt > last.at;
      if (now.isAhead || (whole !== null && isNewer))
        shared.putAside(rows, place, now, whole === null);
      if (whole === null) shared.followRows(rows, place, this.#ledger(), page);
      else shared.putWhole(rows, place, this.#ledger(), { page, snapshot: whole.snapshot });
      return storedList(rows, place.origin, place.supplier);
    });
    if (taken !== null && whole !== null) accounts.keep(taken, whole.accounts);
    return taken !== null;
  }

  /** Returns the number of accounts after the last observation of the team that is here. */
  #knownAt({ list, mark, isAhead }: LocalList): number {
    if (list === null || !isAhead) return list?.rows ?? 0;
    return this.#around
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
    const { read, commit } = this.#around.tables();
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
    const { names } = this.#driver;
    await commit((of) => {
      if (storedList(of, place.origin, place.supplier)?.id !== list.id) return;
      const mark = { number, token, machines, ...names, held: null, isWhole: true, dropped: 0 };
      this.#putMark(of, list.id, mark);
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
    const { read, commit } = this.#around.tables();
    const own: readonly Row[] = read((rows) => shared.ownRows(rows, local));
    const { names } = this.#driver;
    let { mark } = local;
    for (let at = 0; at < own.length && mark !== null; at += batch) {
      const rows = own.slice(at, at + batch).map((row) => sharedFrom(row));
      const firstAt = local.list?.firstAt ?? 0;
      const last = rows.at(-1);
      const machines = await lists.append(place.supplier, mark, rows, { firstAt });
      if (machines === null || last === undefined) return false;
      const { number, token } = last;
      const next: Mark = { ...mark, number, token, machines, ...names, held: null };
      await commit((of) => {
        if (storedList(of, place.origin, place.supplier)?.id === local.list?.id)
          this.#putMark(of, local.list?.id ?? 0, next);
      });
      mark = next;
    }
    return true;
  }

  /** Publishes the list that was held back while the database was away. */
  async #publishHeld(lists: SharedLists, place: ListPlace): Promise<void> {
    const { read, commit } = this.#around.tables();
    const { local, held } = read((rows) => {
      const found = shared.localList(rows, place, this.#ledger());
      return { local: found, held: shared.heldRow(rows, found) };
    });
    if (held === null || local.mark === null || local.isAhead || local.mark.held !== null) return;
    const row = sharedFrom(held, local.mark.number + 1);
    if (!(await lists.holdBack(place.supplier, local.mark, row))) return;
    await commit((rows) => shared.changeMark(rows, place, this.#ledger(), { held: row.token }));
  }

  /** Compares the lists that were set apart with the team's. Returns true if there were any. */
  async #settle(place: ListPlace): Promise<boolean> {
    let isSettled = false;
    for (const kind of asideKinds) isSettled = (await this.#settleOne(place, kind)) || isSettled;
    return isSettled;
  }

  async #settleOne({ origin, supplier }: ListPlace, kind: AsideKind): Promise<boolean> {
    const place = this.#place(supplier);
    const { read, commit } = this.#around.tables();
    const aside = asideOrigin(kind, origin);
    const {
      list,
      stored,
      own: lists,
    } = read((rows) => ({
      ...listIn(rows, { origin: aside, supplier }),
      own: rows.number(
        "SELECT observations FROM list WHERE origin = ? AND supplier = ?",
        aside,
        supplier,
      ),
    }));
    if (list === null) return false;
    const own = await accountsOf(stored);
    const { kind: end } = await this.#around.record(supplier, own, list.lastAt);
    // Dates come after the list, so that its accounts are known.
    if (kind === "joined" && !(await this.#mergeDates(place, list, own))) return false;
    const dropped = kind === "own" ? Math.max(0, lists - (end === "late" ? 0 : 1)) : 0;
    await commit((rows) => {
      rows.run("DELETE FROM list WHERE id = ?", list.id);
      const known = shared.localList(rows, place, this.#ledger()).mark?.dropped ?? 0;
      shared.changeMark(rows, place, this.#ledger(), { dropped: known + dropped });
    });
    if (dropped > 0) this.#team.onDropped?.(supplier, dropped);
    return true;
  }

  /** Publishes the dates that this machine knows earlier. Returns false if that is left for later. */
  #mergeDates(place: ListPlace, before: StoredList, own: Accounts): Promise<boolean> {
    return this.#amend(place, async ({ list, accounts }) => {
      const dates = await this.#slices(earlierDates(own, accounts));
      if (dates.rows.length === 0 && before.firstAt >= list.firstAt) return null;
      applyDates(accounts, dates);
      return {
        firstAt: Math.min(list.firstAt, before.firstAt),
        pendingSince: await this.#slices(pendingTimes(accounts)),
        dates: await packed(datesAsBytes(dates)),
      };
    });
  }

  /**
   * Forgets accounts that left before a time, for the whole team. That is left for later if the database does
   * not answer. Never rejects.
   */
  async forget(supplier: string, before: number): Promise<void> {
    if (this.#isAway()) return;
    try {
      await this.#amend(this.#place(supplier), async ({ list, accounts }) => {
        const time = Math.min(before, list.lastAt - departedRetentionMs);
        return accounts.hasDeparted(time) ? { forgetBefore: time } : null;
      });
    } catch (error) {
      this.#failed(supplier, error);
    }
  }

  /**
   * Appends an observation without a list, which changes facts of accounts, unless `change` returns null.
   * Returns false if that is left for later.
   */
  async #amend(
    place: ListPlace,
    change: (known: {
      readonly list: StoredList;
      readonly accounts: Accounts;
    }) => Promise<Amendment | null>,
  ): Promise<boolean> {
    const { read, commit } = this.#around.tables();
    for (let tries = 0; tries < maxTries; tries++) {
      const { stored, local, last } = read((rows) => {
        const found = shared.localList(rows, place, this.#ledger());
        return {
          ...{ local: found, stored: listIn(rows, place).stored },
          last: rows.get(
            "SELECT * FROM observation WHERE list = ? AND seq = ?",
            found.list?.id ?? 0,
            found.list?.seq ?? 0,
          ),
        };
      });
      const { list, mark, isAhead } = local;
      if (list === null || mark === null || isAhead || last === undefined) return false;
      const changed = await change({ list, accounts: await accountsOf(stored) });
      if (changed === null) return true;
      const { firstAt = list.firstAt, ...more } = changed;
      const facts = sharedFrom(last);
      const row: SharedRow = {
        ...facts,
        number: mark.number + 1,
        entries: 0,
        facts: facts.facts.map((figure, at) => (at > 6 ? 0 : figure)),
        ...{ moves: null, contents: null, dates: null, forgetBefore: null },
        ...more,
      };
      const lists = await this.#lists();
      const machines = await lists.append(place.supplier, mark, [row], { firstAt });
      if (machines === null) {
        await this.#pull(place);
        continue;
      }
      const observations = read((rows) =>
        rows.number("SELECT observations + 1 FROM list WHERE id = ?", list.id),
      );
      const rows = [{ ...row, ...this.#driver.names }];
      const page = {
        newest: row,
        firstAt,
        observations,
        machines,
        snapshot: null,
        rows,
        held: null,
      };
      await commit((of) => {
        const now = shared.localList(of, place, this.#ledger());
        if (now.list?.id === list.id && now.list.seq === list.seq)
          shared.followRows(of, place, this.#ledger(), page);
      });
      return true;
    }
    return false;
  }

  async #fold(supplier: string, at: Position, snapshot: Snapshot, accounts: number) {
    const lists = await this.#lists();
    if (!(await lists.beginFold(supplier, at.number, accounts))) return;
    const [id, parts] = await this.#putParts(lists, supplier, snapshot);
    await lists.endFold(supplier, at, id, parts);
  }

  /** Reads observations before the oldest one here, until one is before a time. Never rejects. */
  async #earlier(supplier: string, since: number): Promise<void> {
    const place = this.#place(supplier);
    const { read, commit } = this.#around.tables();
    let isChanged = false;
    try {
      for (;;) {
        const { local, oldest } = read((rows) => {
          const found = shared.localList(rows, place, this.#ledger());
          return { local: found, oldest: shared.oldestRow(rows, found.list?.id ?? 0) };
        });
        const { list, mark } = local;
        if (list === null || mark === null || mark.isWhole || oldest === null) break;
        if (oldest.at < since || this.#isAway()) break;
        const rows = await (await this.#lists()).earlier(supplier, oldest.seq);
        for (const row of rows) await checkMoves(row, list.rows);
        await commit((of) => {
          if (shared.localList(of, place, this.#ledger()).list?.id !== list.id) return;
          shared.putEarlier(of, list.id, rows);
          if (rows.length === 0) shared.changeMark(of, place, this.#ledger(), { isWhole: true });
        });
        isChanged ||= rows.length > 0;
      }
    } catch (error) {
      this.#failed(supplier, error);
    }
    if (isChanged) this.#team.onChanged?.(supplier);
  }

  #slices<T>(work: Generator<void, T, void>): Promise<T> {
    return runSliced(work, this.#life.signal);
  }
}

/** Returns a list and its stored parts, of which there are none without a list. */
function listIn(rows: Rows, { origin, supplier }: ListPlace) {
  const list = storedList(rows, origin, supplier);
  const stored: Stored = list === null ? { snapshot: [], changes: [] } : readStoredList(rows, list);
  return { list, stored };
}

/** Returns the number of pending accounts by the time since when they are. */
function* pendingTimes(accounts: Accounts): Sliced<readonly (readonly [number, number])[]> {
  const counts = new Map<number, number>();
  for (let row = 0; row < accounts.rows; row++) {
    if (row % 16_384 === 0) yield;
    if (accounts.state(row) !== State.pending) continue;
    const since = accounts.times.pendingSince.at(row);
    counts.set(since, (counts.get(since) ?? 0) + 1);
  }
  return [...counts];
}
