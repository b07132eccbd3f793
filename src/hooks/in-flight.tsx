/**
 * React hooks that let Ctrl-C cancel work, hold typed keys until a screen can handle them, and
 * check that a key was typed after its question appeared.
 */
import { useCallback, useEffect, useInsertionEffect, useLayoutEffect, useRef } from "react";
import { useApp } from "./app.tsx";
import { useActive } from "./window.tsx";

/** Lets Ctrl-C call `cancel` while `running` is true. */
export function useCancellable(running: boolean, cancel: () => void): void {
  const { inFlight } = useApp();
  useEffect(() => (running ? inFlight.add(cancel) : undefined), [inFlight, running, cancel]);
}

/** Maximum milliseconds for which keys wait for the journal: shorter than human reaction time. */
const journalWaitMs = 500;
/**
 * Maximum milliseconds for which keys wait for a session, such as the sandbox on a busy machine.
 * Ctrl-C never waits.
 */
const sessionWaitMs = 2_000;

/**
 * Holds keys from the first frame until the components below listen. React draws first and
 * subscribes afterwards, so on a busy machine a key that is typed ahead could be lost in between.
 */
export function useKeysWaitForListeners(): void {
  const { holdKeys } = useApp();
  const release = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    const letGo = holdKeys();
    release.current = letGo;
    return letGo;
  }, [holdKeys]);
  // The effects of the components below run before this one.
  useEffect(() => release.current?.(), []);
}

/**
 * Holds keys that are typed ahead while the journal opens and the screen is on top, so that none is
 * lost. After half a second the keys are released even if the journal is still opening.
 */
export function useKeysWaitForJournal(opening: boolean): void {
  useKeysWait(opening, journalWaitMs);
}

/** Holds keys while a session opens, because the first keys arrive before it is open. */
export function useKeysWaitForSession(): void {
  useKeysWait(true, sessionWaitMs);
}

function useKeysWait(opening: boolean, longestMs: number): void {
  const { holdKeys, clock } = useApp();
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

/** The notice about a key that was pressed before its question was drawn. */
export const typedAheadWords =
  "This key was typed before the question was on the screen: press it again.";

/**
 * Returns a function that is true if the current key was typed after `question` was drawn, so that
 * the key can answer it. After a change of `question`, the new question must be drawn first.
 */
export function useAnswers(question: unknown): () => boolean {
  const { frames } = useApp();
  const drawnBefore = useRef(Number.POSITIVE_INFINITY);
  // Runs before Ink draws the frame of this commit, which is the first frame with the question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question has to be drawn
  useInsertionEffect(() => {
    drawnBefore.current = frames.drawn;
  }, [frames, question]);
  return useCallback(() => frames.atKey > drawnBefore.current, [frames]);
}
