import { errorMessage } from "../api/errors.ts";
import type { Service } from "../api/service.ts";
import { recordsObservations } from "../settings/observing.ts";
import { places } from "../settings/places.ts";
import { lateRecorder } from "../triage/observations/late-recorder.ts";
import type { LoadRecorder, Observations, Recorded } from "../triage/observations/observations.ts";
import type { ObservationsPlace } from "../triage/observations/open-place.ts";
import { recordedWords } from "../triage/observations/recorded-words.ts";
import { hasObservations } from "../triage/observations/schema.ts";
import { failureOf } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import { type Target, withTarget } from "./target.ts";

/** The observations of the service that a command works with; opened at the first use. */
export interface Observing {
  /** Null where nothing is known yet; no file is made. */
  openToRead(): Promise<Observations | null>;
  /**
   * Reads something that a result can do without; null where nothing is known. Undefined where it
   * cannot be read, which is reported once.
   */
  read<T>(work: (observations: Observations) => Promise<T | null>): Promise<T | null | undefined>;
  /** Records a load that began at `startedAt`, or compares it in memory: what it shows can be read. */
  begin(supplier: string, startedAt: number): LoadRecorder;
  /** The same for a load that is not read afterwards: where nothing is recorded, it costs nothing. */
  record(supplier: string, startedAt: number): LoadRecorder;
  /** Reports what has become of a load, where someone has to know. */
  report(supplier: string, recorded: Recorded): void;
}

/**
 * Does work that reads or records observations of a service. They are on disk when it resolves. An
 * embedded sandbox has its observations in memory, where they end with it.
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
  const report = (supplier: string, recorded: Recorded) => {
    const words = recordedWords(supplier, recorded, globals.profile ?? null)?.whole ?? null;
    if (words !== null) warn(recorded.kind === "off" ? (recorded.why ?? "") : words, words);
  };
  let opened: Promise<Observations> | null = null;
  const open = () => {
    opened ??= openStore(invocation, place, service);
    return opened;
  };
  const openToRecord = async () => {
    const { isRecording, problem } = await recordingOf(invocation);
    if (problem !== null) throw new Error(problem);
    return isRecording ? open() : null;
  };
  const openToCompare = async (supplier: string) => {
    const { problem } = await recordingOf(invocation);
    if (problem !== null)
      report(supplier, { kind: "off", why: problem, seen: null, storedAt: null });
    return open();
  };
  const openToRead = async () =>
    opened !== null || !("folder" in place) || hasObservations(place.folder) ? open() : null;
  try {
    return await work({
      openToRead,
      async read(work) {
        try {
          const observations = await openToRead();
          return observations === null ? null : await work(observations);
        } catch (error) {
          io.signal.throwIfAborted();
          const { message } = failureOf(error);
          const problem = (await opened?.catch(() => null))?.problem();
          warn(problem ?? message, `No ages are known: ${message}`);
          return undefined;
        }
      },
      begin: (supplier, startedAt) => lateRecorder(openToCompare(supplier), supplier, startedAt),
      record: (supplier, startedAt) => lateRecorder(openToRecord(), supplier, startedAt),
      report,
    });
  } finally {
    // What kept it from being opened was reported where it was needed.
    await (opened as Promise<Observations> | null)?.then((one) => one.close()).catch(() => {});
  }
}

/** Does work against the service that is meant, and with its observations. */
export function withObservations<T>(
  invocation: Invocation,
  work: (observing: Observing, target: Target) => Promise<T>,
): Promise<T> {
  return withTarget(invocation, (target) =>
    observing(invocation, target, (opened) => work(opened, target)),
  );
}

/** Does work with the observations of every service, where there are any; null where none are. */
export async function withStored<T>(
  invocation: Invocation,
  work: (observations: Observations) => Promise<T>,
): Promise<T | null> {
  const { globals, io } = invocation;
  const { stateDir } = places(io.env, io.home);
  // Those of an embedded sandbox ended with it.
  if (globals.sandbox || !hasObservations(stateDir)) return null;
  const observations = await openStore(invocation, { folder: stateDir }, null);
  try {
    return await work(observations);
  } finally {
    await observations.close();
  }
}

/** Loads node:sqlite: no command that does without waits for that. */
async function openStore(
  invocation: Invocation,
  place: ObservationsPlace,
  service: Service | null,
): Promise<Observations> {
  const [{ openPlace }, { isRecording }] = await Promise.all([
    import("../triage/observations/open-place.ts"),
    recordingOf(invocation),
  ]);
  const { clock } = invocation.io;
  const ofService = service === null ? { origin: "" } : { origin: service.baseUrl, judge: service };
  return openPlace(place, { ...ofService, clock, recording: isRecording });
}

/** Where preferences cannot be read, they may say no: then nothing is recorded, and that is reported. */
export async function recordingOf(
  invocation: Invocation,
): Promise<{ readonly isRecording: boolean; readonly problem: string | null }> {
  const { env } = invocation.io;
  try {
    // Asked of the environment first: it can spare reading the settings.
    const settings = env.SUPPLYLINE_OBSERVE ? null : await invocation.settings();
    const isRecording = recordsObservations(env, () => {
      if (settings === null) throw new Error("the environment says it all");
      return settings.preferences();
    });
    return { isRecording, problem: null };
  } catch (error) {
    const why = errorMessage(error);
    return { isRecording: false, problem: why };
  }
}
