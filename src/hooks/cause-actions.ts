import { entriesJsonl, sentJsonl } from "../bulk/result-files.ts";
import { rowsOfEntries, rowsOfLines } from "../bulk/run-causes.ts";
import type { RunRow } from "../bulk/run-record.ts";
import type { Actions } from "../keys/scopes.ts";
import { count, plural } from "../text/numbers.ts";
import type { Cause } from "../writes/causes.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { CauseScope } from "./causes.ts";
import { failureWords } from "./journal-actions.ts";
import { useWriteLock } from "./lock.tsx";
import { useNotices } from "./notices.tsx";
import { useOverlays } from "./overlay.tsx";
import { useResendMany } from "./resend-many.ts";
import { useSession } from "./session.tsx";
import { useVerifyMany } from "./verify-many.ts";
import { useWriteFile } from "./write-file.ts";

/** Rows read at a time. */
const together = 200;

/** The rows of a scope by their lines or journal ids, some at a time. */
function* rowsIn(
  journal: Journal,
  scope: CauseScope,
  ids: readonly number[],
): Generator<RunRow, void, void> {
  for (let at = 0; at < ids.length; at += together)
    yield* rowsAt(journal, scope, ids.slice(at, at + together));
}

/** A few rows of a scope. Throws JournalError. */
export function rowsAt(
  journal: Journal,
  scope: CauseScope,
  ids: readonly number[],
): readonly RunRow[] {
  return scope.kind === "run"
    ? rowsOfLines(journal, scope.run.id, ids)
    : rowsOfEntries(journal, ids);
}

/**
 * The keys of a cause, for all of its failures or for `marked` ones: export as an input file, resend
 * and verify. `number` counts from 1.
 */
export function useCauseActions(
  scope: CauseScope,
  cause: Cause | null,
  number: number,
  marked: readonly number[] | null = null,
): Actions {
  const session = useSession();
  const overlays = useOverlays();
  const notices = useNotices();
  const writeFile = useWriteFile();
  const resendMany = useResendMany();
  const verifyMany = useVerifyMany();
  const locked = useWriteLock();
  if (cause === null) return {};
  const ids = marked ?? cause.sample;
  const what = plural(ids.length, "row");
  const withJournal = (doing: string, act: (journal: Journal) => void | Promise<void>) => {
    session
      .writes()
      .then(({ context }) => act(context.journal))
      .catch((error: unknown) => notices.show(failureWords(error, doing), "bad"));
  };
  const isRead = cause.operation === "accounts status";
  const kind = isRead ? "status" : cause.operation.replace(/ create$/, "");
  const askFile = (journal: Journal) =>
    overlays.open({
      kind: "prompt",
      title: `Export ${what} of this cause, as they were sent`,
      label: "File",
      isPath: true,
      hint: `A new .jsonl file. Fix it, then: supplyline bulk run ${kind} --from FILE.`,
      initial: `${scope.kind === "run" ? scope.run.id : "activity"}.cause-${number}.jsonl`,
      onSubmit: (path) =>
        writeFile(
          {
            what,
            endings: [".jsonl"],
            pieces: () =>
              scope.kind === "run"
                ? sentJsonl(journal, scope.run.id, rowsIn(journal, scope, ids))
                : entriesJsonl(journal, rowsIn(journal, scope, ids)),
          },
          path,
        ),
    });
  const all = marked === null ? "all" : count(ids.length);
  return {
    export: { label: "export", leads: true, run: () => withJournal("reading the rows", askFile) },
    ...(isRead
      ? {}
      : {
          resend: {
            label: `resend ${all}`,
            run: () =>
              withJournal("reading the rows", async (journal) =>
                resendMany(await entriesIn(journal, scope, ids, "retryable")),
              ),
            disabled:
              cause.retryable === 0
                ? "None of these can be sent again unchanged: export and fix them."
                : locked,
          },
          verify: {
            label: `verify ${all}`,
            run: () =>
              withJournal("reading the rows", async (journal) =>
                verifyMany(await entriesIn(journal, scope, ids, "unknown")),
              ),
            disabled: cause.inDoubt === 0 ? "The outcome of each is known." : null,
          },
        }),
  };
}

/** The entries with an outcome, each once; keys are heard in between. */
async function entriesIn(
  journal: Journal,
  scope: CauseScope,
  ids: readonly number[],
  wanted: RunRow["outcome"],
): Promise<readonly number[]> {
  const found = new Set<number>();
  let read = 0;
  for (const { outcome, journalId } of rowsIn(journal, scope, ids)) {
    if (outcome === wanted && journalId !== null) found.add(journalId);
    read += 1;
    if (read % together === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return [...found];
}
