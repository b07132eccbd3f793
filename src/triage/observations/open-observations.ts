import type { Clock } from "../../api/clock.ts";
import { FileError } from "../../sqlite/file-error.ts";
import { keyOf } from "../../watch/subject.ts";
import { agesIn } from "./ages.ts";
import type { Ask } from "./engine.ts";
import { Engines, fewRows } from "./engines.ts";
import type { Change, ListRows, LoadRecorder, Observations, Recorded } from "./observations.ts";
import type { ChangesEnd, ChangesPage } from "./read-stored.ts";
import { RowBuffer } from "./row-buffer.ts";
import type { Sighted } from "./sighted.ts";

export interface OpenObservationsOptions {
  /** The state folder; null for observations in memory, those of an embedded sandbox. */
  readonly folder: string | null;
  /** The base URL of the service. */
  readonly origin: string;
  readonly clock: Clock;
  /** See `Service.trustedNow`; without it nothing is too old. */
  readonly trustedNow?: () => number | null;
  /** False where the user has switched recording off; what is stored can still be read. */
  readonly recording: boolean;
}

/** Opens the observations of one service. Never rejects: {@link Observations.problem} says why not. */
export async function openObservations(options: OpenObservationsOptions): Promise<Observations> {
  try {
    return new OpenedObservations(options, await Engines.open(options.folder), null).seam();
  } catch (error) {
    return new OpenedObservations(options, null, error).seam();
  }
}

/** Changes that are read at a time: an observation may have a million of them. */
const changesTogether = 20_000;

/** States that were seen again are stored together, this long after the first of them, in milliseconds. */
const seenAgainMs = 10_000;
/** Subjects whose latest state is remembered at the most; one that is not counts as news. */
const mostRemembered = 10_000;

const noTime = () => null;

