/** Opens the observations of a service, records its lists and reads the history. */
import type { Clock } from "../../api/clock.ts";
import type { Service } from "../../api/service.ts";
import { isAppError } from "../../errors/app-error.ts";
import { errorLine } from "../../errors/error-words.ts";
import { startOfDay } from "../../text/dates.ts";
import type { Transition, WatchSubject } from "../../watch/timeline.ts";
import { agesIn } from "./ages.ts";
import type { EngineCall } from "./engine.ts";
import { EngineThreads, fewRows } from "./engine-threads.ts";
import {
  type Ages,
  type Change,
  type ListRows,
  type LoadRecorder,
  notRecorded,
  type Observations,
  type ObservedCounts,
  type ObservedSummary,
  type PurgeSelection,
  type Recorded,
  type StoredObservations,
} from "./observations.ts";
import { CheckBuffer, type StoredCheck } from "./observed-states.ts";
import type { ChangesEnd, ChangesPage } from "./read-stored.ts";
import type { Observed } from "./record-list.ts";
import { copyOf, RowBuffer, Traffic } from "./row-buffer.ts";

/** The place of the observations, the service, and the clocks. */
export interface OpenObservationsOptions {
  /** The state folder, or null to store the observations in memory, as for an embedded sandbox. */
  readonly folder: string | null;
  /** The base URL of the service. */
  readonly origin: string;
  readonly clock: Clock;
  /**
   * The clock of the service, with which the local clock is checked. Default: none, and no data
   * expires. While the local clock is wrong, lists are stored with the service's time, because
   * otherwise the ages of accounts would be wrong by the same amount.
   */
  readonly judge?: ClockJudge;
  /** False if the user has switched recording off. Stored data can still be read. */
  readonly recording: boolean;
}

/** The functions of the service that check the local clock. See `Service`. */
export type ClockJudge = Pick<Service, "trustedNow" | "wrongByMs">;

/**
 * Opens the observations of one service. If the file of the folder cannot be used, {@link
 * Observations.problem} returns the reason, and lists are compared in memory.
 */
export async function openObservations(options: OpenObservationsOptions): Promise<Observations> {
  try {
    return new OpenedObservations(options, await EngineThreads.open(options.folder), null);
  } catch (error) {
    return new OpenedObservations(options, await EngineThreads.open(null), error);
  }
}

/** Number of changes on a page. One observation can have a million changes. */
const changesPerPage = 20_000;

const noJudge: ClockJudge = { trustedNow: () => null, wrongByMs: () => 0 };

class OpenedObservations implements Observations {
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #isRecording: boolean;
  readonly #judge: ClockJudge;
  readonly #engines: EngineThreads;
  /** The reason why the file cannot be read, or null if the file can be read. */
  readonly #unreadable: unknown;
  /** The reason why nothing more is stored, or null if lists are stored. */
  #problem: unknown;
  #isClosed = false;
  #loads = 0;
  readonly #checks: CheckBuffer;
  /** Recordings and readings in progress. */
  readonly #running = new Set<Promise<unknown>>();
  /** The suppliers whose lists are not stored, with the engine that has the lists in memory. */
  readonly #unstored = new Map<
    string,
    { readonly ask: EngineCall; readonly hasHistory: boolean }
  >();

  constructor(options: OpenObservationsOptions, engines: EngineThreads, unreadable: unknown) {
    this.#origin = options.origin;
    this.#clock = options.clock;
    this.#isRecording = options.recording;
    this.#engines = engines;
    this.#unreadable = unreadable;
    this.#problem = unreadable;
    this.#judge = options.judge ?? noJudge;
    this.#checks = new CheckBuffer(options.clock, (checks) => this.#storeChecks(checks));
  }

