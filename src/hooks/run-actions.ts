import { useCallback, useEffect, useState } from "react";
import { errorMessage } from "../api/errors.ts";
import { type BulkContext, bulkContextOf } from "../bulk/bulk-context.ts";
import { discardRun } from "../bulk/discard.ts";
import type { RunEnd } from "../bulk/progress.ts";
import type { RunRecord } from "../bulk/run-record.ts";
import {
  contentsText,
  type ReadingOptions,
  readingText,
  sendSettingsText,
} from "../bulk/run-settings.ts";
import { createRun, readRun } from "../bulk/runs.ts";
import type { FormKind } from "../forms/forms.ts";
import { leftAfterSending } from "../session/draft-form.ts";
import type { Session } from "../session/open-session.ts";
import { type RunRows, recordAndSend, runEndWords, sendRows } from "../session/run-task.ts";
import type { RunStage, TaskControls } from "../session/tasks.ts";
import type { SavedDraft } from "../settings/saved-drafts.ts";
import type { Again } from "../writes/guard.ts";
import { useApp, useSession } from "./app.tsx";

/** A run to create. */
interface RunPlan {
  /** The form that it was composed with: removed when every row is confirmed; else it stays. */
  readonly draft: SavedDraft | null;
  /** The file that it is read from; null for rows that the console composed. */
  readonly file: {
    readonly source: string;
    readonly sha256: string;
    readonly reading: ReadingOptions;
  } | null;
  readonly kind: FormKind;
  readonly rows: number;
  readonly requests: number;
  /** The items and their money, in words; null where nothing is written. */
  readonly contents: string | null;
  readonly read: () => RunRows;
  /** The reason to pass the duplicate guard; without it the rows that it bars are left out. */
  readonly again: Again | null;
}

/** How far the creation of a run is. */
type Creation =
  | { readonly kind: "idle" }
  | { readonly kind: "recording" }
  | { readonly kind: "started"; readonly run: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** A run that can be started. */
interface Starting {
  /** Why nothing else can be sent meanwhile; null before it is started. */
  readonly recording: string | null;
  readonly failed: { readonly error: unknown; readonly doing: string } | null;
  start(plan: RunPlan): void;
}

/** How often the profile of a running run is read again, in milliseconds. */
const profileEveryMs = 1_000;

/** The context of the bulk runs of a session. Rejects with JournalError. */
async function contextOf(session: Session): Promise<BulkContext> {
  const { context } = await session.writes();
  return bulkContextOf(context, session.service);
}

/** Runs in the background of the session; its end is reported on whatever screen is open. */
function useBackgroundRun() {
  const session = useSession();
  const { notices, clock, inFlight, key } = useApp();
  const { check } = useApp().lock;
  // A profile that is locked, moved or removed elsewhere stops its runs.
  const stopWithProfile = useCallback(
    async (run: string, isOver: AbortSignal) => {
      while (!isOver.aborted) {
        await clock.sleep(profileEveryMs, isOver).catch(() => {});
        if (isOver.aborted) return;
        const words = check();
        if (words === null) continue;
        session.tasks.runs.cancel(run);
        notices.show(`${words} Run ${run} is stopping.`, "bad");
        return;
      }
    },
    [clock, check, session, notices],
  );
  return useCallback(
    (
      context: BulkContext,
      run: string,
      work: (controls: TaskControls<RunStage>) => Promise<RunEnd>,
      onOver: (record: RunRecord) => void = () => {},
    ): boolean => {
      // Ctrl-C works on every screen: once to stop the run, twice to cut it off.
      const forget = inFlight.add(() => session.tasks.runs.cancel(run));
      const over = session.tasks.runs.start(run, { kind: "sending", progress: null }, work);
      if (over === null) {
        forget();
        return false;
      }
      const isOver = new AbortController();
      void stopWithProfile(run, isOver.signal);
      void over.then((task) => {
        forget();
        isOver.abort();
        try {
          const record = readRun(context.writes, run);
          notices.announce(...runEndWords(record, task, key));
          onOver(record);
        } catch {
          // The journal is closed with the session, so no one can read a message. A draft that
          // could not be removed is offered again.
        }
      });
      return true;
    },
    [session, notices, inFlight, key, stopWithProfile],
  );
}

/**
 * Creates a run from a form for several accounts, or from a file, and sends it. Once it is created
 * its screen stands in place of the review and of `below` screens under it.
 */
export function useStartRun(below: number): Starting {
  const { formDrafts, navigation } = useApp();
  const session = useSession();
  const startInBackground = useBackgroundRun();
  const [state, setState] = useState<Creation>({ kind: "idle" });
  const started = state.kind === "started" ? state.run : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has been started
  useEffect(() => {
    if (started === null) return;
    for (let left = 0; left <= below; left++) navigation.back();
    navigation.push({ kind: "run", id: started });
  }, [started]);
  const start = useCallback(
    (plan: RunPlan) => {
      const { kind, rows, requests, contents, draft, file, again } = plan;
      const discard = ({ counts }: RunRecord) => {
        if (draft === null || counts.confirmed + counts.exists < rows) return;
        // A draft that was changed meanwhile is another form, and stays.
        const kept = formDrafts.find(draft.id);
        if (kept?.updatedAt !== draft.updatedAt) return;
        const rest = leftAfterSending(kept);
        if (rest === null) formDrafts.remove(kept.id);
        else formDrafts.save(rest);
      };
      const begin = async () => {
        const context = await contextOf(session);
        const run = await createRun(context, {
          kind,
          source: file?.source ?? "console",
          sha256: file?.sha256 ?? "",
          results: null,
          reading: {
            ...(file === null ? {} : readingText(file.reading)),
            ...sendSettingsText({ again: again ?? undefined }),
            ...contentsText(contents),
          },
          rows,
          requests,
        });
        startInBackground(
          context,
          run,
          (controls) => recordAndSend(context, run, plan.read(), controls),
          discard,
        );
        setState({ kind: "started", run });
      };
      setState({ kind: "recording" });
      begin().catch((error: unknown) => setState({ kind: "failed", error }));
    },
    [formDrafts, session, startInBackground],
  );
  const isBegun = state.kind === "recording" || state.kind === "started";
  return {
    recording: isBegun ? "The run is being recorded." : null,
    failed: state.kind === "failed" ? { error: state.error, doing: "recording the run" } : null,
    start,
  };
}

/** Resumes a stopped run. */
export function useResumeRun(): (run: string) => void {
  const session = useSession();
  const { notices } = useApp();
  const startInBackground = useBackgroundRun();
  return useCallback(
    (run) => {
      contextOf(session)
        .then((context) => {
          if (!startInBackground(context, run, (controls) => sendRows(context, run, controls))) {
            notices.show(`Run ${run} is running here already.`, "waiting");
          }
        })
        .catch((error: unknown) => notices.show(errorMessage(error), "bad"));
    },
    [session, notices, startInBackground],
  );
}

/** Discards a run that sent nothing because its rows were not all recorded. */
export function useDiscardRun(): (run: string, onDiscarded: () => void) => void {
  const session = useSession();
  const { notices } = useApp();
  return useCallback(
    (run, onDiscarded) => {
      session
        .writes()
        .then(({ context }) => discardRun(context, run))
        .then(
          () => {
            notices.show(`Run ${run} is discarded. Nothing was sent.`, "ok");
            onDiscarded();
          },
          (error: unknown) => notices.show(errorMessage(error), "bad"),
        );
    },
    [session, notices],
  );
}
