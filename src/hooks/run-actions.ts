import { useCallback, useState } from "react";
import { type BulkContext, bulkContextOf } from "../bulk/bulk-context.ts";
import { discardRun } from "../bulk/discard.ts";
import { paceText } from "../bulk/pace.ts";
import type { PlannedRequest } from "../bulk/planned.ts";
import type { RunEnd } from "../bulk/progress.ts";
import type { RunRecord } from "../bulk/run-record.ts";
import { createRun, readRun } from "../bulk/runs.ts";
import type { FormKind } from "../forms/fields.ts";
import type { Session } from "../session/open-session.ts";
import { recordAndSend, runEndWords, sendRows } from "../session/run-task.ts";
import { leftAfterSending } from "../session/saved-draft.ts";
import type { RunStage, TaskControls } from "../session/tasks.ts";
import type { SavedDraft } from "../settings/saved-drafts.ts";
import type { Again } from "../writes/guard.ts";
import { useConsole } from "./console.tsx";
import { useInFlight } from "./in-flight.tsx";
import { useKeyWords } from "./keys.tsx";
import { useNotices } from "./notices.tsx";
import { useProfileCheck } from "./profile-check.ts";
import { useSession } from "./session.tsx";

/** A run that is to be made of what was composed. */
export interface RunPlan {
  /** Gone once every row is confirmed; else it is kept. */
  readonly draft: SavedDraft;
  readonly kind: FormKind;
  readonly rows: number;
  readonly requests: number;
  readonly planned: () => AsyncIterable<PlannedRequest>;
  /** The operator's way past the duplicate guard; without it the accounts it is about are left out. */
  readonly again: Again | null;
}

/** How far the start of a run is. */
export type Starting =
  | { readonly kind: "idle" }
  | { readonly kind: "recording" }
  | { readonly kind: "started"; readonly run: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** How often the profile of a run under way is read again, in milliseconds. */
const profileEveryMs = 1_000;

/** What bulk runs of a session are made with. Rejects with JournalError. */
async function contextOf(session: Session): Promise<BulkContext> {
  const { context } = await session.writes();
  return bulkContextOf(context, session.service);
}

/** Runs in the background of the session; its end is reported on whatever screen is open. */
function useBackgroundRun() {
  const session = useSession();
  const notices = useNotices();
  const inFlight = useInFlight();
  const key = useKeyWords();
  const { clock } = useConsole();
  const check = useProfileCheck();
  // A profile that is locked, moved or removed elsewhere stops what is still to be sent with it.
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
      // Ctrl-C reaches it from every screen: once to stop it, twice to cut it off.
      const forget = inFlight.add(() => session.tasks.runs.cancel(run));
      const over = session.tasks.runs.start(run, { kind: "sending", progress: null }, work);
      if (over === null) {
        forget();
        return false;
      }
      const isOver = new AbortController();
      // What only reads may go on.
      if (readRun(context.writes, run).kind !== "status") void stopWithProfile(run, isOver.signal);
      void over.then((task) => {
        forget();
        isOver.abort();
        try {
          const record = readRun(context.writes, run);
          notices.announce(...runEndWords(record, task, key));
          onOver(record);
        } catch {
          // The journal is closed with the session; then nobody is there to be told. A draft that
          // could not be removed is only offered once more.
        }
      });
      return true;
    },
    [session, notices, inFlight, key, stopWithProfile],
  );
}

/** Makes a run of what was composed for several accounts, and sends it. */
export function useStartRun(): { readonly state: Starting; start(plan: RunPlan): void } {
  const { formDrafts } = useConsole();
  const session = useSession();
  const startInBackground = useBackgroundRun();
  const [state, setState] = useState<Starting>({ kind: "idle" });
  const start = useCallback(
    (plan: RunPlan) => {
      const { kind, rows, requests, draft, again } = plan;
      const discard = ({ counts }: RunRecord) => {
        if (counts.confirmed + counts.exists < rows) return;
        // What was typed while it was under way is another form, and is left alone.
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
          source: "console",
          sha256: "",
          results: null,
          reading: paceText({ again: again ?? undefined }),
          rows,
          requests,
        });
        startInBackground(
          context,
          run,
          (controls) => recordAndSend(context, run, plan.planned(), controls),
          discard,
        );
        setState({ kind: "started", run });
      };
      setState({ kind: "recording" });
      begin().catch((error: unknown) => setState({ kind: "failed", error }));
    },
    [formDrafts, session, startInBackground],
  );
  return { state, start };
}

/** Lets a stopped run go on. */
export function useResumeRun(): (run: string) => void {
  const session = useSession();
  const notices = useNotices();
  const startInBackground = useBackgroundRun();
  return useCallback(
    (run) => {
      contextOf(session)
        .then((context) => {
          if (!startInBackground(context, run, (controls) => sendRows(context, run, controls))) {
            notices.show(`Run ${run} is running here already.`, "waiting");
          }
        })
        .catch((error: unknown) =>
          notices.show(error instanceof Error ? error.message : String(error), "bad"),
        );
    },
    [session, notices, startInBackground],
  );
}

/** Takes a run off the list of which nothing was sent, because its rows were never all on record. */
export function useDiscardRun(): (run: string, onDiscarded: () => void) => void {
  const session = useSession();
  const notices = useNotices();
  return useCallback(
    (run, onDiscarded) => {
      session
        .writes()
        .then(({ context }) => discardRun(context, run))
        .then(
          () => {
            notices.show(`Run ${run} is discarded. Nothing of it was sent.`, "ok");
            onDiscarded();
          },
          (error: unknown) =>
            notices.show(error instanceof Error ? error.message : String(error), "bad"),
        );
    },
    [session, notices],
  );
}
