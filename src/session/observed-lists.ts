/**
 * Loads the account lists of a session, records them as observations, and adds the observed ages.
 */
import type { AccountSource } from "../accounts/account-load.ts";
import { chosenRows, utf8 } from "../accounts/columns.ts";
import type { AgeFacts, Loadable } from "../accounts/filter-facts.ts";
import type { AccountBatch } from "../accounts/ingest/batch.ts";
import { BatchBuilder } from "../accounts/ingest/batch-builder.ts";
import { readAccountList } from "../accounts/ingest/read-list.ts";
import type { KnownAges } from "../accounts/row-ages.ts";
import type { AccountTable } from "../accounts/table.ts";
import type { Clock } from "../api/clock.ts";
import type { Service } from "../api/service.ts";
import { ageFacts } from "../triage/age-facts.ts";
import { listedIn, timeOrNull } from "../triage/observations/listed-account.ts";
import type { Ages, LoadRecorder, Observations } from "../triage/observations/observations.ts";
import type { ListedAccount } from "../triage/verdict.ts";
import { readAllAccounts } from "../triage/whole-list.ts";
import type { AccountLists } from "./account-lists.ts";
import { createListFacts, type ReadCohort } from "./list-facts.ts";
import type { AccountTab } from "./places.ts";

/**
 * Creates the loader of a session's lists. It puts lists into their stores, and records each
 * complete list of all accounts as an observation.
 */
export function createObservedLists(options: {
  readonly service: Service;
  readonly lists: AccountLists;
  readonly observations: Observations;
  readonly readCohort: ReadCohort;
  readonly clock: Clock;
  /** The service's time in epoch milliseconds. */
  readonly now: () => number;
  readonly report: (error: unknown) => void;
}) {
  const { service, lists, observations, readCohort, clock, now, report } = options;
  const life = new AbortController();
  const facts = createListFacts({ lists, readCohort, life: life.signal });
  /** Suppliers whose ages are being read. The value is true if they must be read again. */
  const reading = new Map<string, boolean>();
  const readAges = async (supplier: string): Promise<void> => {
    if (reading.has(supplier)) {
      reading.set(supplier, true);
      return;
    }
    try {
      do {
        reading.set(supplier, false);
        const ages = await observations.ages(supplier, life.signal);
        if (life.signal.aborted) return;
        if (ages === null) facts.setAges(supplier, neverObserved);
        else await showAges(supplier, ages);
      } while (reading.get(supplier) === true && !life.signal.aborted);
    } catch {
      if (life.signal.aborted) return;
      facts.setAges(supplier, unreadable);
    } finally {
      reading.delete(supplier);
    }
  };
  const showAges = async (supplier: string, ages: Ages): Promise<void> => {
    // The gone accounts are set first, so that their tab is ready when the lists of the service show
    // ages.
    const gone = goneAccounts(ages);
    if (gone.rows > 0 || lists.known(supplier, "gone") !== null) {
      const list = lists.get(supplier, "gone");
      facts.setGoneAges(supplier, gone.ages);
      await list.load(gone.source, life.signal);
      await list.setAges(gone.ages);
    }
    facts.setAges(supplier, { kind: "known", value: ageFacts(ages, now()) });
    for (const tab of ["all", "pending"] as const) await lists.known(supplier, tab)?.setAges(ages);
  };

  return {
    /**
     * Loads a list. Resolves when the load has ended, with or without success: the list's snapshot
     * has the result. After that, the list is recorded and its rows receive their ages.
     */
    async load(supplier: string, tab: AccountTab, signal: AbortSignal) {
      // Gone accounts result from the comparison of two lists of all accounts.
      const state = tab === "gone" ? "all" : tab;
      const store = lists.get(supplier, state);
      facts.loading(supplier, state);
      let recorded: Promise<void> | null = null;
      const source: AccountSource = (loadSignal, table) => {
        if (state !== "all")
          return readAccountList(service, supplier, state, { signal: loadSignal });
        let listedAt = 0;
        const list = readAllAccounts(service, supplier, { clock, signal: loadSignal }, (at) => {
          listedAt = at;
        });
        const begin = () => observations.begin(supplier, listedAt);
        return recordedRows(list, table, begin, (recording) => {
          recorded = recording;
        });
      };
      await store.load(source, signal);
      const { load } = store.getSnapshot();
      if (load.kind === "loaded") report(null);
      if (load.kind === "failed") report(load.error);
      if (life.signal.aborted) return;
      void Promise.resolve(recorded).then(() => readAges(supplier));
    },
    /**
     * Returns what the lists in memory show of an account, or null if none of them has it. An
     * account that is gone is only in the stored lists.
     */
    listedOf: (supplier: string, account: string) =>
      listedInMemory(lists, supplier, account, { service, observations }),
    /**
     * Returns what the stored lists show of an account, or null if none of them had it. Rejects if
     * the observations cannot be read.
     */
    async storedOf(supplier: string, account: string): Promise<ListedAccount | null> {
      const ages = await observations.ages(supplier, life.signal);
      return ages === null ? null : listedIn(ages, account, observations.machines(supplier));
    },
    /** Reads the ages again if a list of the supplier is in memory, because the history has changed. */
    readAgain(supplier: string): void {
      if (lists.known(supplier, "all") !== null || lists.known(supplier, "pending") !== null)
        void readAges(supplier);
    },
    close: () => life.abort(),
  };
}

