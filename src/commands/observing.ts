import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../api/errors.ts";
import type { Service } from "../api/service.ts";
import { recordsObservations } from "../settings/observing.ts";
import { places } from "../settings/places.ts";
import { lateRecorder } from "../triage/observations/late-recorder.ts";
import type { LoadRecorder, Observations, Recorded } from "../triage/observations/observations.ts";
import { recordedWords } from "../triage/observations/recorded-words.ts";
import { observationsKind } from "../triage/observations/schema.ts";
import type { Invocation } from "./invocation.ts";
import { type Target, withTarget } from "./target.ts";

/** The observations of the service that a command works with; opened at the first use. */
export interface Observing {
  /** Rejects where the file cannot be opened. */
  open(): Promise<Observations>;
  /** The same for work that only reads: null where nothing was stored yet, and no file is made. */
  openToRead(): Promise<Observations | null>;
  /** Records a load that began at `startedAt`; where nothing is recorded, no file is opened. */
  begin(supplier: string, startedAt: number): LoadRecorder;
  /** Reports what has become of a load, where someone has to know. */
  report(supplier: string, recorded: Recorded): void;
}

/**
 * Does work that reads or records observations of a service. They are on disk when it resolves. An
 * embedded sandbox has its observations in memory, where they end with it.
 */
export async function observing<T>(
  invocation: Invocation,
  { profile, service }: Pick<Target, "profile" | "service">,
  work: (observing: Observing) => Promise<T>,
): Promise<T> {
  const { io, globals } = invocation;
  const folder = profile.baseUrl === null ? null : places(io.env, io.home).stateDir;
  let opened: Promise<Observations> | null = null;
  const open = () => {
    opened ??= openStore(invocation, folder, service);
    return opened;
  };
  const openToRecord = async () => {
    const { isRecording, problem } = await recordingOf(invocation);
    if (problem !== null) throw new Error(problem);
    return isRecording ? open() : null;
  };
  try {
    return await work({
      open,
      openToRead: async () => (folder === null || isStored(folder) ? open() : null),
      begin: (supplier, startedAt) => lateRecorder(openToRecord(), supplier, startedAt),
      report: (supplier, recorded) => {
        const words = recordedWords(supplier, recorded, globals.profile ?? null)?.whole ?? null;
        if (words !== null) invocation.warn(words);
      },
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
  if (globals.sandbox || !isStored(stateDir)) return null;
  const observations = await openStore(invocation, stateDir, {
    baseUrl: "",
    trustedNow: () => null,
  });
  try {
    return await work(observations);
  } finally {
    await observations.close();
  }
}

function isStored(folder: string): boolean {
  return existsSync(join(folder, observationsKind.file));
}

/** node:sqlite is loaded with it: no command that does without waits for that. */
async function openStore(
  invocation: Invocation,
  folder: string | null,
  { baseUrl: origin, trustedNow }: Pick<Service, "baseUrl" | "trustedNow">,
): Promise<Observations> {
  const [{ openObservations }, { isRecording }] = await Promise.all([
    import("../triage/observations/open-observations.ts"),
    recordingOf(invocation),
  ]);
  const { clock } = invocation.io;
  return openObservations({ folder, origin, clock, trustedNow, recording: isRecording });
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
