import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Action } from "../keys/scopes.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { type ShownZone, shownZone, zoneLabel } from "../text/dates.ts";
import { useApp, useSessionState } from "./app.tsx";
import { useActive, useLinear } from "./window.tsx";

const calmMs = 10_000;

/**
 * The time in epoch milliseconds, rendered again every `wishedMs` while the screen is on top; for
 * ages and countdowns. Less often on a linear screen and with reduced motion.
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
 * Returns the time of the service's clock if this machine's clock is wrong. Ages of the service's
 * data and of stored lists count to it. Times of this console's actions count to {@link useNow}.
 */
export function useServiceNow(wishedMs: number): number {
  return useNow(wishedMs) - useWrongByMs();
}

/** Milliseconds by which this machine's clock is wrong; 0 within an hour of the service's. */
export function useWrongByMs(): number {
  const state = useSessionState();
  return state.kind === "open" ? state.session.service.wrongByMs() : 0;
}

/** The zone that times are shown in; components that show times are drawn again when it changes. */
export function useShownZone(): ShownZone {
  return useSyncExternalStore(shownZone.subscribe, shownZone.get);
}

/** The palette action that switches times between UTC and the local zone. */
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
