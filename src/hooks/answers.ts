/** Checks that a key was typed after its question appeared. */
import { useCallback, useInsertionEffect, useRef } from "react";
import { useApp } from "./app.tsx";

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
