/** React hooks that read the journal for the screen on top, and again when the journal changes. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Clock } from "../api/clock.ts";
import type { Session } from "../session/open-session.ts";
import { versionOf } from "../session/open-work.ts";
import { safe } from "../text/sanitize.ts";
import {
  type ActivityFilter,
  type ActivityRow,
  countActivity,
  lastSentAt,
  listActivity,
} from "../writes/activity.ts";
import { type ActivityDetail, bodyText, showActivity } from "../writes/activity-detail.ts";
import { doneBy } from "../writes/done.ts";
import type { Writes } from "../writes/open-writes.ts";
import { planResend, type ResendPlan } from "../writes/resend.ts";
import type { TeamColumns } from "../writes/team/colleagues.ts";
import { planVerification, type VerifyPlan } from "../writes/verify.ts";
import { bodyWords } from "../writes/words/contents.ts";
import { doneWords } from "../writes/words/done.ts";
import { useApp, useSession } from "./app.tsx";
import { type Colleagues, useColleagues } from "./colleagues.ts";
import { useStore } from "./context.ts";
import { useRead } from "./reading.ts";

/**
 * The interval between two checks of the journal for changes by other processes, in milliseconds.
 */
const checkEveryMs = 1_000;

export type JournalView<T> =
  | { readonly kind: "opening" }
  /** No journal exists yet, because nothing was ever sent from this machine. */
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown };

/** The view of a missing journal. Setting this same object again does not render a screen again. */
const noJournal = { kind: "none" } as const;

export interface JournalRead<T> {
  readonly view: JournalView<T>;
  refresh(): void;
}

/** Reads from the journal. It is called again after each change of the journal. */
type JournalReader<T> = (writes: Writes, signal: AbortSignal) => T | Promise<T>;

/**
 * Reads from the journal while the screen is on top, and again after each change of the journal. A
 * failed read is repeated after {@link checkEveryMs}. Pass the same `read` function for the same
 * data, because a new function causes another read. Reads nothing if `read` is null.
 */
export function useJournalRead<T>(read: JournalReader<T> | null): JournalRead<T> {
  const session = useSession();
  const { clock } = useApp();
  const [refreshCount, setRefreshCount] = useState(0);
  const entries = useStore(session.tasks.entries.all);
  // A refresh, or the progress of an entry, checks the journal at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const turn = useMemo(() => ({}), [refreshCount, entries]);
  const lastRead = useRef<LastRead>(null);
  const views = useMemo(
    () => read && ((signal: AbortSignal) => viewsOf(session, clock, read, lastRead, signal)),
    [session, clock, read],
  );
  const view = useRead(views, turn) ?? opening;
  const refresh = useCallback(() => setRefreshCount((count) => count + 1), []);
  return { view, refresh };
}

const opening = { kind: "opening" } as const;

/** The last read function and the version that it has read, or null. */
type LastRead = { readonly read: unknown; readonly version: string } | null;

async function* viewsOf<T>(
  session: Session,
  clock: Clock,
  read: JournalReader<T>,
  last: { current: LastRead },
  signal: AbortSignal,
): AsyncGenerator<JournalView<T>, void, void> {
  for (;;) {
    try {
      const writes = await session.existingWrites(signal);
      const version = writes === null ? "none" : versionOf(writes.context.journal);
      if (last.current?.read !== read || last.current.version !== version) {
        yield writes === null ? noJournal : { kind: "read", value: await read(writes, signal) };
        // An aborted read was not shown, so the next one must not skip this version.
        if (!signal.aborted) last.current = { read, version };
      }
    } catch (error) {
      signal.throwIfAborted();
      last.current = null;
      yield { kind: "failed", error };
    }
    await clock.sleep(checkEveryMs, signal);
  }
}

/**
 * Maximum number of entries that one query reads. Each filter has two queries: the entries that are
 * listed first, and the newest entries.
 */
const maxRows = 2_000;

const firstListedOutcomes = ["unknown", "retryable", "sending"] as const;

interface ActivityScope extends ActivityPlace {
  readonly ownProfileOnly: boolean;
}

interface ActivityPlace {
  /** An import supplier, or null for all. */
  readonly supplier: string | null;
  /** An account's number or a supply point's identifier, or null for all. */
  readonly account: string | null;
}

export interface ListedEntry extends ActivityRow, Partial<TeamColumns> {
  /** Epoch milliseconds at which the entry was last sent, or null if it was never sent. */
  readonly sentAt: number | null;
}

export interface ActivityList {
  /**
   * The entries: first those with an unknown outcome, then retryable entries, then entries that are
   * being sent, then the rest. Each of these groups is sorted newest first. If the scope has an
   * account, the first three groups for this account number come first, then the same groups for
   * this supply point identifier. The rest for the account number follows, then the rest for the
   * identifier.
   */
  readonly rows: readonly ListedEntry[];
  readonly total: number;
  readonly unknown: number;
}

