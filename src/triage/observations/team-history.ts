/**
 * Decides when the lists of this machine are exchanged with a team's, and for how long an answer is waited for.
 * Everything is stored here first or without the team if its database does not answer.
 */
import type { Clock } from "../../api/clock.ts";
import type { Rows } from "../../sqlite/rows.ts";
import type { MemoryDriver, Position, SharedLists, TeamMemory } from "../../writes/team/memory.ts";
import { type AmendmentPorts, ListAmendments } from "./list-amendments.ts";
import { ListExchange } from "./list-exchange.ts";
import type { SharedHistory } from "./observations.ts";
import { sharedRow } from "./shared-rows.ts";
import type { Mark } from "./shared-store.ts";
import * as shared from "./shared-store.ts";
import type { NewObservation, Snapshot, StoredList } from "./store.ts";

/** The team of a caller, and what it hears of it. */
export interface HistoryTeam {
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

interface Surroundings extends Pick<AmendmentPorts, "origin" | "tables" | "record"> {
  readonly clock: Clock;
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

export class TeamHistory {
  readonly #team: HistoryTeam;
  readonly #driver: MemoryDriver;
  readonly #around: Surroundings;
  readonly #life = new AbortController();
  readonly #exchange: ListExchange;
  readonly #amendments: ListAmendments;
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
    const ports: AmendmentPorts = {
      ...around,
      driver,
      lists: () => this.#lists(),
      answered: () => this.#answered(),
      life: this.#life.signal,
      onDropped: team.onDropped,
    };
    this.#exchange = new ListExchange(ports);
    this.#amendments = new ListAmendments(this.#exchange, ports);
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
    const place = this.#exchange.place(supplier);
    const local = this.#exchange.local(place);
    if (local.list?.id !== list?.id || local.list?.seq !== list?.seq) return { kind: "behind" };
    const { mark } = local;
    if (list === null || mark === null || local.isAhead || this.#isAway()) return { kind: "own" };
    const row = sharedRow(next, mark.number + 1);
    const sharedAt = (at: Position, marked: Mark): Turn => ({
      kind: "shared",
      at,
      mark: (rows) => this.#exchange.putMark(rows, list.id, marked),
    });
    try {
      const lists = await this.#lists();
      if (isHeldBack) {
        if (!(await lists.holdBack(supplier, mark, row))) return this.#behind(supplier);
        return sharedAt(mark, { ...mark, held: row.token });
      }
      const machines = await lists.append(supplier, mark, [row], { firstAt: list.firstAt });
      if (machines === null) return this.#behind(supplier);
      return sharedAt(row, this.#exchange.markAfter(mark, row, machines));
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
      void this.#track(this.#exchange.fold(supplier, turn.at, snapshot, accounts).catch(() => {}));
    }
  }

  /** Records the list that is held back, for the team. Rejects with a team error. */
  async confirm(supplier: string): Promise<boolean> {
    const place = this.#exchange.place(supplier);
    const held = this.#exchange.local(place).mark?.held ?? null;
    if (held === null) return false;
    const isConfirmed = await (await this.#lists()).confirm(supplier, held);
    await this.#exchange.pull(place);
    return isConfirmed;
  }

  /**
   * Forgets accounts that left before a time, for the whole team. That is left for later if the database does
   * not answer. Never rejects.
   */
  async forget(supplier: string, before: number): Promise<void> {
    if (this.#isAway()) return;
    try {
      await this.#amendments.forget(supplier, before);
    } catch (error) {
      this.#failed(supplier, error);
    }
  }

  /** Returns the part of a list that is the team's, or null if nothing of it is. */
  markOf(rows: Rows, supplier: string): Mark | null {
    return shared.localList(rows, this.#exchange.place(supplier), this.#exchange.ledger).mark;
  }

  /** Returns the facts about the part of a list that is the team's, or null if nothing of it is. */
  factsOf(rows: Rows, supplier: string): SharedHistory | null {
    const local = shared.localList(rows, this.#exchange.place(supplier), this.#exchange.ledger);
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
    await this.#exchange.pull(this.#exchange.place(supplier));
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
      const { mark, isAhead } = this.#exchange.local(this.#exchange.place(supplier));
      const { token = null, held = null } = newest.get(supplier) ?? {};
      if (!isAhead && token === (mark?.token ?? null) && held === (mark?.held ?? null)) continue;
      this.#caughtUpAt.delete(supplier);
      this.begin(supplier);
    }
  }

  async #catchUp(supplier: string): Promise<void> {
    const place = this.#exchange.place(supplier);
    const isChanged = await this.#exchange.pull(place);
    const isSettled = await this.#amendments.settle(place);
    this.#caughtUpAt.set(supplier, this.#around.clock.now());
    if (isChanged || isSettled) this.#team.onChanged?.(supplier);
  }

  /** Reads observations before the oldest one here, until one is before a time. Never rejects. */
  async #earlier(supplier: string, since: number): Promise<void> {
    let isChanged = false;
    try {
      while (!this.#isAway() && (await this.#exchange.readEarlier(supplier, since)))
        isChanged = true;
    } catch (error) {
      this.#failed(supplier, error);
    }
    if (isChanged) this.#team.onChanged?.(supplier);
  }
}
