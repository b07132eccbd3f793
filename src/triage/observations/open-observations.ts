/** Opens what lists have shown: records each complete list, and answers about ages and changes. */
import { join } from "node:path";
import { AccountRowReader } from "../../accounts/ingest/reader.ts";
import { runSliced } from "../../accounts/slices.ts";
import type { Clock } from "../../api/clock.ts";
import type { Service } from "../../api/service.ts";
import { isAppError } from "../../errors/app-error.ts";
import { errorLine } from "../../errors/error-words.ts";
import type { Recording } from "../../settings/settings.ts";
import { fileErrorOf } from "../../sqlite/file-error.ts";
import { memoryFiles, openFile, openInMemory } from "../../sqlite/open-file.ts";
import type { Rows } from "../../sqlite/rows.ts";
import { startOfDay } from "../../text/dates.ts";
import { dayMs } from "../../text/durations.ts";
import type { WatchSubject } from "../../watch/timeline.ts";
import { Accounts } from "./accounts.ts";
import { agesOf } from "./ages.ts";
import { Comparison, relisted } from "./comparison.ts";
import { importFiguresOf } from "./import-figures.ts";
import {
  type Change,
  type ListComparison,
  type LoadRecorder,
  lostTooMany,
  notRecorded,
  type Observations,
  type PurgeSelection,
  type Recorded,
  type SharedHistory,
} from "./observations.ts";
import {
  addChecks,
  CheckBuffer,
  importTimes,
  type StoredCheck,
  timelineOf,
} from "./observed-states.ts";
import * as retention from "./retention.ts";
import { hasObservations, observationsKind } from "./schema.ts";
import * as store from "./store.ts";
import * as history from "./stored-history.ts";
import { damageIn, type Tables, tablesIn } from "./tables.ts";
import type { HistoryTeam, TeamHistory, Turn } from "./team-history.ts";

export interface PastList {
  readonly supplier: string;
  readonly at: number;
  readonly body: Uint8Array;
}

export type ObservationsPlace =
  | { readonly folder: string }
  | { readonly pastLists: () => Promise<readonly PastList[]> };

type ClockJudge = Pick<Service, "trustedNow" | "wrongByMs">;

interface CommonOptions {
  readonly origin: string;
  readonly clock: Clock;
  readonly judge?: ClockJudge | undefined;
  /** The team that shares the lists, or null. It is not used if recording is off. */
  readonly team?: HistoryTeam | null | undefined;
}

export interface OpenObservationsOptions extends CommonOptions {
  /** The state folder; null: in memory. */
  readonly folder: string | null;
  readonly recording: boolean;
}

interface LazyObservationsOptions extends CommonOptions {
  readonly place: ObservationsPlace;
  readonly recording: () => Promise<Recording>;
  readonly onRecorded?: (supplier: string, recorded: Recorded) => void;
}

/** Opens the observations at once. A file that cannot be opened is their problem. */
export async function openObservations(options: OpenObservationsOptions): Promise<Observations> {
  const { folder, recording } = options;
  const place = folder === null ? { pastLists: async () => [] } : { folder };
  const lazy = {
    ...options,
    place,
    recording: async () => ({ isRecording: recording, problem: null }),
  };
  const observations = new StoredObservations(lazy, true);
  await observations.opened();
  return observations;
}

export function lazyObservations(options: LazyObservationsOptions): Observations {
  return new StoredObservations(options, false);
}

interface Unstored {
  /** The newest stored observation that the lists in memory follow. */
  readonly seq: number | null;
  readonly isContinued: boolean;
  readonly hasHistory: boolean;
}

/** A list whose comparison has begun. `from` has its known accounts; the problem keeps it from the file. */
interface Begun {
  readonly from: Tables;
  readonly list: store.StoredList | null;
  readonly comparison: Comparison;
  readonly problem: unknown;
}

/** Returns the accounts of a list, in the transaction that has read it. */
function accountsIn(tables: Tables, rows: Rows, list: store.StoredList): Promise<Accounts> {
  return tables.accounts.of(list, () => store.readStoredList(rows, list));
}

