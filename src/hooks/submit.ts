import { useCallback } from "react";
import type { Draft } from "../settings/draft.ts";
import { describeError, oneLine } from "../text/describe-error.ts";
import type { WriteRequest } from "../writes/prepare.ts";
import type { WriteResult } from "../writes/submit.ts";
import { useConsole } from "./console.tsx";
import { useNotices } from "./notices.tsx";
import { useSession } from "./session.tsx";

/** A draft that is to be sent. */
export interface ToSubmit {
  readonly draft: string;
  readonly request: WriteRequest;
  /** Sends a form that had a 400 all the same. */
  readonly again: { readonly reason: string } | null;
  /** What the form is told of a refusal. */
  readonly refusalsOf: (result: WriteResult) => Draft["refusals"];
}

/**
 * Sends a draft through the one write path. Once confirmed the draft is gone; what was refused is
 * written into it; in every other case it stays as it is. This happens whatever screen is up.
 */
export function useSubmit(): (what: ToSubmit) => void {
  const { formDrafts, clock } = useConsole();
  const session = useSession();
  const notices = useNotices();
  return useCallback(
    ({ draft: id, request, again, refusalsOf }) => {
      const settle = (result: WriteResult) => {
        if (result.outcome === "confirmed") {
          formDrafts.remove(id);
          return;
        }
        const draft = formDrafts.find(id);
        const refusals = refusalsOf(result);
        if (draft && refusals.length > 0) {
          formDrafts.save({ ...draft, refusals, updatedAt: clock.now() });
        }
      };
      session.submissions.start(id, {
        writes: session.writes,
        request,
        again,
        onEnd(end) {
          if (end.kind !== "ended") return;
          const { result } = end;
          session.report(result.error);
          try {
            settle(result);
            const tone = result.outcome === "confirmed" ? "ok" : "waiting";
            notices.show(`Journal entry ${result.journalId}: ${result.outcome}.`, tone);
          } catch (error) {
            notices.show(oneLine(describeError(error, { doing: "keeping the draft" })), "bad");
          }
        },
      });
    },
    [formDrafts, clock, session, notices],
  );
}
