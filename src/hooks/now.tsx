import { useEffect, useState } from "react";
import { useActive } from "./active.tsx";
import { useConsole } from "./console.tsx";

/**
 * The time, rendered again every `everyMs` while the screen is on top: for ages and countdowns.
 * Epoch milliseconds.
 */
export function useNow(everyMs = 1_000): number {
  const { clock } = useConsole();
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
