import { useEffect, useState } from "react";
import { useConsole } from "./console.tsx";
import { useActive } from "./window.tsx";

/** A cursor that stays this long has come to rest, in milliseconds. */
const restMs = 300;

/**
 * The last value that stayed for a moment, by its `key`; null before the first one. For what costs a
 * request or a lot of drawing, and is not wanted for rows that the cursor only passes.
 */
export function useRested<T>(value: T, key: string): T | null {
  const { clock } = useConsole();
  const active = useActive();
  const [rested, setRested] = useState<T | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same value is another object with each frame
  useEffect(() => {
    if (!active) return;
    const stop = new AbortController();
    clock.sleep(restMs, stop.signal).then(
      () => setRested(value),
      () => {},
    );
    return () => stop.abort();
  }, [clock, active, key]);
  return rested;
}
