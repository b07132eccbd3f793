/** Decides if loaded lists are recorded as observations. */
import { errorMessage } from "../api/errors.ts";
import type { Preferences } from "./schemas.ts";

/** The decision to record loaded lists as observations or not, and a problem that affected it. */
export interface Recording {
  readonly isRecording: boolean;
  /** The reason why nothing is recorded although the user did not turn recording off, or null. */
  readonly problem: string | null;
}

/**
 * Decides if complete lists are recorded as observations. `SUPPLYLINE_OBSERVE` overrides the
 * preference `recordObservations`. The value 0 turns recording off. If the preferences cannot be
 * read, nothing is recorded, because they might turn recording off. `problem` is the reason then.
 */
export async function recordingOf(
  env: Readonly<Record<string, string | undefined>>,
  preferences: () => Pick<Preferences, "recordObservations"> | Promise<Preferences>,
): Promise<Recording> {
  const { SUPPLYLINE_OBSERVE: override } = env;
  try {
    const isRecording = override ? override !== "0" : (await preferences()).recordObservations;
    return { isRecording, problem: null };
  } catch (error) {
    return { isRecording: false, problem: errorMessage(error) };
  }
}
