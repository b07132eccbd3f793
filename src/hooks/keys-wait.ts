import { useEffect, useLayoutEffect, useRef } from "react";
import { useConsole } from "./console.tsx";
import { useActive } from "./window.tsx";

/** So long do keys wait for the journal, in milliseconds: a hand that waits for the screen is slower. */
const journalWaitMs = 500;
/** And for a session: the sandbox of a busy machine takes so long, and Ctrl-C waits for nothing. */
const sessionWaitMs = 2_000;

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

/**
 * A key that is typed ahead of what the journal says waits for it, so that it is not lost, while the
 * screen is on top. A journal that takes long keeps no key back.
 */
export function useKeysWaitForJournal(opening: boolean): void {
  useKeysWait(opening, journalWaitMs);
}

/** The same for what needs a session, while one is opened: the first keys come before it is there. */
export function useKeysWaitForSession(): void {
  useKeysWait(true, sessionWaitMs);
}

function useKeysWait(opening: boolean, longestMs: number): void {
  const { holdKeys, clock } = useConsole();
  const active = useActive();
  const waits = opening && active;
  useLayoutEffect(() => {
    if (!waits) return;
    const letGo = holdKeys();
    const over = new AbortController();
    clock.sleep(longestMs, over.signal).then(letGo, () => {});
    return () => {
      over.abort();
      letGo();
    };
  }, [waits, holdKeys, clock, longestMs]);
}
