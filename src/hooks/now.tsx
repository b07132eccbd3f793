import { useEffect, useState } from "react";
import { useActive } from "./active.tsx";
import { useConsole } from "./console.tsx";
import { useLinear } from "./linear.ts";

const calmMs = 10_000;

/**
 * The time, rendered again every `wishedMs` while the screen is on top: for ages and countdowns.
 * Less often for who wants little to move. Epoch milliseconds.
 */
export function useNow(wishedMs = 1_000): number {
  const { clock, reducedMotion } = useConsole();
  const linear = useLinear();
  const everyMs = linear || reducedMotion ? Math.max(wishedMs, calmMs) : wishedMs;
  const active = useActive();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (!active) return;
    const stop = new AbortController();
    const tick = async () => {
      setNow(clock.now());
      while (!stop.signal.aborted) {
        await clock.sleep(everyMs - (clock.now() % everyMs), stop.signal);
        setNow(clock.now());
      }
    };
    tick().catch(() => {});
    return () => stop.abort();
  }, [clock, everyMs, active]);
  return now;
}
