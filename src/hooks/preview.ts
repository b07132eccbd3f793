import { useCallback, useEffect, useState } from "react";
import { isServiceError } from "../api/errors.ts";
import type { Session } from "../session/open-session.ts";
import { notFound, type Transition } from "../watch/transitions.ts";
import { useApp, useSession } from "./app.tsx";
import { useActive } from "./window.tsx";

/** Age in milliseconds up to which a check is not repeated. */
const freshMs = 10_000;

/** The timeline of the account whose preview is shown beside its list. */
export interface AccountPreview {
  /** Empty before the first check. */
  readonly timeline: readonly Transition[];
  /** The error of the last check, or null if it succeeded. A 404 is a state, not an error. */
  readonly error: unknown;
}

/**
 * Returns the status of one account (INTERFACE 4.8): its observations, then the result of one
 * check, unless there was a check a moment ago. Checks again whenever `again` changes. Checks wait
 * for room in the request rate that all watched subjects share.
 */
export function useAccountPreview(
  supplier: string,
  account: string,
  again: unknown,
): AccountPreview {
  const session = useSession();
  const { clock } = useApp();
  const active = useActive();
  const subject = { kind: "account", supplier, number: account } as const;
  const [seen, setSeen] = useState<AccountPreview>(() => ({
    timeline: session.sightings.of(subject),
    error: null,
  }));
  const look = useCallback(
    async (stop: AbortSignal) => {
      const put = (patch: Partial<AccountPreview>) => {
        if (!stop.aborted) setSeen((before) => ({ ...before, ...patch }));
      };
      const about = { kind: "account", supplier, number: account } as const;
      const timeline = await session.recall(about);
      put({ timeline });
      const checkedAt = timeline.at(-1)?.lastSeenAt ?? Number.NEGATIVE_INFINITY;
      if (stop.aborted || session.now() - checkedAt < freshMs) return;
      try {
        const state = await checkOnce(session, supplier, account, stop);
        if (stop.aborted) return;
        put({ timeline: session.sightings.saw(about, state, clock.now()), error: null });
        session.report(null);
      } catch (error) {
        if (stop.aborted) return;
        put({ error });
        session.report(error);
      }
    },
    [session, supplier, account, clock],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks for another check
  useEffect(() => {
    if (!active) return;
    const stop = new AbortController();
    void look(stop.signal);
    return () => stop.abort();
  }, [look, active, again]);
  return seen;
}

/** Checks the state of an account once. Rejects with the error of the check. */
async function checkOnce(
  { service, budget }: Session,
  supplier: string,
  account: string,
  stop: AbortSignal,
): Promise<string> {
  try {
    const { value } = await budget.spend(
      (signal) => service.accounts.status(supplier, account, { signal, retries: 0 }),
      stop,
    );
    return value.status;
  } catch (error) {
    if (isServiceError(error, "not-found")) return notFound;
    throw error;
  }
}
