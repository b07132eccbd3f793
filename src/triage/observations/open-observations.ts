/** Opens the observations: each complete list is recorded, and read for ages and changes. */
import type { Rows } from "../../sqlite/rows.ts";
import { startOfDay } from "../../text/dates.ts";
import { dayMs } from "../../text/durations.ts";
import type { WatchSubject } from "../../watch/timeline.ts";
import type { Accounts } from "./accounts.ts";
import { agesOf } from "./ages.ts";
import { importFiguresOf } from "./import-figures.ts";
import { ListRecorder } from "./list-recorder.ts";
import {
  type CommonOptions,
  type LazyObservationsOptions,
  ObservationFiles,
} from "./observation-files.ts";
import type { Change, Observations, PurgeSelection, SharedHistory } from "./observations.ts";
import {
  addChecks,
  CheckBuffer,
  importTimes,
  type StoredCheck,
  timelineOf,
} from "./observed-states.ts";
import * as retention from "./retention.ts";
import * as store from "./store.ts";
import * as history from "./stored-history.ts";
import type { Tables } from "./tables.ts";
import type { TeamHistory } from "./team-history.ts";

export interface OpenObservationsOptions extends CommonOptions {
  /** The state folder; null: in memory. */
  readonly folder: string | null;
  readonly recording: boolean;
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

function accountsIn(tables: Tables, rows: Rows, list: store.StoredList): Promise<Accounts> {
  return tables.accounts.of(list, () => store.readStoredList(rows, list));
}

class StoredObservations implements Observations {
  readonly #files: ObservationFiles;
  readonly #recorder: ListRecorder;
  readonly #checks: CheckBuffer;
  readonly #machines = new Map<string, number>();

