/** Reads and checks the status of the account in the preview of a list. */
import { useEffect, useState } from "react";
import { isServiceError } from "../api/errors.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import type { Transition } from "../watch/timeline.ts";
import { useSession } from "./app.tsx";
import { useActive } from "./window.tsx";

const freshMs = 10_000;

export interface AccountPreview {
  readonly timeline: readonly Transition[];
  /** The error of the last check, or null if it succeeded. A 404 is a state, not an error. */
  readonly error: unknown;
}

/**
 * Returns the status of one account (INTERFACE 4.8): its observations, then the result of one
 * check, unless the last check is less than 10 s old. Checks again if `version` changes.
 */
export function useAccountPreview(
  supplier: string,
  account: string,
  version: unknown,
): AccountPreview {
  const session = useSession();
  const active = useActive();
  const subject = { kind: "account", supplier, number: account } as const;
  const [preview, setPreview] = useState<AccountPreview>(() => ({
    timeline: session.checkHistory.of(subject),
    error: null,
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is checked again
  useEffect(() => {
    if (!active) return;
    const checked = { kind: "account", supplier, number: account } as const;
    return runUntilCleanup(async (signal) => {
      const timeline = await session.recall(checked);
      if (signal.aborted) return;
      setPreview((before) => ({ ...before, timeline }));
      const checkedAt = timeline.at(-1)?.lastSeenAt ?? Number.NEGATIVE_INFINITY;
      if (session.now() - checkedAt < freshMs) return;
      const stop = session.watch.show(checked, (event) => {
        if (event.kind === "checking") return;
        const error = event.kind === "failed" ? event.error : null;
        setPreview({
          timeline: session.checkHistory.of(checked),
          error: isServiceError(error, "not-found") ? null : error,
        });
        stop();
      });
      signal.addEventListener("abort", stop, { once: true });
    });
  }, [session, supplier, account, active, version]);
  return preview;
}