/**
 * Yields the rows of a list of all accounts, and records the list. `begin` begins the recording.
 * `onRecording` receives a promise that resolves when the recording of a complete list has ended.
 *
 * The rows are recorded from the table after the last row has arrived, so that there is no second
 * copy of a million rows, and no rows are compared while others arrive. If the table is full, the
 * further rows are recorded as they arrive.
 */
export async function* recordedRows<End extends { readonly unreadableRows: number }>(
  rows: AsyncGenerator<AccountBatch, End, void>,
  table: AccountTable,
  begin: () => LoadRecorder,
  onRecording: (recorded: Promise<void>) => void,
): AsyncGenerator<AccountBatch, End, void> {
  let recorder = null as LoadRecorder | null;
  const recordTable = async () => {
    const started = begin();
    recorder = started;
    for (const { rows: count, text, ends, flags, createdAt } of table.blocks)
      await started.take({ count, text, ends, flags, createdAt });
    return started;
  };
  const finish = async () => {
    await (recorder ?? (await recordTable())).finish();
  };
  let isWhole = false;
  try {
    for (;;) {
      const step = await rows.next();
      if (step.done) {
        isWhole = step.value.unreadableRows === 0;
        if (isWhole) onRecording(finish().catch(() => {}));
        return step.value;
      }
      const batch = step.value;
      yield batch;
      // The reader puts each batch into the table before it requests the next batch.
      const { truncatedAt, arrived } = table;
      if (truncatedAt === null) continue;
      const started = recorder ?? (await recordTable());
      await started.take(rowsFrom(batch, truncatedAt - (arrived - batch.count)));
    }
  } finally {
    if (!isWhole) recorder?.discard();
    await rows.return(undefined as never);
  }
}

function rowsFrom(batch: AccountBatch, first: number): AccountBatch {
  if (first <= 0) return batch;
  const rows = Array.from({ length: batch.count - first }, (_, at) => first + at);
  return chosenRows(batch, rows);
}

function listedInMemory(
  lists: AccountLists,
  supplier: string,
  account: string,
  {
    service,
    observations,
  }: {
    readonly service: Pick<Service, "wrongByMs">;
    readonly observations: Pick<Observations, "machines">;
  },
): ListedAccount | null {
  for (const tab of ["all", "imported", "pending"] as const) {
    const list = lists.known(supplier, tab);
    const loadedAt = list?.getSnapshot().loadedAt ?? null;
    const { table } = list?.viewRows() ?? {};
    const row = table?.rowOf(account) ?? -1;
    if (loadedAt === null || table === undefined || row < 0) continue;
    const { pending, pendingSince, createdAt } = table.row(row);
    return {
      state: pending ? "pending" : "imported",
      at: loadedAt - service.wrongByMs(),
      leftAt: null,
      pendingSince: pending ? timeOrNull(pendingSince) : null,
      pendingUntil: null,
      createdAt: timeOrNull(createdAt),
      machines: observations.machines(supplier),
    };
  }
  return null;
}

const neverObserved: Loadable<AgeFacts> = {
  kind: "unknown",
  why: "No complete list was observed yet.",
};

const unreadable: Loadable<AgeFacts> = {
  kind: "unknown",
  why: "Ages cannot be read; supplyline doctor checks it.",
};

const rowsPerBatch = 1_024;

/**
 * Returns the gone accounts with their ages: accounts that were pending, are no longer listed and
 * were never imported. The accounts that disappeared last come first.
 */
function goneAccounts(ages: Pick<Ages, "gone" | "observedAt">): {
  readonly rows: number;
  readonly source: AccountSource;
  readonly ages: KnownAges & AgeFacts;
} {
  const accounts = [...ages.gone()].sort((one, other) => other.goneAt - one.goneAt);
  const byNumber = new Map(accounts.map(({ external }, row) => [external, row]));
  return {
    rows: accounts.length,
    async *source() {
      const builder = new BatchBuilder("gone");
      for (const { external } of accounts) {
        builder.addTexts(external, null, null);
        if (builder.count === rowsPerBatch) yield builder.take() as AccountBatch;
      }
      const last = builder.take();
      if (last) yield last;
      const { observedAt } = ages;
      return { rows: accounts.length, unreadableRows: 0, bytes: 0, receivedAt: observedAt };
    },
    ages: {
      find: (bytes, from, to) => byNumber.get(utf8.decode(bytes.subarray(from, to))) ?? -1,
      pendingSince: (row) => accounts[row]?.pendingSince ?? Number.NaN,
      isNew: () => false,
      goneAt: (row) => accounts[row]?.goneAt ?? Number.NaN,
    },
  };
}
