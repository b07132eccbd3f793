/** Opens the observations of a service when they are first needed. */
import type { Clock } from "../../api/clock.ts";
import { errorMessage } from "../../api/errors.ts";
import type { Recording } from "../../settings/settings.ts";
import {
  type ListRows,
  type LoadRecorder,
  notRecorded,
  type Observations,
  type Recorded,
} from "./observations.ts";
import type { ClockJudge } from "./open-observations.ts";
import type { ObservationsPlace } from "./open-place.ts";
import { hasObservations } from "./schema.ts";

interface LazyObservationsOptions {
  readonly place: ObservationsPlace;
  /** The base URL of the service. */
  readonly origin: string;
  readonly clock: Clock;
  /** See {@link ClockJudge}. */
  readonly judge?: ClockJudge | undefined;
  /** Returns the recording setting. Called when the observations are opened. */
  readonly recording: () => Promise<Recording>;
  /** Called with the result of each load. */
  readonly onRecorded?: (supplier: string, recorded: Recorded) => void;
}

/**
 * Returns the observations of a service. The first call that needs them opens them. A load can
 * begin and rows can arrive before node:sqlite is loaded. Reading a folder without a file creates
 * no file. If opening fails, the call rejects, and the next call tries to open them again.
 */
export function lazyObservations(options: LazyObservationsOptions): Observations {
  const { place, origin, clock, judge, onRecorded = () => {} } = options;
  let opened: Promise<Observations> | null = null;
  let store: Observations | null = null;
  let problem: string | null = null;
  let isClosed = false;
  const open = (): Promise<Observations> => {
    if (isClosed) return Promise.reject(new Error("The observations are closed."));
    opened ??= import("./open-place.ts").then(async ({ openPlace }) => {
      const recording = await options.recording();
      problem = recording.problem;
      store = await openPlace(place, {
        origin,
        clock,
        recording: recording.isRecording,
        ...(judge === undefined ? {} : { judge }),
      });
      return store;
    });
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  const isEmpty = () => opened === null && "folder" in place && !hasObservations(place.folder);
  const read = async <T>(empty: T, work: (observations: Observations) => Promise<T>) =>
    isEmpty() ? empty : work(await open());
  return {
    problem: () => problem ?? store?.problem() ?? null,
    begin(supplier, startedAt) {
      const recorder = lateRecorder(open(), supplier, startedAt);
      let finished: Promise<Recorded> | null = null;
      const finish = async (): Promise<Recorded> => {
        const recorded: Recorded = await recorder
          .finish()
          .catch((error) => notRecorded(errorMessage(error)));
        const explained =
          recorded.kind === "off" ? { ...recorded, why: recorded.why ?? problem } : recorded;
        onRecorded(supplier, explained);
        return explained;
      };
      return {
        take: (rows) => recorder.take(rows),
        finish() {
          finished ??= finish();
          return finished;
        },
        discard() {
          if (finished === null) recorder.discard();
        },
      };
    },
    ages: (supplier, signal) => read(null, (observations) => observations.ages(supplier, signal)),
    changes: (supplier, since) => read([], (observations) => observations.changes(supplier, since)),
    async *changePages(supplier, since) {
      if (!isEmpty()) yield* (await open()).changePages(supplier, since);
    },
    counts: (supplier, since) => read([], (observations) => observations.counts(supplier, since)),
    summary: (supplier, now) => read(null, (observations) => observations.summary(supplier, now)),
    stored: () => read([], (observations) => observations.stored()),
    purge: (what) => read(0, (observations) => observations.purge(what)),
    confirm: (supplier) => read(false, (observations) => observations.confirm(supplier)),
    saw(subject, state, at) {
      open().then(
        (observations) => observations.saw(subject, state, at),
        // The next load reports why the observations cannot be opened.
        () => {},
      );
    },
    timeline: (subject) => read([], (observations) => observations.timeline(subject)),
    importTimes: (supplier) => read([], (observations) => observations.importTimes(supplier)),
    async close() {
      isClosed = true;
      await opened?.then((observations) => observations.close()).catch(() => {});
    },
  };
}

/** Records a load after the observations are open. Rows that arrive earlier wait in memory. */
function lateRecorder(
  opening: Promise<Observations>,
  supplier: string,
  startedAt: number,
): LoadRecorder {
  let waiting: ListRows[] | null = [];
  let recorder: LoadRecorder | null = null;
  const begun = opening.then((observations) => {
    if (waiting === null) return;
    recorder = observations.begin(supplier, startedAt);
    for (const rows of waiting) recorder.take(rows);
    waiting = null;
  });
  const isOpen = begun.catch(() => {
    waiting = null;
  });
  return {
    take(rows) {
      if (recorder !== null) return recorder.take(rows);
      waiting?.push(rows);
      return waiting === null ? null : isOpen;
    },
    async finish() {
      await begun;
      if (recorder === null) throw new Error("The load was discarded.");
      return recorder.finish();
    },
    discard() {
      waiting = null;
      recorder?.discard();
    },
  };
}