class OpenedObservations {
  readonly #options: OpenObservationsOptions;
  readonly #engines: Engines | null;
  #problem: unknown;
  #isClosed = false;
  #loads = 0;
  #sighted: Sighted[] = [];
  /** The latest state that was seen of each subject, by key. */
  readonly #states = new Map<string, string>();
  readonly #life = new AbortController();
  /** What is being recorded or read. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: OpenObservationsOptions, engines: Engines | null, problem: unknown) {
    this.#options = options;
    this.#engines = engines;
    this.#problem = problem;
  }

  seam(): Observations {
    const { origin, clock, trustedNow = noTime } = this.#options;
    /** Work with one supplier's list, in this thread where the list is small. */
    const sized = <T>(supplier: string, work: (ask: Ask) => Promise<T>) =>
      this.#run((engines) => engines.sized(origin, supplier, 0, work));
    return {
      problem: () => this.#why(),
      begin: (supplier, startedAt) => this.#begin(supplier, startedAt),
      ages: async (supplier, signal) => {
        signal?.throwIfAborted();
        const today = new Date(clock.now()).setHours(0, 0, 0, 0);
        const columns = await sized(supplier, (ask) => ask("ages", origin, supplier, today));
        signal?.throwIfAborted();
        return columns === null ? null : agesIn(columns);
      },
      changes: async (supplier, since) =>
        (await Array.fromAsync(this.#changePages(supplier, since))).flat(),
      changePages: (supplier, since) => this.#changePages(supplier, since),
      counts: (supplier, since) => sized(supplier, (ask) => ask("counts", origin, supplier, since)),
      summary: (supplier, now) => sized(supplier, (ask) => ask("summary", origin, supplier, now)),
      stored: () => this.#run((engines) => engines.quick((ask) => ask("stored"))),
      // The file is written from the start.
      purge: (what) => this.#run((engines) => engines.worker()("purge", origin, what)),
      confirm: (supplier) =>
        sized(supplier, (ask) => ask("confirm", origin, supplier, clock.now(), trustedNow())),
      saw: (subject, state, at) => this.#saw({ subject, state, at }),
      timeline: async (subject) => {
        await this.#storeSighted();
        return this.#run((engines) => engines.quick((ask) => ask("timeline", origin, subject)));
      },
      importTimes: (supplier) =>
        this.#run((engines) => engines.quick((ask) => ask("importTimes", origin, supplier))),
      close: () => this.#close(),
    };
  }

  async *#changePages(
    supplier: string,
    since: number | null,
  ): AsyncGenerator<readonly Change[], void, void> {
    const { origin } = this.#options;
    const key = { origin, supplier, since };
    let after: ChangesEnd | null = null;
    do {
      const page: ChangesPage = await this.#run((engines) =>
        engines.sized(origin, supplier, 0, (ask) => ask("changes", key, after, changesTogether)),
      );
      yield page.changes;
      after = page.next;
    } while (after !== null);
  }

  #isOff(): boolean {
    return !this.#options.recording || this.#problem !== null || this.#isClosed;
  }

  #why(): string | null {
    const { recording } = this.#options;
    const problem = this.#problem;
    if (!recording || !(problem instanceof Error)) return null;
    const remedy = problem instanceof FileError ? problem.remedy : null;
    return remedy === null ? problem.message : `${problem.message} To go on: ${remedy}`;
  }

  async #run<T>(work: (engines: Engines) => Promise<T>): Promise<T> {
    if (this.#engines === null || this.#isClosed) {
      throw this.#problem ?? new Error("The observations are closed.");
    }
    const running = work(this.#engines);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  #begin(supplier: string, startedAt: number): LoadRecorder {
    const { origin, clock, trustedNow = noTime } = this.#options;
    this.#loads += 1;
    const load = this.#loads;
    const buffer = new RowBuffer();
    let isOpen = !this.#isOff();
    /** Set when the worker has the load: what it is asked is done in its order. */
    let sent: Promise<unknown> | null = null;
    const inWorker = (work: (ask: Ask) => Promise<unknown>): Promise<void> => {
      const done = this.#run(async (engines) => {
        await work(engines.worker());
      });
      sent = done;
      return done.catch((error: unknown) => {
        this.#problem ??= error;
      });
    };
    const traffic = new Traffic();
    const send = (rows: ListRows) => {
      const taken = inWorker(async (ask) => {
        buffer.giveBack(await ask("take", load, origin, supplier, rows));
      });
      traffic.add(taken);
    };
    // A large list is read from the disk while the service is still asked for the new one.
    if (isOpen) {
      this.#run(async ({ here }) => here("rows", origin, supplier)).then(
        (rows) => {
          if (rows > fewRows && isOpen && sent === null)
            void inWorker((ask) => ask("prepare", load, origin, supplier));
        },
        () => {},
      );
    }
    const finish = async (engines: Engines): Promise<Recorded> => {
      const rows = buffer.taken();
      const observed = { origin, supplier, at: startedAt, now: clock.now(), trusted: trustedNow() };
      if (sent !== null) {
        if (rows !== null) send(rows);
        await sent;
        return engines.worker()("finish", load, observed);
      }
      return engines.sized(origin, supplier, rows?.count ?? 0, async (ask) => {
        if (rows !== null) await ask("take", load, origin, supplier, copyOf(rows));
        return ask("finish", load, observed);
      });
    };
    return {
      take: (batch) => {
        const rows = isOpen ? buffer.add(batch) : null;
        if (rows !== null) send(rows);
        return traffic.room();
      },
      finish: async () => {
        if (!isOpen || this.#isOff()) return { kind: "off", why: this.#why() };
        isOpen = false;
        try {
          return await this.#run(finish);
        } catch (error) {
          this.#problem ??= error;
          return { kind: "off", why: this.#why() };
        }
      },
      discard: () => {
        if (isOpen && sent !== null) {
          this.#run((engines) => engines.worker()("discard", load)).catch(() => {});
        }
        isOpen = false;
      },
    };
  }

  #saw(sighted: Sighted): void {
    if (this.#isOff()) return;
    const { subject, state } = sighted;
    const key = keyOf(subject);
    const isKnown = this.#states.get(key) === state;
    if (this.#states.size >= mostRemembered) this.#states.clear();
    this.#states.set(key, state);
    this.#sighted.push(sighted);
    const store = () => void this.#storeSighted();
    // News are stored at once; those of one turn of the event loop share a commit.
    if (!isKnown) setImmediate(store);
    else if (this.#sighted.length === 1)
      this.#options.clock.sleep(seenAgainMs, this.#life.signal).then(store, () => {});
  }

  /** A failure ends the recording, with its reason. */
  async #storeSighted(): Promise<void> {
    const all = this.#sighted;
    this.#sighted = [];
    if (all.length === 0 || this.#isOff()) return;
    const { origin, trustedNow = noTime } = this.#options;
    try {
      await this.#run((engines) =>
        engines.quick((ask) => ask("addSighted", origin, all, trustedNow())),
      );
    } catch (error) {
      this.#problem ??= error;
    }
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#storeSighted();
    this.#isClosed = true;
    this.#life.abort();
    await Promise.allSettled(this.#running);
    await this.#engines?.close().catch(() => {});
  }
}

/** Copies of rows that are on their way; more than these would only wait. */
const mostUnderWay = 3;

/** How many rows are on their way to the worker, as messages. */
class Traffic {
  #underWay = 0;
  #room: PromiseWithResolvers<void> | null = null;

  /** `taken` must not reject. */
  add(taken: Promise<void>): void {
    this.#underWay += 1;
    void taken.then(() => {
      this.#underWay -= 1;
      if (this.#underWay >= mostUnderWay) return;
      this.#room?.resolve();
      this.#room = null;
    });
  }

  /** Resolves when one more may be added; null where it may be now. */
  room(): Promise<void> | null {
    if (this.#underWay < mostUnderWay) return null;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }
}

/** Rows that are given away, while these can still be given to the other engine. */
function copyOf(rows: ListRows): ListRows {
  return {
    count: rows.count,
    text: rows.text.slice(),
    ends: rows.ends.slice(),
    flags: rows.flags.slice(),
    createdAt: rows.createdAt.slice(),
  };
}