export function useActivity(scope: ActivityScope): JournalRead<ActivityList> {
  const { supplier, account, ownProfileOnly } = scope;
  const session = useSession();
  const { baseUrl } = session;
  const profile = session.profile.name;
  return useJournalRead(
    useCallback(
      async ({ context: { journal, team } }: Writes): Promise<ActivityList> => {
        const filter = {
          baseUrl,
          ...(supplier === null ? {} : { importSupplier: supplier }),
          ...(ownProfileOnly ? { profile } : {}),
        };
        const filters = account === null ? [filter] : filtersForNumber(filter, account);
        const firstRows = filters.flatMap((each) =>
          listActivity(
            journal,
            { ...each, outcomes: firstListedOutcomes, limit: maxRows },
            "unknown-first",
          ),
        );
        const firstIds = new Set(firstRows.map((row) => row.journal_id));
        const otherRows = filters
          .flatMap((each) => listActivity(journal, { ...each, limit: maxRows }))
          .filter((row) => !firstIds.has(row.journal_id));
        const all = [...firstRows, ...otherRows];
        const ids = all.map(({ journal_id: id }) => id);
        const sent = lastSentAt(journal, ids);
        // Imported only with a team, so that no frame waits for it.
        const columns =
          team === null
            ? null
            : (await import("../writes/team/colleagues.ts")).ownColumns(journal, ids, team.names);
        return {
          rows: all.map((row) => ({
            ...row,
            ...columns?.get(row.journal_id),
            sentAt: sent.get(row.journal_id) ?? null,
          })),
          total: sum(filters.map((each) => countActivity(journal, each))),
          unknown: sum(
            filters.map((each) => countActivity(journal, { ...each, outcomes: ["unknown"] })),
          ),
        };
      },
      [supplier, account, ownProfileOnly, profile, baseUrl],
    ),
  );
}

/** Returns sentences about what the entries of a place did since a time (epoch milliseconds). */
export function useDoneSince({ supplier, account }: ActivityPlace, since: number): string {
  const { baseUrl } = useSession();
  return useDoneWords(
    useMemo(
      () => ({
        baseUrl,
        since,
        ...(supplier === null ? {} : { importSupplier: supplier }),
        ...(account === null ? {} : { number: account }),
      }),
      [supplier, account, baseUrl, since],
    ),
  );
}

/**
 * Returns sentences about what the matching entries did, with their rows and sums. Empty for a filter
 * of null, if there are none, or if they are more than `most`, because they are added up after each
 * change of the journal. Default: 2,000.
 */
export function useDoneWords(filter: ActivityFilter | null, most = maxRows): string {
  const { view } = useJournalRead(
    useCallback(
      async ({ context: { journal } }: Writes, signal: AbortSignal) => {
        if (filter === null || countActivity(journal, filter) > most) return "";
        return doneWords(await doneBy(journal, filter, signal));
      },
      [filter, most],
    ),
  );
  return view.kind === "read" ? view.value : "";
}

/**
 * Returns one filter for an account number and one for a supply point identifier, because `number`
 * can be either.
 */
function filtersForNumber(filter: ActivityFilter, number: string): readonly ActivityFilter[] {
  return [
    { ...filter, externalAccountNumber: number },
    { ...filter, externalIdentifier: number },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export interface EntryView {
  readonly detail: ActivityDetail;
  /** The body exactly as sent, or null if it was purged. */
  readonly body: string | null;
  /** The plan to verify the entry, or null if its outcome is known. */
  readonly verification: VerifyPlan | null;
  readonly resend: ResendPlan;
}

export function useEntry(id: number): JournalRead<EntryView> {
  return useJournalRead(
    useCallback(
      ({ context }: Writes): EntryView => {
        const detail = showActivity(context.journal, id);
        return {
          detail,
          body: bodyText(context.journal, id),
          verification: detail.outcome === "unknown" ? planVerification(context, id) : null,
          resend: planResend(context, id),
        };
      },
      [id],
    ),
  );
}

export interface SentFromHere {
  /** The newest entries, newest first, with their contents, or the name of the colleague. */
  readonly rows: readonly (Omit<ActivityRow, "journal_id"> & { readonly contents: string })[];
  readonly total: number;
  readonly unknown: number;
}

const maxSent = 50;

/**
 * Returns the entries of this machine, and of a team's colleagues, for an account or a supply point of the
 * session's service.
 */
export function useSentFromHere(
  target:
    | { readonly kind: "account"; readonly supplier: string; readonly account: string }
    | { readonly kind: "supply-point"; readonly supplier: string; readonly identifier: string },
): JournalView<SentFromHere> {
  const { baseUrl } = useSession();
  const { kind, supplier } = target;
  const number = target.kind === "account" ? target.account : target.identifier;
  const { view } = useJournalRead(
    useCallback(
      ({ context: { journal } }: Writes): SentFromHere => {
        const filter: ActivityFilter = {
          baseUrl,
          importSupplier: supplier,
          ...(kind === "account"
            ? { externalAccountNumber: number }
            : { externalIdentifier: number }),
        };
        return {
          rows: listActivity(journal, { ...filter, limit: maxSent }).map((row) => ({
            ...row,
            contents: bodyWords(row.operation, bodyText(journal, row.journal_id)),
          })),
          total: countActivity(journal, filter),
          unknown: countActivity(journal, { ...filter, outcomes: ["unknown"] }),
        };
      },
      [baseUrl, kind, supplier, number],
    ),
  );
  const colleagues = useColleagues(supplier, number).rows;
  return useMemo(() => withColleagues(view, colleagues), [view, colleagues]);
}

function withColleagues(
  view: JournalView<SentFromHere>,
  colleagues: Colleagues["rows"],
): JournalView<SentFromHere> {
  if (colleagues.length === 0 || view.kind === "opening" || view.kind === "failed") return view;
  const theirs = colleagues.map((row) => ({
    ...row,
    contents: safe(`by ${row.by} on ${row.machine}`),
  }));
  const own = view.kind === "read" ? view.value : { rows: [], total: 0, unknown: 0 };
  return {
    kind: "read",
    value: {
      rows: [...own.rows, ...theirs].toSorted((one, other) =>
        other.created_at.localeCompare(one.created_at),
      ),
      total: own.total + theirs.length,
      unknown: own.unknown + theirs.filter(({ outcome }) => outcome === "unknown").length,
    },
  };
}
