import type { Profile } from "../settings/schemas.ts";
import { type Recording, recordingOf } from "../settings/settings.ts";
import {
  notRecorded,
  type Observations,
  type Recorded,
} from "../triage/observations/observations.ts";
import { lazyObservations } from "../triage/observations/open-observations.ts";
import type { HistoryTeam } from "../triage/observations/team-history.ts";
import { awayWords, droppedWords, recordedWords } from "../triage/observations/words.ts";
import type { WatchSubject } from "../watch/timeline.ts";
import { failureOf } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import { type Target, withTarget } from "./target.ts";

export interface Observing {
  /**
   * The observations, opened at the first use. Problems with a recorded list are reported as
   * warnings.
   */
  readonly observations: Observations;
  /**
   * Reads optional data. Returns null if nothing is stored. If the data cannot be read, reports that
   * once and returns undefined.
   */
  read<T>(work: (observations: Observations) => Promise<T | null>): Promise<T | null | undefined>;
  /** Records a status that was just checked. */
  saw(subject: WatchSubject, state: string): void;
  /**
   * Records lists for commands that read no observations. Does nothing if recording is switched
   * off.
   */
  readonly recorder: Pick<Observations, "begin">;
  /**
   * Returns the recorder for a command that reads one list of a supplier and then its ages. Without
   * a stored list and with recording switched off, the list has no history: it is not compared,
   * which takes longer than reading it.
   */
  recorderOf(supplier: string): Promise<Pick<Observations, "begin">>;
}

/**
 * Runs work with the observations of a service, and closes them afterwards. Recorded lists and
 * checks are on the disk when the promise resolves. The observations of an embedded sandbox are only in memory.
 */
export async function observing<T>(
  invocation: Invocation,
  { service, profile, observationsPlace: place }: ObservedTarget,
  work: (observing: Observing) => Promise<T>,
): Promise<T> {
  const { io, globals } = invocation;
  const reported = new Set<string>();
  const warn = (problem: string, words: string) => {
    if (!reported.has(problem)) invocation.warn(words);
    reported.add(problem);
  };
  const onRecorded = (supplier: string, recorded: Recorded) => {
    const words = recordedWords(supplier, recorded, globals.profile ?? null)?.whole ?? null;
    if (words !== null) warn(recorded.kind === "off" ? (recorded.why ?? "") : words, words);
  };
  const recording = recordingFor(invocation);
  const observations = lazyObservations({
    place,
    origin: service.baseUrl,
    judge: service,
    clock: io.clock,
    onRecorded,
    recording: async () => recording,
    team: teamOf(invocation, profile, service.baseUrl, (words) => warn(words, words)),
  });
  const isOff = !recording.isRecording && recording.problem === null;
  const recorder = isOff ? notRecording : observations;
  /** Returns true if a list of the supplier is stored, or if that is not known. */
  const hasHistory = (supplier: string) =>
    observations.summary(supplier, io.clock.now()).then(
      (summary) => summary !== null,
      () => true,
    );
  let hasChecks = false;
  try {
    return await work({
      observations,
      recorder,
      saw(subject, state) {
        hasChecks = true;
        observations.saw(subject, state, io.clock.now() - service.wrongByMs());
      },
      recorderOf: async (supplier) =>
        isOff && (await hasHistory(supplier)) ? observations : recorder,
      async read(read) {
        try {
          return await read(observations);
        } catch (error) {
          io.signal.throwIfAborted();
          const { message } = failureOf(error);
          warn(observations.problem() ?? message, `Ages are unavailable: ${message}`);
          return undefined;
        }
      },
    });
  } finally {
    await observations.close();
    const problem = hasChecks ? observations.problem() : null;
    if (problem !== null) warn(problem, `Checks are not recorded: ${problem}`);
  }
}

type ObservedTarget = Pick<Target, "service" | "profile" | "observationsPlace">;

/** Returns the team that shares the lists of a profile's service, or null without one. */
function teamOf(
  { io }: Invocation,
  profile: Profile,
  baseUrl: string,
  warn: (words: string) => void,
): HistoryTeam | null {
  if (profile.team === undefined) return null;
  return {
    isFollowing: false,
    load: async () => {
      const { profileMemory } = await import("../writes/team/profile-memory.ts");
      const { env, home, loadMemory: load } = io;
      return profileMemory(profile, baseUrl, { env, home, load });
    },
    onAway: (error) => warn(awayWords(error)),
    onDropped: (supplier, lists) => warn(droppedWords(supplier, lists)),
  };
}

const notRecording: Pick<Observations, "begin"> = {
  begin: () => ({
    take: async () => {},
    finish: async () => notRecorded(null),
    discard: () => {},
  }),
};

export function withObservations<T>(
  invocation: Invocation,
  work: (observing: Observing, target: Target) => Promise<T>,
): Promise<T> {
  return withTarget(invocation, (target) =>
    observing(invocation, target, (observing) => work(observing, target)),
  );
}

export async function withStoredObservations<T>(
  { globals, io, folders }: Invocation,
  work: (observations: Observations) => Promise<T>,
): Promise<T> {
  const observations = lazyObservations({
    // An embedded sandbox stores no observations.
    place: globals.sandbox ? { pastLists: async () => [] } : { folder: folders.stateDir },
    origin: "",
    clock: io.clock,
    recording: async () => ({ isRecording: false, problem: null }),
  });
  try {
    return await work(observations);
  } finally {
    await observations.close();
  }
}

export function recordingFor(invocation: Invocation): Recording {
  const { env } = invocation.io;
  return recordingOf(env, () => invocation.settings().preferences());
}
