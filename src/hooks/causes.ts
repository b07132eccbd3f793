/** Groups the failures of a run or of the journal by cause, and defines the keys of a cause. */
import { useMemo } from "react";
import { rowsOfLines } from "../bulk/rows.ts";
import { causesOfRun, rowsOfEntries } from "../bulk/run-causes.ts";
import type { RunRow } from "../bulk/run-record.ts";
import { readRun } from "../bulk/runs.ts";
import type { Actions } from "../keys/scopes.ts";
import type { Here } from "../session/app.ts";
import { failureWords } from "../session/entry-actions.ts";
import { fixRows } from "../session/fix-rows.ts";
import { resendEntries, verifyEntries } from "../session/many-entries.ts";
import { accountOf, toggleWatched } from "../session/watch-subjects.ts";
import { count, plural } from "../text/numbers.ts";
import type { WatchSubject } from "../watch/timeline.ts";
import type { ActivityFilter } from "../writes/activity.ts";
import type { Cause } from "../writes/causes.ts";
import { causesOfEntries } from "../writes/failed-entries.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Writes } from "../writes/open-writes.ts";
import { useHere, useWriteLock } from "./app.tsx";
import { type JournalRead, useJournalRead } from "./journal.ts";
import { useWriteFile } from "./write-file.ts";

export type CauseScope =
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "entries"; readonly filter: ActivityFilter };

export function entriesScope(
  supplier: string | null,
  number: string | null,
  baseUrl: string,
): CauseScope {
  return {
    kind: "entries",
    filter: {
      baseUrl,
      ...(supplier === null ? {} : { importSupplier: supplier }),
      ...(number === null ? {} : { number }),
    },
  };
}

/**
 * Returns the causes of failures, with all of their lines or entries as samples. Reads them again
 * when the journal changes. Pass the same scope while it is unchanged. Reads nothing if the scope is
 * null.
 */
export function useCauses(scope: CauseScope | null): JournalRead<readonly Cause[]> {
  return useJournalRead(
    useMemo(
      () =>
        scope && (({ context }: Writes, signal: AbortSignal) => causesIn(context, scope, signal)),
      [scope],
    ),
  );
}

/** Groups the failures of a scope by cause. Rejects with the signal's reason or a journal error. */
function causesIn(
  context: Writes["context"],
  scope: CauseScope,
  signal: AbortSignal,
): Promise<readonly Cause[]> {
  const options = { signal, maxSamples: Number.POSITIVE_INFINITY };
  switch (scope.kind) {
    case "run":
      return causesOfRun(context.journal, readRun(context, scope.run), options);
    case "entries":
      return causesOfEntries(context.journal, scope.filter, options);
  }
}

const rowsPerRead = 200;

function* rowsIn(
  journal: Journal,
  scope: CauseScope,
  ids: readonly number[],
): Generator<RunRow, void, void> {
  for (let at = 0; at < ids.length; at += rowsPerRead)
    yield* rowsAt(journal, scope, ids.slice(at, at + rowsPerRead));
}

/** Returns the rows of a scope by their lines or journal IDs. Throws a journal error. */
export function rowsAt(
  journal: Journal,
  scope: CauseScope,
  ids: readonly number[],
): readonly RunRow[] {
  return scope.kind === "run" ? rowsOfLines(journal, scope.run, ids) : rowsOfEntries(journal, ids);
}

/**
 * Returns the keys that fix, watch, resend or verify all failures of a cause, or only those of
 * `ids`. `number` is the position of the cause, from 1.
 */
export function useCauseActions(
  scope: CauseScope,
  cause: Cause | null,
  number: number,
  ids: readonly number[] | null = null,
): Actions {
  const here = useHere();
  const writeFile = useWriteFile();
  const lockReason = useWriteLock();
  if (cause === null) return {};
  const chosen = ids ?? cause.sample;
  const withJournal = (act: (journal: Journal) => void | Promise<void>) => {
    here.session
      .writes()
      .then(({ context }) => act(context.journal))
      .catch((error: unknown) => {
        here.app.notices.show(failureWords(error, "reading the rows"), "bad");
      });
  };
  const amount = ids === null ? "all" : count(ids.length);
  return {
    "rejected-rows": {
      isMain: true,
      run: () =>
        fixRows(here, writeFile, {
          run: scope.kind === "run" ? scope.run : null,
          operation: cause.operation,
          what: `${plural(chosen.length, "row")} of this cause`,
          stem: `${scope.kind === "run" ? scope.run : "activity"}.cause-${number}`,
          pages: (journal) => [rowsIn(journal, scope, chosen)],
        }),
    },
    watch: {
      label: `watch ${amount}`,
      run: () => withJournal((journal) => watchRows(here, rowsIn(journal, scope, chosen))),
      disabled:
        cause.operation === "supply-points create" ? "Only accounts of rows are watched." : null,
    },
    resend: {
      label: `resend ${amount}`,
      run: () =>
        withJournal(async (journal) =>
          resendEntries(here, await entriesIn(journal, scope, chosen, "retryable")),
        ),
      disabled:
        cause.retryable === 0
          ? "None of these can be sent again unchanged: export and fix them."
          : lockReason,
    },
    verify: {
      label: `verify ${amount}`,
      run: () =>
        withJournal(async (journal) =>
          verifyEntries(here, await entriesIn(journal, scope, chosen, "unknown")),
        ),
      disabled: cause.inDoubt === 0 ? "The outcome of each is known." : null,
    },
  };
}

function watchRows(here: Here, rows: Iterable<RunRow>): void {
  const subjects = new Map<string, WatchSubject>();
  for (const row of rows) {
    const subject = accountOf(row);
    if (subject !== null) subjects.set(JSON.stringify([subject.supplier, subject.number]), subject);
  }
  toggleWatched(here, [...subjects.values()]);
}

/** Returns the entries with the wanted outcome, and yields between the reads. */
async function entriesIn(
  journal: Journal,
  scope: CauseScope,
  ids: readonly number[],
  wanted: RunRow["outcome"],
): Promise<readonly number[]> {
  const entries = new Set<number>();
  let read = 0;
  for (const { outcome, journalId } of rowsIn(journal, scope, ids)) {
    if (outcome === wanted) entries.add(journalId);
    read += 1;
    if (read % rowsPerRead === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return [...entries];
}
