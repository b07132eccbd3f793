import { type Recording, recordingOf } from "../settings/observing.ts";
import { places } from "../settings/places.ts";
import { lazyObservations } from "../triage/observations/lazy.ts";
import type { Observations, Recorded } from "../triage/observations/observations.ts";
import { recordedWords } from "../triage/observations/recorded-words.ts";
import { failureOf } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import { type Target, withTarget } from "./target.ts";

/** The observations of the service that a command works with. */
export interface Observing {
  /**
   * The observations, opened at the first use. A recorded load prints what the user must know about
   * it.
   */
  readonly observations: Observations;
  /**
   * Reads data that a result can do without. Returns null if nothing is known, or undefined if it
   * cannot be read, which is reported once.
   */
  read<T>(work: (observations: Observations) => Promise<T | null>): Promise<T | null | undefined>;
  /** Records loads that are not read afterwards: if nothing is recorded, they cost nothing. */
  readonly recorder: Pick<Observations, "begin">;
}

/**
 * Runs work that reads or records observations of a service. They are on the disk when it resolves.
 * The observations of an embedded sandbox are in memory and end with it.
 */
export async function observing<T>(
  invocation: Invocation,
  { service, observationsPlace: place }: Pick<Target, "service" | "observationsPlace">,
  work: (observing: Observing) => Promise<T>,
): Promise<T> {
  const { io, globals } = invocation;
  /** Problems that were reported. */
  const reported = new Set<string>();
  const warn = (problem: string, words: string) => {
    if (!reported.has(problem)) invocation.warn(words);
    reported.add(problem);
  };
  const onRecorded = (supplier: string, recorded: Recorded) => {
    const words = recordedWords(supplier, recorded, globals.profile ?? null)?.whole ?? null;
    if (words !== null) warn(recorded.kind === "off" ? (recorded.why ?? "") : words, words);
  };
  const recording = await recordingFor(invocation);
  const observations = lazyObservations({
    place,
    origin: service.baseUrl,
    judge: service,
    clock: io.clock,
    onRecorded,
    recording: async () => recording,
  });
  const isOff = !recording.isRecording && recording.problem === null;
  try {
    return await work({
      observations,
      recorder: isOff ? notRecording : observations,
      async read(work) {
        try {
          return await work(observations);
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
  }
}

const notRecording: Pick<Observations, "begin"> = {
  begin: () => ({
    take: () => null,
    finish: async () => ({ kind: "off", why: null, seen: null, storedAt: null }),
    discard: () => {},
  }),
};

/** Does work against the service that is meant, and with its observations. */
export function withObservations<T>(
  invocation: Invocation,
  work: (observing: Observing, target: Target) => Promise<T>,
): Promise<T> {
  return withTarget(invocation, (target) =>
    observing(invocation, target, (opened) => work(opened, target)),
  );
}

/** Does work with the observations of every service. */
export async function withStored<T>(
  { globals, io }: Invocation,
  work: (observations: Observations) => Promise<T>,
): Promise<T> {
  const observations = lazyObservations({
    // The observations of an embedded sandbox ended with it.
    place: globals.sandbox
      ? { pastLists: async () => [] }
      : { folder: places(io.env, io.home).stateDir },
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

/** Decides if a command records lists as observations. */
export function recordingFor(invocation: Invocation): Promise<Recording> {
  const { env } = invocation.io;
  return recordingOf(env, async () => (await invocation.settings()).preferences());
}