  problem(): string | null {
    const problem = this.#problem;
    if (!this.#isRecording || !(problem instanceof Error)) return null;
    return isAppError(problem) ? errorLine(problem, { doing: "recording" }) : problem.message;
  }

  async ages(supplier: string, signal?: AbortSignal): Promise<Ages | null> {
    signal?.throwIfAborted();
    const today = startOfDay(this.#now());
    const columns = await this.#sized(supplier, (ask) =>
      ask("ages", this.#origin, supplier, today),
    );
    signal?.throwIfAborted();
    return columns === null ? null : agesIn(columns);
  }

  async changes(supplier: string, since: number | null): Promise<readonly Change[]> {
    return (await Array.fromAsync(this.changePages(supplier, since))).flat();
  }

  async *changePages(
    supplier: string,
    since: number | null,
  ): AsyncGenerator<readonly Change[], void, void> {
    const key = { origin: this.#origin, supplier, since };
    let after: ChangesEnd | null = null;
    do {
      const page: ChangesPage = await this.#sized(supplier, (ask) =>
        ask("changes", key, after, changesPerPage),
      );
      yield page.changes;
      after = page.next;
    } while (after !== null);
  }

  counts(supplier: string, since: number | null): Promise<readonly ObservedCounts[]> {
    return this.#sized(supplier, (ask) => ask("counts", this.#origin, supplier, since));
  }

  summary(supplier: string, now: number): Promise<ObservedSummary | null> {
    return this.#sized(supplier, (ask) => ask("summary", this.#origin, supplier, now));
  }

  stored(): Promise<readonly StoredObservations[]> {
    return this.#read((engines) => engines.quick((ask) => ask("stored")));
  }

  purge(what: PurgeSelection): Promise<number> {
    // Deleting rewrites the whole file, so the worker does it.
    return this.#read((engines) => engines.worker()("purge", this.#origin, what));
  }

  confirm(supplier: string): Promise<boolean> {
    return this.#sized(supplier, (ask) =>
      ask("confirm", this.#origin, supplier, this.#now(), this.#judge.trustedNow()),
    );
  }

  saw(subject: WatchSubject, state: string, at: number): void {
    if (!this.#isOff()) this.#checks.add({ subject, state, at });
  }

  async timeline(subject: WatchSubject): Promise<readonly Transition[]> {
    await this.#checks.store();
    return this.#read((engines) => engines.quick((ask) => ask("timeline", this.#origin, subject)));
  }

  importTimes(supplier: string): Promise<readonly number[]> {
    return this.#read((engines) =>
      engines.quick((ask) => ask("importTimes", this.#origin, supplier)),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#checks.close();
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    await this.#engines.close().catch(() => {});
  }

  /** Returns the service's time. */
  #now(): number {
    return this.#clock.now() - this.#judge.wrongByMs();
  }

  /** Returns true if nothing is stored any more. */
  #isOff(): boolean {
    return !this.#isRecording || this.#problem !== null || this.#isClosed;
  }

  /**
   * Runs work on one supplier's list in the engine that has the newest list, in this thread if the
   * list is small.
   */
  #sized<T>(supplier: string, work: (ask: EngineCall) => Promise<T>): Promise<T> {
    const unstored = this.#unstored.get(supplier);
    if (unstored?.hasHistory) return this.#run(() => work(unstored.ask));
    return this.#read((engines) => engines.sized(this.#origin, supplier, 0, work));
  }

  /** Runs work that reads stored data. */
  #read<T>(work: (engines: EngineThreads) => Promise<T>): Promise<T> {
    return this.#unreadable === null ? this.#run(work) : Promise.reject(this.#unreadable);
  }

  async #run<T>(work: (engines: EngineThreads) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw this.#problem ?? new Error("The observations are closed.");
    const running = work(this.#engines);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  begin(supplier: string, startedAt: number): LoadRecorder {
    const origin = this.#origin;
    this.#loads += 1;
    const load = this.#loads;
    const buffer = new RowBuffer();
    let isOpen = !this.#isClosed;
    const isUnstored = this.#isOff();
    const unstored = this.#unstored.get(supplier)?.ask ?? null;
    const large = (engines: EngineThreads) => unstored ?? engines.worker({ isUnstored });
    /**
     * The last request of the load to an engine, or null before the first. An engine handles the
     * requests of a load in order.
     */
    let sent: Promise<unknown> | null = null;
    const inWorker = (work: (ask: EngineCall) => Promise<unknown>): Promise<void> => {
      const done = this.#run(async (engines) => {
        await work(large(engines));
      });
      sent = done;
      return done.catch((error: unknown) => {
        this.#problem ??= error;
      });
    };
    const traffic = new Traffic();
    const send = (rows: ListRows) => {
      const taken = inWorker(async (ask) => {
        buffer.reuse(await ask("take", load, origin, supplier, rows));
      });
      traffic.add(taken);
    };
    // A large stored list is read from the disk while the request for the new list is in progress.
    if (isOpen && unstored === null) {
      this.#read(async ({ here }) => here("rows", origin, supplier)).then(
        (rows) => {
          if (rows > fewRows && isOpen && sent === null)
            void inWorker((ask) => ask("prepare", load, origin, supplier));
        },
        () => {},
      );
    }
    const finish = async (engines: EngineThreads): Promise<Recorded> => {
      const rows = buffer.takeRows();
      const at = startedAt - this.#judge.wrongByMs();
      const trusted = this.#judge.trustedNow();
      const observed = { origin, supplier, at, now: this.#now(), trusted };
      if (sent !== null) {
        if (rows !== null) send(rows);
        await sent;
        return this.#record(large(engines), load, observed);
      }
      const small = async (ask: EngineCall) => {
        if (rows !== null) await ask("take", load, origin, supplier, copyOf(rows));
        return this.#record(ask, load, observed);
      };
      if (unstored !== null) return small(unstored);
      return engines.sized(origin, supplier, rows?.count ?? 0, small);
    };
    return {
      take: (batch) => {
        const rows = isOpen ? buffer.add(batch) : null;
        if (rows !== null) send(rows);
        return traffic.room();
      },
      finish: async () => {
        if (!isOpen) return notRecorded(this.problem());
        isOpen = false;
        try {
          return await this.#run(finish);
        } catch (error) {
          this.#problem ??= error;
          return notRecorded(this.problem());
        }
      },
      discard: () => {
        if (isOpen && sent !== null) {
          this.#run((engines) => large(engines)("discard", load)).catch(() => {});
        }
        isOpen = false;
      },
    };
  }

  /**
   * Stores a list that an engine has compared. If that fails or is not allowed, the list remains in
   * the memory of the engine.
   */
  async #record(ask: EngineCall, load: number, observed: Observed): Promise<Recorded> {
    if (!this.#isOff()) {
      try {
        return await ask("finish", load, observed);
      } catch (error) {
        if (this.#engines.canRetryInWorker(error, ask)) throw error;
        this.#problem ??= error;
      }
    }
    const { comparison, storedAt, hasHistory } = await ask("recordUnstored", load, observed);
    this.#unstored.set(observed.supplier, { ask, hasHistory });
    return { ...notRecorded(this.problem()), comparison, storedAt };
  }

  /**
   * Stores observed states. A failure stops recording and becomes the problem of the observations.
   */
  async #storeChecks(checks: readonly StoredCheck[]): Promise<void> {
    if (this.#isOff()) return;
    const trusted = this.#judge.trustedNow();
    try {
      await this.#run((engines) =>
        engines.quick((ask) => ask("addChecks", this.#origin, checks, trusted)),
      );
    } catch (error) {
      this.#problem ??= error;
    }
  }
}
