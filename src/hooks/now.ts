/** React hooks for the current time, the clock of the service, and the displayed time zone. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Action } from "../keys/scopes.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { type ShownZone, shownZone, zoneLabel } from "../text/dates.ts";
import { useApp, useOpenSession } from "./app.tsx";
import { useActive, useLinear } from "./window.tsx";

const calmMs = 10_000;

/**
 * Returns the time in epoch milliseconds, for ages and countdowns. Renders again every `wishedMs`
 * milliseconds while the screen is on top, but not more often than every 10 s on a linear screen or
 * with reduced motion.
 */
export function useNow(wishedMs = 1_000): number {
  const { clock, reducedMotion } = useApp();
  const linear = useLinear();
  const everyMs = linear || reducedMotion ? Math.max(wishedMs, calmMs) : wishedMs;
  const active = useActive();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (!active) return;
    return runUntilCleanup(async (signal) => {
      setNow(clock.now());
      while (!signal.aborted) {
        await clock.sleep(everyMs - (clock.now() % everyMs), signal);
        setNow(clock.now());
      }
    });
  }, [clock, everyMs, active]);
  return now;
}

/**
 * Returns the current time in epoch milliseconds, corrected if this machine's clock is wrong. Use
 * it for ages of the service's data and of stored lists. Use {@link useNow} for the times of this
 * console's actions.
 */
export function useServiceNow(wishedMs: number): number {
  return useNow(wishedMs) - useWrongByMs();
}

/**
 * Returns the milliseconds by which this machine's clock is wrong, or 0 if it differs by less than
 * an hour from the service's clock.
 */
export function useWrongByMs(): number {
  return useOpenSession()?.service.wrongByMs() ?? 0;
}

export function useShownZone(): ShownZone {
  return useSyncExternalStore(shownZone.subscribe, shownZone.get);
}

export function useZoneAction(): Action {
  const { clock, notices } = useApp();
  const zone = useShownZone();
  return useMemo(
    () => ({
      label: zone === "utc" ? "local time" : "utc",
      run: () => {
        shownZone.set(zone === "utc" ? "local" : "utc");
        notices.show(`Times are in ${zoneLabel(clock.now())}.`);
      },
    }),
    [zone, notices, clock],
  );
}
