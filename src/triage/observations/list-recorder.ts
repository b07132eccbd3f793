/** Records the lists of suppliers: compares each with the stored accounts, and stores the difference. */
import { AccountRowReader } from "../../accounts/ingest/reader.ts";
import { runSliced } from "../../accounts/slices.ts";
import { Accounts } from "./accounts.ts";
import { Comparison, relisted } from "./comparison.ts";
import type { ObservationFiles, PastList } from "./observation-files.ts";
import {
  type ListComparison,
  type LoadRecorder,
  lostTooMany,
  notRecorded,
  type Recorded,
} from "./observations.ts";
import * as retention from "./retention.ts";
import * as store from "./store.ts";
import type { Tables } from "./tables.ts";
import type { Turn } from "./team-history.ts";

/** A list whose comparison has begun. `from` has its known accounts; the problem keeps it from the file. */
interface Begun {
  readonly from: Tables;
  readonly list: store.StoredList | null;
  readonly comparison: Comparison;
  readonly problem: unknown;
}

/** The turn of a list that no team shares. */
const alone: Turn = { kind: "own" };

export class ListRecorder {
  readonly #files: ObservationFiles;

  constructor(files: ObservationFiles) {
    this.#files = files;
  }

  begin(supplier: string, startedAt: number, opened = this.#files.opened()): LoadRecorder {
    let begun: Begun | null = null;
    let isOpen = !this.#files.isClosed;
    let finished: Promise<Recorded> | null = null;
    const beginning = opened
      .then(() => this.#files.run(() => this.#beginning(supplier)))
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
        return await this.#files.run(() =>
          this.#record(supplier, known, startedAt - this.#files.judge.wrongByMs()),
        );
      } catch (error) {
        this.#files.failed(error);
        return notRecorded(
          this.#files.problem() ?? (error instanceof Error ? error.message : null),
        );
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
        if (!isOpen && finished === null)
          return Promise.resolve(notRecorded(this.#files.problem()));
        finished ??= finish().then((recorded) => {
          this.#files.options.onRecorded?.(supplier, recorded);
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

  /** Records a list that was loaded before the observations were opened. */
  async past({ supplier, at, body }: PastList): Promise<void> {
    const reader = new AccountRowReader();
    const batches = [reader.push(body), reader.end().batch];
    const load = this.begin(supplier, at, Promise.resolve());
    for (const batch of batches) if (batch !== null) await load.take(batch);
    await load.finish();
  }

  /** Records a list of this machine again, after lists of others. */
  async ofTeam(supplier: string, own: Accounts, at: number): Promise<ListComparison> {
    const begun = await this.#known(this.#files.readable(), supplier, null);
    const comparison = await runSliced(
      relisted(own, begun.comparison.accounts),
      this.#files.life.signal,
    );
    return this.#recordIn(begun.from, supplier, { ...begun, comparison }, at);
  }

  async #beginning(supplier: string): Promise<Begun> {
    this.#files.team?.begin(supplier);
    const unstored = await this.#files.unstoredOf(supplier);
    if (unstored !== null)
      return this.#known(
        await this.#files.inMemory(),
        supplier,
        new Error("Earlier lists are not stored either."),
      );
    try {
      return await this.#known(this.#files.readable(), supplier, null);
    } catch (error) {
      return this.#known(await this.#files.inMemory(), supplier, this.#files.asFileError(error));
    }
  }

  async #known(from: Tables, supplier: string, problem: unknown): Promise<Begun> {
    return { from, problem, ...(await this.#comparison(from, supplier)) };
  }

  /** Begins the comparison with the stored accounts of a supplier, or with none. */
  async #comparison(tables: Tables, supplier: string) {
    const { list, accounts } = tables.read((rows) => {
      const list = store.storedList(rows, this.#files.options.origin, supplier);
      if (list === null) return { list, accounts: null };
      return { list, accounts: tables.accounts.take(list, () => store.readStoredList(rows, list)) };
    });
    return { list, comparison: new Comparison((await accounts) ?? new Accounts()) };
  }

  async #record(supplier: string, begun: Begun, at: number): Promise<Recorded> {
    if (!this.#files.isOff()) {
      try {
        if (begun.problem !== null) throw begun.problem;
        await this.#files.team?.ready(supplier);
        const recorded = await this.#recordIn(begun.from, supplier, begun, at);
        await this.#expire();
        return recorded;
      } catch (error) {
        this.#files.failed(error);
      }
    }
    const memory = await this.#files.inMemory();
    const { origin } = this.#files.options;
    const known = this.#files.unstored.get(supplier);
    const seq = this.#files.seqInFile(supplier);
    const isContinued =
      known?.isContinued ??
      (begun.problem === null &&
        (await memory.commit((to) =>
          this.#files.readable().read((from) => store.copyList(from, to, origin, supplier)),
        )));
    const comparison = await this.#recordIn(memory, supplier, begun, at);
    const hasHistory = isContinued || known !== undefined;
    this.#files.unstored.set(supplier, { seq: known ? known.seq : seq, isContinued, hasHistory });
    const storedAt = isContinued
      ? (this.#files.readable().read((rows) => store.storedList(rows, origin, supplier))?.lastAt ??
        null)
      : null;
    return { ...notRecorded(this.#files.problem()), comparison, storedAt };
  }

  /** Records a list, again with what another process has recorded in the meantime. */
  async #recordIn(
    tables: Tables,
    supplier: string,
    begun: Begun,
    at: number,
  ): Promise<ListComparison> {
    const { origin } = this.#files.options;
    let { list, comparison } = begun;
    for (;;) {
      // Another machine's list can be later than the time at which this loop began.
      const now = this.#files.now();
      if (at > now || (list !== null && list.lastAt > at && list.lastAt <= now))
        return { kind: "late" };
      const difference = await runSliced(comparison.difference(at, list?.lastAt ?? null));
      const { accounts } = comparison;
      const next = await store.packedObservation(difference, accounts.rows, at);
      const { before, now: listed, lost } = difference;
      const isHeldBack = list !== null && lostTooMany({ before, listed, lost });
      const isDue = !isHeldBack && tables.read((rows) => store.isSnapshotDue(rows, list, next));
      const snapshot = isDue ? await store.packedSnapshot(accounts) : null;
      const team = this.#files.isFile(tables) ? this.#files.team : null;
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
    const tables = this.#files.readable();
    const lists = await tables.commit((rows) =>
      retention.expire(rows, this.#files.judge.trustedNow()),
    );
    for (const list of lists) {
      if (list.isShared && list.origin === this.#files.options.origin)
        await this.#files.team?.forget(list.supplier, list.departedBefore);
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
