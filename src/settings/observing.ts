import { errorMessage } from "../api/errors.ts";
import type { Preferences } from "./schemas.ts";

/** The answer to the question if lists are recorded. */
export interface Recording {
  readonly isRecording: boolean;
  /** The reason why nothing is recorded although the user did not switch it off, or null. */
  readonly problem: string | null;
}

/**
 * Decides if complete lists are recorded as observations: `SUPPLYLINE_OBSERVE` (0 is no) overrides the
 * preference `recordObservations`. Preferences that cannot be read might say no: nothing is recorded
 * then, and `problem` is the reason.
 */
export async function recordingOf(
  env: Readonly<Record<string, string | undefined>>,
  preferences: () => Pick<Preferences, "recordObservations"> | Promise<Preferences>,
): Promise<Recording> {
  const { SUPPLYLINE_OBSERVE: said } = env;
  try {
    const isRecording = said ? said !== "0" : (await preferences()).recordObservations;
    return { isRecording, problem: null };
  } catch (error) {
    return { isRecording: false, problem: errorMessage(error) };
  }
}
