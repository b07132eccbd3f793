import { useEffect, useLayoutEffect, useRef } from "react";
import { useConsole } from "./console.tsx";

/**
 * Keeps keys back from the moment this is drawn until all below it listens: React draws first and
 * lets listen afterwards, and on a busy machine a key that is typed ahead could fall in between.
 */
export function useKeysWaitForListeners(): void {
  const { holdKeys } = useConsole();
  const release = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    const letGo = holdKeys();
    release.current = letGo;
    return letGo;
  }, [holdKeys]);
  // Effects of what is below run before this one.
  useEffect(() => release.current?.(), []);
}