/** The turn of a list that no team shares. */
const alone: Turn = { kind: "own" };

const noJudge: ClockJudge = { trustedNow: () => null, wrongByMs: () => 0 };
const firstIdInMemory = 1_000_000_000;

class StoredObservations implements Observations {
  readonly #options: LazyObservationsOptions;
  readonly #judge: ClockJudge;
  readonly #isEager: boolean;
  #opening: Promise<void> | null = null;
  #file: Tables | null = null;
  #memory: Tables | null = null;
  #unreadable: unknown = null;
  #problem: unknown = null;
  #recording: Recording = { isRecording: false, problem: null };
  #isClosed = false;
  readonly #running = new Set<Promise<unknown>>();
  readonly #unstored = new Map<string, Unstored>();
  readonly #life = new AbortController();
  readonly #checks: CheckBuffer;
  #team: TeamHistory | null = null;
  readonly #machines = new Map<string, number>();

  constructor(options: LazyObservationsOptions, isEager: boolean) {
    this.#options = options;
    this.#isEager = isEager;
    this.#judge = options.judge ?? noJudge;
    this.#checks = new CheckBuffer(options.clock, (checks) => this.#storeChecks(checks));
  }

  opened(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The observations are closed."));
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { place } = this.#options;
    this.#recording = await this.#options.recording();
    const { isRecording } = this.#recording;
    const isUsed =
      "folder" in place && (this.#isEager || isRecording || hasObservations(place.folder));
    try {
      const file = await (isUsed
        ? openFile(place.folder, observationsKind)
        : openInMemory(observationsKind));
      file.database.exec(`PRAGMA busy_timeout = 0; PRAGMA wal_autocheckpoint = 256;
        PRAGMA journal_size_limit = 1048576;`);
      if (file.mode === "wal") file.database.exec("PRAGMA synchronous = NORMAL");
      this.#file = tablesIn(file);
      await this.#openTeam();
    } catch (error) {
      const path = "folder" in place ? join(place.folder, observationsKind.file) : "memory";
      this.#unreadable = this.#problem = fileErrorOf(error, path, observationsKind) ?? error;
    }
    if ("folder" in place || !isRecording) return;
    for (const { supplier, at, body } of await place.pastLists().catch(() => [])) {
      const reader = new AccountRowReader();
      const batches = [reader.push(body), reader.end().batch];
      const load = this.#begin(supplier, at, Promise.resolve());
      for (const batch of batches) if (batch !== null) await load.take(batch);
      await load.finish();
    }
  }

  async #openTeam(): Promise<void> {
    const { team, place, origin, clock } = this.#options;
    if (!team || !("folder" in place) || !this.#recording.isRecording) return;
    const driver = await team.load().catch((error: unknown) => {
      team.onAway?.(error);
      return null;
    });
    if (driver === null) return;
    const { TeamHistory } = await import("./team-history.ts");
    this.#team = new TeamHistory(team, driver, {
      origin,
      clock,
      tables: () => this.#readable(),
      record: async (supplier, own, at) => {
        const begun = await this.#known(this.#readable(), supplier, null);
        const comparison = await runSliced(
          relisted(own, begun.comparison.accounts),
          this.#life.signal,
        );
        return this.#recordIn(begun.from, supplier, { ...begun, comparison }, at);
      },
    });
  }

  /** The tables in memory. Their IDs are apart from those of the file, whose rows are copied. */
  async #inMemory(): Promise<Tables> {
    if (this.#memory === null) {
      const open = await memoryFiles(observationsKind);
      const tables = tablesIn(open());
      this.#memory ??= tables;
      await this.#memory.commit((rows) =>
        rows.number("SELECT count(*) FROM sqlite_sequence WHERE name = 'list'") === 0
          ? rows.insert("sqlite_sequence", { name: "list", seq: firstIdInMemory })
          : 0,
      );
    }
    return this.#memory;
  }

  problem(): string | null {
    if (this.#recording.problem !== null) return this.#recording.problem;
    const problem = this.#problem;
    if (!this.#recording.isRecording || !(problem instanceof Error)) return null;
    return isAppError(problem) ? errorLine(problem, { doing: "recording" }) : problem.message;
  }

  #now(): number {
    return this.#options.clock.now() - this.#judge.wrongByMs();
  }

  #isOff(): boolean {
    return !this.#recording.isRecording || this.#problem !== null || this.#isClosed;
  }

  /**
   * True while nothing is stored and nothing was recorded: then no file is made by reading. With a team,
   * there can be something to read.
   */
  #isEmpty(): boolean {
    const { place, team } = this.#options;
    return !team && this.#opening === null && "folder" in place && !hasObservations(place.folder);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw this.#problem ?? new Error("The observations are closed.");
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  #readable(): Tables {
    if (this.#file === null) throw this.#unreadable ?? new Error("The observations are closed.");
    return this.#file;
  }

  #seqInFile(supplier: string): number | null {
    try {
      return (
        this.#readable().read((rows) => store.storedList(rows, this.#options.origin, supplier))
          ?.seq ?? null
      );
    } catch {
      return null;
    }
  }

  /** Returns the lists that were not stored, or null once another process has stored one. */
  async #unstoredOf(supplier: string): Promise<Unstored | null> {
    const known = this.#unstored.get(supplier) ?? null;
    if (known === null || known.seq === this.#seqInFile(supplier)) return known;
    this.#unstored.delete(supplier);
    const memory = await this.#inMemory();
    const { origin } = this.#options;
    await memory.commit((rows) =>
      rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", origin, supplier),
    );
    return null;
  }

  /** Reads a supplier's lists. With a team, observations since a time are read there first. */
  async #ask<T>(
    supplier: string,
    since: number,
    empty: T,
    work: (tables: Tables) => T | Promise<T>,
  ): Promise<T> {
    if (this.#isEmpty()) return empty;
    await this.opened();
    return this.#run(async () => {
      if (this.#team !== null) await this.#readTeam(this.#team, supplier, since);
      const unstored = await this.#unstoredOf(supplier);
      const tables = unstored?.hasHistory ? await this.#inMemory() : this.#readable();
      try {
        return await work(tables);
      } catch (error) {
        throw fileErrorOf(damageIn(error), this.#path(), observationsKind) ?? error;
      }
    });
  }

  async #readTeam(team: TeamHistory, supplier: string, since: number): Promise<void> {
    await team.beforeRead(supplier, since);
    const mark = this.#readable().read((rows) => team.markOf(rows, supplier));
    if (mark !== null) this.#machines.set(supplier, mark.machines);
  }

  machines(supplier: string): number | null {
    return this.#machines.get(supplier) ?? null;
  }

  shared(supplier: string): Promise<SharedHistory | null> {
    return this.#ask(supplier, this.#now(), null, ({ read }) =>
      read((rows) => this.#team?.factsOf(rows, supplier) ?? null),
    );
  }

  #path(): string {
    const { place } = this.#options;
    return "folder" in place ? join(place.folder, observationsKind.file) : "memory";
  }

  #read<T>(empty: T, work: (rows: Rows) => T): Promise<T> {
    if (this.#isEmpty()) return Promise.resolve(empty);
    return this.opened().then(() => this.#run(async () => this.#readable().read(work)));
  }

  async ages(supplier: string, signal = this.#life.signal) {
    signal.throwIfAborted();
    const { origin } = this.#options;
    const today = startOfDay(this.#now());
    return this.#ask(supplier, today, null, (tables) => {
      const list = tables.read((rows) => store.storedList(rows, origin, supplier));
      if (list === null) return null;
      const read = (stop: AbortSignal) => this.#readAges(tables, { supplier, list }, today, stop);
      return tables.ages.of(list, today, { read, signal });
    });
  }

  /** Reads the ages of a list, or of a later one. */
  async #readAges(
    tables: Tables,
    asked: { readonly supplier: string; readonly list: store.StoredList },
    today: number,
    stop: AbortSignal,
  ) {
    const { list, accounts, moves } = tables.read((rows) => {
      const { origin } = this.#options;
      const list = store.storedList(rows, origin, asked.supplier) ?? asked.list;
      const seq = history.seqBefore(rows, list.id, today);
      const moves =
        seq === null ? [] : history.movesAfter(rows, list.id, seq, Number.MIN_SAFE_INTEGER);
      return { list, moves, accounts: accountsIn(tables, rows, list) };
    });
    const known = await accounts;
    const newRows = await history.rowsNewSince(moves, known);
    const signal = AbortSignal.any([stop, this.#life.signal]);
    return agesOf(known, list, newRows, signal);
  }

  changes(supplier: string, since: number | null): Promise<readonly Change[]> {
    return Array.fromAsync(this.changePages(supplier, since)).then((pages) => pages.flat());
  }

  async *changePages(supplier: string, since: number | null) {
    const { origin } = this.#options;
    const from = since ?? Number.MIN_SAFE_INTEGER;
    const found = await this.#ask(supplier, from, null, async (tables) => {
      const found = tables.read((rows) => {
        const list = store.storedList(rows, origin, supplier);
        if (list === null) return null;
        const moves = history.movesAfter(rows, list.id, 0, from);
        return { moves, accounts: accountsIn(tables, rows, list) };
      });
      return found && { moves: found.moves, accounts: await found.accounts };
    });
    if (found === null) return;
    let page: Change[] = [];
    for await (const change of history.changesIn(found.moves, found.accounts)) {
      page.push(change);
      if (page.length < 20_000) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  counts(supplier: string, since: number | null) {
    const { origin } = this.#options;
    return this.#ask(supplier, since ?? Number.MIN_SAFE_INTEGER, [], ({ read }) =>
      read((rows) => history.countsOf(rows, origin, supplier, since)),
    );
  }

  summary(supplier: string, now: number) {
    const { origin } = this.#options;
    return this.#ask(supplier, now - dayMs, null, ({ read }) =>
      read((rows) => history.summaryOf(rows, origin, supplier, now)),
    );
  }

  stored() {
    return this.#read([], history.allStored);
  }

  async purge(what: PurgeSelection): Promise<number> {
    if (this.#isEmpty()) return 0;
    await this.opened();
    return this.#run(async () => {
      const tables = this.#readable();
      const deleted = await tables.commit((rows) =>
        retention.purge(rows, this.#options.origin, what),
      );
      tables.compact();
      return deleted;
    });
  }

  confirm(supplier: string): Promise<boolean> {
    const { origin } = this.#options;
    return this.#ask(supplier, this.#now(), false, async ({ read, commit }) => {
      const team = this.#team;
      const isShared = team !== null && read((rows) => team.markOf(rows, supplier)?.held) != null;
      return isShared
        ? team.confirm(supplier)
        : commit((rows) => store.confirmHeld(rows, origin, supplier));
    });
  }

  saw = (subject: WatchSubject, state: string, at: number): void => {
    this.opened().then(
      () => {
        if (!this.#isOff()) this.#checks.add({ subject, state, at });
      },
      () => {},
    );
  };

  async timeline(subject: WatchSubject) {
    if (this.#opening !== null) await this.#opening;
    await this.#checks.store();
    return this.#read([], (rows) => timelineOf(rows, this.#options.origin, subject));
  }

  importTimes(supplier: string) {
    return this.#read([], (rows) => importTimes(rows, this.#options.origin, supplier));
  }

  importFigures(supplier: string) {
    const { origin } = this.#options;
    return this.#ask(supplier, this.#now() - dayMs, null, async (tables) => {
      const found = tables.read((rows) => {
        const list = store.storedList(rows, origin, supplier);
        if (list === null) return null;
        const moves = history.importMoves(rows, list.id);
        return { list, moves, accounts: accountsIn(tables, rows, list) };
      });
      return found && importFiguresOf(await found.accounts, found.list, found.moves);
    });
  }

  async #storeChecks(checks: readonly StoredCheck[]): Promise<void> {
    if (this.#isOff()) return;
    try {
      await this.#run(async () => {
        const { commit } = this.#readable();
        await commit((rows) => addChecks(rows, this.#options.origin, checks));
      });
    } catch (error) {
      this.#problem ??= error;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#opening?.catch(() => {});
    await this.#checks.close();
    await this.#team?.close();
    this.#isClosed = true;
    this.#life.abort();
    await Promise.allSettled(this.#running);
    this.#file?.close();
    this.#memory?.close();
  }

  begin(supplier: string, startedAt: number): LoadRecorder {
    return this.#begin(supplier, startedAt, this.opened());
  }

  #begin(supplier: string, startedAt: number, opened: Promise<void>): LoadRecorder {
    let begun: Begun | null = null;
    let isOpen = !this.#isClosed;
    let finished: Promise<Recorded> | null = null;
    const beginning = opened
      .then(() => this.#run(() => this.#beginning(supplier)))
      .then((known) => {
        begun = known;
      });
    let taken = beginning.catch(() => {});
    const finish = async (): Promise<Recorded> => {
      isOpen = false;
      try {
        await Promise.all([beginning, taken]);
        const known = begun;
        begun = null;
        if (known === null) throw new Error("The load was discarded.");
        return await this.#run(() =>
          this.#record(supplier, known, startedAt - this.#judge.wrongByMs()),
        );
      } catch (error) {
        if (this.#opening !== null) this.#problem ??= error;
        return notRecorded(this.problem() ?? (error instanceof Error ? error.message : null));
      }
    };
    return {
      take: (rows) => {
        taken = taken.then(async () => {
          if (begun !== null) await runSliced(begun.comparison.take(rows));
        });
        return taken.catch(() => {});
      },
      finish: () => {
        if (!isOpen && finished === null) return Promise.resolve(notRecorded(this.problem()));
        finished ??= finish().then((recorded) => {
          this.#options.onRecorded?.(supplier, recorded);
          return recorded;
        });
        return finished;
      },
      discard: () => {
        if (finished !== null) return;
        isOpen = false;
        begun = null;
      },
    };
  }

  async #beginning(supplier: string): Promise<Begun> {
    this.#team?.begin(supplier);
    const unstored = await this.#unstoredOf(supplier);
    if (unstored !== null)
      return this.#known(
        await this.#inMemory(),
        supplier,
        new Error("Earlier lists are not stored either."),
      );
    try {
      return await this.#known(this.#readable(), supplier, null);
    } catch (error) {
      return this.#known(
        await this.#inMemory(),
        supplier,
        fileErrorOf(damageIn(error), this.#path(), observationsKind) ?? error,
      );
    }
  }

  async #known(from: Tables, supplier: string, problem: unknown): Promise<Begun> {
    return { from, problem, ...(await this.#comparison(from, supplier)) };
  }

  /** Begins the comparison with the stored accounts of a supplier, or with none. */
  async #comparison(tables: Tables, supplier: string) {
    const { list, accounts } = tables.read((rows) => {
      const list = store.storedList(rows, this.#options.origin, supplier);
      if (list === null) return { list, accounts: null };
      return { list, accounts: tables.accounts.take(list, () => store.readStoredList(rows, list)) };
    });
    return { list, comparison: new Comparison((await accounts) ?? new Accounts()) };
  }

  async #record(supplier: string, begun: Begun, at: number): Promise<Recorded> {
    if (!this.#isOff()) {
      try {
        if (begun.problem !== null) throw begun.problem;
        await this.#team?.ready(supplier);
        const recorded = await this.#recordIn(begun.from, supplier, begun, at);
        await this.#expire();
        return recorded;
      } catch (error) {
        this.#problem ??= error;
      }
    }
    const memory = await this.#inMemory();
    const { origin } = this.#options;
    const known = this.#unstored.get(supplier);
    const seq = this.#seqInFile(supplier);
    const isContinued =
      known?.isContinued ??
      (begun.problem === null &&
        (await memory.commit((to) =>
          this.#readable().read((from) => store.copyList(from, to, origin, supplier)),
        )));
    const comparison = await this.#recordIn(memory, supplier, begun, at);
    const hasHistory = isContinued || known !== undefined;
    this.#unstored.set(supplier, { seq: known ? known.seq : seq, isContinued, hasHistory });
    const storedAt = isContinued
      ? (this.#readable().read((rows) => store.storedList(rows, origin, supplier))?.lastAt ?? null)
      : null;
    return { ...notRecorded(this.problem()), comparison, storedAt };
  }

  /** Records a list, again with what another process has recorded in the meantime. */
  async #recordIn(
    tables: Tables,
    supplier: string,
    begun: Begun,
    at: number,
  ): Promise<ListComparison> {
    const { origin } = this.#options;
    let { list, comparison } = begun;
    for (;;) {
      // Another machine's list can be later than the time at which this loop began.
      const now = this.#now();
      if (at > now || (list !== null && list.lastAt > at && list.lastAt <= now))
        return { kind: "late" };
      const difference = await runSliced(comparison.difference(at, list?.lastAt ?? null));
      const { accounts } = comparison;
      const next = await store.packedObservation(difference, accounts.rows, at);
      const { before, now: listed, lost } = difference;
      const isHeldBack = list !== null && lostTooMany({ before, listed, lost });
      const isDue = !isHeldBack && tables.read((rows) => store.isSnapshotDue(rows, list, next));
      const snapshot = isDue ? await store.packedSnapshot(accounts) : null;
      const team = tables === this.#file ? this.#team : null;
      const turn = (await team?.offer(supplier, list, next, isHeldBack)) ?? alone;
      const recorded = await tables.commit((rows) => {
        if (turn.kind === "behind") return null;
        const current = store.storedList(rows, origin, supplier);
        const isSame =
          current === null || list === null
            ? current === list
            : store.nameOf(current) === store.nameOf(list);
        if (!isSame) return null;
        if (isHeldBack && list !== null) store.holdBack(rows, list, next);
        else store.addObservation(rows, { origin, supplier }, next, snapshot);
        if (turn.kind === "shared") turn.mark(rows);
        return store.storedList(rows, origin, supplier);
      });
      if (recorded !== null) {
        team?.publish(supplier, turn, snapshot, next.rows);
        if (isHeldBack) return { kind: "held-back", before, now: listed };
        tables.accounts.keep(recorded, accounts);
        const changes = difference.tally.reduce((sum, count) => sum + count, 0);
        return { kind: "recorded", first: list === null, changes };
      }
      const later = await this.#comparison(tables, supplier);
      if (later.list === null && list !== null) return { kind: "late" };
      comparison = await runSliced(comparison.again(later.comparison.accounts));
      list = later.list;
    }
  }

  async #expire(): Promise<void> {
    const tables = this.#readable();
    const lists = await tables.commit((rows) => retention.expire(rows, this.#judge.trustedNow()));
    for (const list of lists) {
      if (list.isShared && list.origin === this.#options.origin)
        await this.#team?.forget(list.supplier, list.departedBefore);
      if (list.needsSnapshot) await this.#forget(tables, list);
      await tables.commit((rows) => retention.thin(rows, list));
    }
  }

  async #forget(
    tables: Tables,
    { id, origin, supplier, departedBefore, isShared }: retention.ExpiringList,
  ): Promise<void> {
    const stored = tables.read((rows) => {
      const list = store.storedList(rows, origin, supplier);
      return list && { name: store.nameOf(list), parts: store.readStoredList(rows, list) };
    });
    if (stored === null) return;
    const accounts = await store.accountsOf(stored.parts);
    const forgotten = isShared ? 0 : await runSliced(accounts.forget(departedBefore));
    const snapshot = await store.packedSnapshot(accounts);
    await tables.commit((rows) => {
      const list = store.storedList(rows, origin, supplier);
      if (list !== null && store.nameOf(list) === stored.name)
        store.putForgotten(rows, id, { snapshot, forgotten });
    });
  }
}
