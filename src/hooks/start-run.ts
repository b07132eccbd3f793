/** Creates a bulk run from a form or a file, and starts to send it. */
import { useCallback, useEffect, useState } from "react";
import type { Checked } from "../bulk/check.ts";
import { createRunOf } from "../bulk/record.ts";
import type { RunRecord } from "../bulk/run-record.ts";
import type { RowSource } from "../bulk/source.ts";
import { runContextOf, runInBackground } from "../session/bulk-run.ts";
import { removeSent } from "../session/draft.ts";
import type { SavedDraft } from "../state/drafts.ts";
import type { GuardOverride } from "../writes/guard.ts";
import { useHere } from "./app.tsx";

/** A run to create. */
interface RunPlan {
  /** The saved form of the run, or null. It is removed if every row is confirmed. */
  readonly draft: SavedDraft | null;
  readonly source: RowSource;
  readonly checked: Checked;
  /**
   * The reason to override the duplicate guard, or null. Without a reason, the rows that the guard
   * bars are left out.
   */
  readonly again: GuardOverride | null;
}

/** The progress of the creation of a run. */
type Creation =
  | { readonly kind: "idle" }
  | { readonly kind: "recording" }
  | { readonly kind: "started"; readonly run: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** The state of starting a run, and the function that starts it. */
interface Starting {
  /** The reason why nothing else can be sent while rows are recorded, or null before the start. */
  readonly recording: string | null;
  readonly failed: { readonly error: unknown; readonly doing: string } | null;
  start(plan: RunPlan): void;
}

/**
 * Creates a run from a form for several accounts, or from a file, and sends it. Then the screen of
 * the run replaces the review and the `below` screens under the review.
 */
export function useStartRun(below: number): Starting {
  const here = useHere();
  const { formDrafts, navigation } = here.app;
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
      const { draft, source, checked, again } = plan;
      const discard = ({ counts }: RunRecord) => {
        if (draft === null || counts.confirmed + counts.exists < checked.rows) return;
        // A draft that was changed meanwhile is a different form, so it stays.
        const stored = formDrafts.find(draft.id);
        if (stored?.updatedAt === draft.updatedAt) removeSent(formDrafts, stored);
      };
      const begin = async () => {
        const context = await runContextOf(here.session);
        const run = await createRunOf(context, source, checked, { again: again ?? undefined });
        runInBackground(here, context, run, source, discard);
        setState({ kind: "started", run });
      };
      setState({ kind: "recording" });
      begin().catch((error: unknown) => setState({ kind: "failed", error }));
    },
    [formDrafts, here],
  );
  const isBegun = state.kind === "recording" || state.kind === "started";
  return {
    recording: isBegun ? "The run is being recorded." : null,
    failed: state.kind === "failed" ? { error: state.error, doing: "recording the run" } : null,
    start,
  };
}