  constructor(options: LazyObservationsOptions, isEager: boolean) {
    this.#files = new ObservationFiles(options, isEager, {
      ofTeam: (supplier, own, at) => this.#recorder.ofTeam(supplier, own, at),
      past: (list) => this.#recorder.past(list),
    });
    this.#recorder = new ListRecorder(this.#files);
    this.#checks = new CheckBuffer(options.clock, (checks) => this.#storeChecks(checks));
  }

  opened(): Promise<void> {
    return this.#files.opened();
  }

  problem(): string | null {
    return this.#files.problem();
  }

  begin(supplier: string, startedAt: number) {
    return this.#recorder.begin(supplier, startedAt);
  }

  /** Reads a supplier's lists. With a team, observations since a time are read there first. */
  async #ask<T>(
    supplier: string,
    since: number,
    empty: T,
    work: (tables: Tables) => T | Promise<T>,
  ): Promise<T> {
    if (this.#files.isEmpty()) return empty;
    await this.#files.opened();
    return this.#files.run(async () => {
      if (this.#files.team !== null) await this.#readTeam(this.#files.team, supplier, since);
      const unstored = await this.#files.unstoredOf(supplier);
      const tables = unstored?.hasHistory ? await this.#files.inMemory() : this.#files.readable();
      try {
        return await work(tables);
      } catch (error) {
        throw this.#files.asFileError(error);
      }
    });
  }

  async #readTeam(team: TeamHistory, supplier: string, since: number): Promise<void> {
    await team.beforeRead(supplier, since);
    const mark = this.#files.readable().read((rows) => team.markOf(rows, supplier));
    if (mark !== null) this.#machines.set(supplier, mark.machines);
  }

  machines(supplier: string): number | null {
    return this.#machines.get(supplier) ?? null;
  }

  shared(supplier: string): Promise<SharedHistory | null> {
    return this.#ask(supplier, this.#files.now(), null, ({ read }) =>
      read((rows) => this.#files.team?.factsOf(rows, supplier) ?? null),
    );
  }

  #read<T>(empty: T, work: (rows: Rows) => T): Promise<T> {
    if (this.#files.isEmpty()) return Promise.resolve(empty);
    return this.#files
      .opened()
      .then(() => this.#files.run(async () => this.#files.readable().read(work)));
  }

  async ages(supplier: string, signal = this.#files.life.signal) {
    signal.throwIfAborted();
    const { origin } = this.#files.options;
    const today = startOfDay(this.#files.now());
    return this.#ask(supplier, today, null, (tables) => {
      const list = tables.read((rows) => store.storedList(rows, origin, supplier));
      if (list === null) return null;
      const read = (stop: AbortSignal) => this.#readAges(tables, { supplier, list }, today, stop);
      return tables.ages.of(list, today, { read, signal });
    });
  }

  async #readAges(
    tables: Tables,
    asked: { readonly supplier: string; readonly list: store.StoredList },
    today: number,
    stop: AbortSignal,
  ) {
    const { list, accounts, moves } = tables.read((rows) => {
      const { origin } = this.#files.options;
      const list = store.storedList(rows, origin, asked.supplier) ?? asked.list;
      const seq = history.seqBefore(rows, list.id, today);
      const moves =
        seq === null ? [] : history.movesAfter(rows, list.id, seq, Number.MIN_SAFE_INTEGER);
      return { list, moves, accounts: accountsIn(tables, rows, list) };
    });
    const known = await accounts;
    const newRows = await history.rowsNewSince(moves, known);
    const signal = AbortSignal.any([stop, this.#files.life.signal]);
    return agesOf(known, list, newRows, signal);
  }

  changes(supplier: string, since: number | null): Promise<readonly Change[]> {
    return Array.fromAsync(this.changePages(supplier, since)).then((pages) => pages.flat());
  }

  async *changePages(supplier: string, since: number | null) {
    const { origin } = this.#files.options;
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
    const { origin } = this.#files.options;
    return this.#ask(supplier, since ?? Number.MIN_SAFE_INTEGER, [], ({ read }) =>
      read((rows) => history.countsOf(rows, origin, supplier, since)),
    );
  }

  summary(supplier: string, now: number) {
    const { origin } = this.#files.options;
    return this.#ask(supplier, now - dayMs, null, ({ read }) =>
      read((rows) => history.summaryOf(rows, origin, supplier, now)),
    );
  }

  stored() {
    return this.#read([], history.allStored);
  }

  async purge(what: PurgeSelection): Promise<number> {
    if (this.#files.isEmpty()) return 0;
    await this.#files.opened();
    return this.#files.run(async () => {
      const tables = this.#files.readable();
      const deleted = await tables.commit((rows) =>
        retention.purge(rows, this.#files.options.origin, what),
      );
      tables.compact();
      return deleted;
    });
  }

  confirm(supplier: string): Promise<boolean> {
    const { origin } = this.#files.options;
    return this.#ask(supplier, this.#files.now(), false, async ({ read, commit }) => {
      const team = this.#files.team;
      const isShared = team !== null && read((rows) => team.markOf(rows, supplier)?.held) != null;
      return isShared
        ? team.confirm(supplier)
        : commit((rows) => store.confirmHeld(rows, origin, supplier));
    });
  }

  saw = (subject: WatchSubject, state: string, at: number): void => {
    this.#files.opened().then(
      () => {
        if (!this.#files.isOff()) this.#checks.add({ subject, state, at });
      },
      () => {},
    );
  };

  async timeline(subject: WatchSubject) {
    await this.#files.opening;
    await this.#checks.store();
    return this.#read([], (rows) => timelineOf(rows, this.#files.options.origin, subject));
  }

  importTimes(supplier: string) {
    return this.#read([], (rows) => importTimes(rows, this.#files.options.origin, supplier));
  }

  importFigures(supplier: string) {
    const { origin } = this.#files.options;
    return this.#ask(supplier, this.#files.now() - dayMs, null, async (tables) => {
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
    if (this.#files.isOff()) return;
    try {
      await this.#files.run(async () => {
        const { commit } = this.#files.readable();
        await commit((rows) => addChecks(rows, this.#files.options.origin, checks));
      });
    } catch (error) {
      this.#files.failed(error);
    }
  }

  async close(): Promise<void> {
    if (this.#files.isClosed) return;
    await this.#files.opening?.catch(() => {});
    await this.#checks.close();
    await this.#files.team?.close();
    await this.#files.close();
  }
}
