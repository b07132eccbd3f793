/**
 * React hooks that make Ctrl-C cancel work, buffer typed keys until a screen can handle them, and
 * check that a key was typed after its question was drawn.
 */
import { useCallback, useEffect, useInsertionEffect, useLayoutEffect, useRef } from "react";
import { useApp } from "./app.tsx";
import { useActive } from "./window.tsx";

export function useCancellable(running: boolean, cancel: () => void): void {
  const { inFlight } = useApp();
  useEffect(() => (running ? inFlight.add(cancel) : undefined), [inFlight, running, cancel]);
}

const journalWaitMs = 500;
/**
 * The maximum time for which keys wait until a session is open, in milliseconds. The sandbox starts
 * slowly on a busy machine. Ctrl-C never waits.
 */
const sessionWaitMs = 2_000;

/**
 * Buffers keys from the first frame until the components below handle keys. React draws first and
 * subscribes afterward, so on a busy machine a key that is typed in between would be ignored.
 */
export function useKeysWaitForListeners(): void {
  const { holdKeys } = useApp();
  const latestRelease = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    const release = holdKeys();
    latestRelease.current = release;
    return release;
  }, [holdKeys]);
  // The effects of the components below run before this one.
  useEffect(() => latestRelease.current?.(), []);
}

/**
 * Buffers typed keys while the journal opens and the screen is on top, so that none is ignored.
 * After `journalWaitMs` the keys are released even if the journal is still opening.
 */
export function useKeysWaitForJournal(opening: boolean): void {
  useKeysWait(opening, journalWaitMs);
}

export function useKeysWaitForSession(): void {
  useKeysWait(true, sessionWaitMs);
}

function useKeysWait(opening: boolean, maxMs: number): void {
  const { holdKeys, clock } = useApp();
  const active = useActive();
  const waits = opening && active;
  useLayoutEffect(() => {
    if (!waits) return;
    const release = holdKeys();
    const timer = new AbortController();
    clock.sleep(maxMs, timer.signal).then(release, () => {});
    return () => {
      timer.abort();
      release();
    };
  }, [waits, holdKeys, clock, maxMs]);
}

export const typedAheadWords =
  "This key was typed before the question was on the screen: press it again.";

/**
 * Returns a function that is true if the current key was typed after `question` was drawn, so that
 * the key can answer it. After a change of `question`, the new question must be drawn first.
 */
export function useIsQuestionDrawn(question: unknown): () => boolean {
  const { frames } = useApp();
  const drawnBefore = useRef(Number.POSITIVE_INFINITY);
  // This effect runs before Ink draws the first frame with the question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question has to be drawn
  useInsertionEffect(() => {
    drawnBefore.current = frames.drawn;
  }, [frames, question]);
  return useCallback(() => frames.atKey > drawnBefore.current, [frames]);
}
