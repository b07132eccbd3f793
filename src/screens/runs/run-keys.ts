/** The keys of a bulk run: resume, stop, fix rejected rows and discard. */
import { isSameService } from "../../api/url.ts";
import { remainingSum } from "../../bulk/rows.ts";
import { isResumable, isUnsent, type RunRecord, type RunRow } from "../../bulk/run-record.ts";
import { rowsLeft } from "../../bulk/run-words.ts";
import { errorLine } from "../../errors/error-words.ts";
import { useHere, useWriteLock } from "../../hooks/app.tsx";
import { useIsQuestionDrawn } from "../../hooks/in-flight.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Actions } from "../../keys/scopes.ts";
import { discardEmptyRun, resumeRun } from "../../session/bulk-run.ts";
import { fixRows, rejectedPages } from "../../session/fix-rows.ts";
import { passGate } from "../../session/gate.ts";
import { askLater } from "../../session/late-questions.ts";
import type { Session } from "../../session/open-session.ts";
import { journalCommand } from "../../session/overlays.ts";
import { adHocName, profileFlag, reconnectHint } from "../../settings/sandbox-profile.ts";
import { asCommand } from "../../text/as-command.ts";
import { count, plural } from "../../text/numbers.ts";
import { confirmationsOf } from "../../writes/gate.ts";
import { isRunOverridden } from "../../writes/journal/override.ts";
import { kindName, operationOf } from "../../writes/kinds/kinds.ts";
import { olderJournalError } from "../../writes/older-journal.ts";
import { pauseOf } from "./run-state.ts";
import type { RunView } from "./run-views.ts";

/**
 * Returns the keys of a bulk run, each with the reason if it is disabled. `onDiscarded` is called
 * after the run is discarded. `marked` has the rows to fix instead of all rejected rows.
 */
export function useRunKeys(
  view: RunView | null,
  onDiscarded: () => void,
  marked: readonly RunRow[] = [],
): Actions {
  const here = useHere();
  const { app, session } = here;
  const { overlays, notices, key } = app;
  const writeFile = useWriteFile();
  const lockReason = useWriteLock();
  const isQuestionDrawn = useIsQuestionDrawn(view?.record.id);
  if (view === null) return {};
  const { record, task } = view;
  const { id, kind, process } = record;
  const isHere = task?.kind === "running";
  const pause = pauseOf(task);
  const left = rowsLeft(record);
  const showError = (doing: string) => (error: unknown) =>
    notices.show(errorLine(error, { doing }), "bad");
  const askResume = async (isHere: () => boolean) => {
    const { journal } = (await session.writes()).context;
    const older = olderJournalError(journal);
    if (older !== null) {
      notices.explain(older.message);
      return;
    }
    const { environment } = session.profile;
    const operation = operationOf(kind);
    const inDoubt = journal.read((rows) => isRunOverridden(rows, id));
    const confirmations = confirmationsOf({ environment, operation, rows: "many", inDoubt });
    const sum = confirmations.includes("sum") ? await remainingSum(journal, id) : null;
    if (!isHere()) return;
    passGate(
      here,
      {
        operation,
        inDoubt,
        target: null,
        rows: left,
        sum,
        reason: null,
        doing: `Resume run ${id}, ${plural(left, "row")} of ${kindName(kind)} left`,
        detail:
          "Rows that are confirmed, or that the service would not recognize, are not sent again.",
        yes: "Yes, resume it",
      },
      () => resumeRun(here, id),
    );
  };
  const stop = () => {
    if (!isHere || !task.stopping) {
      session.tasks.runs.cancel(id);
      return;
    }
    overlays.confirm({
      question: "Cut off what is in flight?",
      detail:
        "Requests already sent might still take effect: the outcome of those rows is unknown.",
      yes: "Yes, cut it off",
      onYes: () => session.tasks.runs.cancel(id),
    });
  };
  const askDiscard = () =>
    overlays.confirm({
      question: `Discard run ${id}?`,
      detail: isResumable(record)
        ? `Nothing was sent. Until you discard it, supplyline bulk resume ${id} can still read its input again.`
        : "Nothing was sent. Not all of its rows were recorded, so it cannot be resumed.",
      yes: "Yes, discard it",
      onYes: () => discardEmptyRun(here, id, onDiscarded),
    });
  const { rejected } = record.counts;
  const rowsToFix =
    marked.length > 0 ? plural(marked.length, "marked row") : plural(rejected, "rejected row");
  return {
    "resume-run": {
      isMain: !isHere && left > 0,
      run: () => void askLater(app, askResume).catch(showError(`resuming run ${id}`)),
      isQuestionDrawn,
      disabled: isHere
        ? "It is running here."
        : left === 0
          ? "Every row has an outcome: nothing is left to resume."
          : (notResumable(record, session.baseUrl) ?? lockReason),
    },
    ...(isHere || process !== null
      ? {
          "stop-run": {
            run: stop,
            label: isHere && task.stopping ? "cut off" : "stop",
            disabled: isHere
              ? null
              : `Process ${process} is running it; press ${key("cancel")} there.`,
          },
        }
      : {}),
    ...(pause === null
      ? {}
      : {
          "cut-short": {
            label: "try now",
            help: "Try now whether the service is back",
            run: () => pause.tryNow?.(),
            disabled: pause.tryNow === null ? `Not now: ${pause.why}.` : null,
          },
        }),
    ...(isHere || record.state !== "unrecorded"
      ? {}
      : { remove: { run: askDiscard, label: "discard" } }),
    "rejected-rows": {
      isMain: rejected > 0,
      run: () =>
        fixRows(here, writeFile, {
          run: id,
          operation: operationOf(kind),
          what: rowsToFix,
          stem: `${id}.rejected`,
          pages: marked.length > 0 ? () => [marked] : rejectedPages(id),
        }),
      disabled: rejected + marked.length === 0 ? "No row of this run is rejected." : null,
    },
    "as-command": () =>
      overlays.command(
        journalCommand(session.profile, {
          // The command resumes a run with a profile of its service. A report reads only the
          // journal and needs no profile.
          command:
            left > 0 && isResumable(record)
              ? asCommand({ kind: "run-resume", run: id }, flagOf(record, session))
              : asCommand({ kind: "run-report", run: id }, null),
          note: `supplyline bulk report ${id} reports the outcome of its ${count(record.rows)} rows. There is no single curl for ${plural(record.requests, "request")}: ${key("as-command")} on an entry shows its curl.`,
        }),
      ),
  };
}

function flagOf({ baseUrl, profile }: RunView["record"], session: Session): string | null {
  if (isSameService(baseUrl, session.baseUrl)) return profileFlag(session.profile);
  return profile === adHocName ? null : profile;
}

function notResumable(record: RunRecord, baseUrl: string): string | null {
  const { process } = record;
  if (process !== null) return `Process ${process} is running it.`;
  if (!isSameService(record.baseUrl, baseUrl)) {
    return `It is for another service. ${reconnectHint(record)}`;
  }
  if (!isUnsent(record)) return null;
  return isResumable(record)
    ? `Not all of its rows were recorded: supplyline bulk resume ${record.id} reads them again.`
    : "Not all of its rows were recorded, and none was sent: compose it again.";
}
