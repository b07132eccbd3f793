/**
 * Schedules the jobs of a bulk run: a limited number at a time, the rows of one account in order,
 * and none while the service is down.
 */
import type { Clock } from "../../api/clock.ts";
import { boundedCall } from "../../api/deadline.ts";
import type { ServiceError } from "../../api/errors.ts";
import type { StopReason } from "../../writes/journal/entry.ts";
import type { RunProgress, ScheduleState } from "../progress.ts";
import type { RunEnd } from "../run-record.ts";
import { createAlarm } from "./alarm.ts";
import {
  type AttemptObserver,
  createKeyedQueue,
  type Job,
  type JobEnd,
  type Work,
} from "./jobs.ts";
import { monitorHealth } from "./service-health.ts";

export interface ScheduleOptions {
  readonly clock: Clock;
  /** Cancels the requests in flight. */
  readonly signal: AbortSignal;
  /** Stops the schedule: no job starts, and jobs that wait for a retry are postponed. */
  readonly stop: AbortSignal;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /** Time for which the service may be down, in milliseconds. */
  readonly patienceMs: number;
  /** Time limit of one probe of the service, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Called after every change. `isTransition` is true if the change must be reported immediately.
   */
  readonly onChange: (state: ScheduleState, isTransition: boolean) => void;
}

/**
 * Maximum number of jobs in memory, which is enough to find rows of other accounts after the rows
 * of a busy account.
 */
const maxQueued = 4_000;
/** Number of jobs that are read at a time. */
const pageSize = 500;

/** Maximum number of retries of a job. A postponed try does not count. */
const maxTries = 3;

/** Number of consecutive 403s after which the token counts as having no permission. */
const maxForbidden = 8;

/** A job that is running. */
interface Flight<J> {
  readonly job: J;
  readonly abort: AbortController;
  /** True if the job was postponed while it waited. */
  wasPostponed: boolean;
  /** True if the job waits and may be postponed. */
  yields: boolean;
}

/**
 * Runs all jobs. Resolves when no job is left or the run must end, with no request in flight.
 * Rejects only with unexpected errors of the work.
 */
export async function schedule<J extends Job>(
  work: Work<J>,
  options: ScheduleOptions,
): Promise<RunEnd> {
  const { clock, signal, stop, patienceMs, concurrency } = options;
  const alarm = createAlarm(clock);
  const health = monitorHealth(clock, { concurrency, failsWith500: work.failsWith500 });
  const queue = createKeyedQueue<J>();
  const flights = new Set<Flight<J>>();
  /** Jobs that wait for a retry. The journal has them as retryable in the meantime. */
  const retrying = new Set<J>();
  /** Aborted when the run ends, so that a probe ends too. */
  const over = new AbortController();
  /** The only job that runs after a successful probe, or null if there is none. */
  let trial: Flight<J> | null = null;
  let isProbing = false;
  /** True if all jobs have been read. */
  let isDrained = false;
  /** Number of consecutive 403s. */
  let forbidden = 0;
  /** The end of the run, or null while it continues. */
  let ending: RunEnd | null = null;
  /** An unexpected error of the work, or null if there is none. */
  let fault: { readonly thrown: unknown } | null = null;

  const isPaused = () => health.state().kind !== "closed";
  const isEnding = () => ending !== null || fault !== null || stop.aborted || signal.aborted;
  const pauseNow = (): RunProgress["pause"] => {
    const pause = health.pause();
    const isDue = health.state().kind === "open" && !isProbing;
    return pause && { ...pause, tryNow: isDue ? () => changeHealth(health.tryNow) : null };
  };
  const report = (isTransition: boolean) => {
    const [pause, slowed] = [pauseNow(), health.slowed()];
    let willRetry = 0;
    for (const { retryableRows } of retrying) willRetry += retryableRows;
    options.onChange(
      {
        inFlight: flights.size,
        limit: health.limit(),
        pause,
        slowed,
        willRetry,
        stopping: isEnding(),
      },
      isTransition,
    );
  };
  const postpone = (flight: Flight<J>) => {
    flight.wasPostponed = true;
    const reason: StopReason = isEnding() ? "run-stopped" : "run-paused";
    flight.abort.abort(reason);
  };
  const postponeWaiting = () => {
    for (const flight of flights) if (flight.yields) postpone(flight);
  };
  /** Applies a change to the service's health, and reports a pause that begins or ends. */
  const changeHealth = <T>(change: () => T): T => {
    const before = health.state();
    const result = change();
    const after = health.state();
    if (after.kind !== "closed" && after !== before) postponeWaiting();
    if (after !== before) report(true);
    alarm.ring();
    return result;
  };

  const attemptEnded = ({ job }: Flight<J>, error: ServiceError | null) => {
    const verdict = changeHealth(() => health.attemptEnded(job.line, error));
    if (verdict === "forbidden") forbidden += 1;
    if (verdict === "healthy") forbidden = 0;
    if (verdict === "credentials" || forbidden >= maxForbidden) {
      ending ??= { kind: "credentials", error };
    }
  };

  const observe = (flight: Flight<J>): AttemptObserver => ({
    signal: flight.abort.signal,
    sending: () => {
      flight.yields = false;
      retrying.delete(flight.job);
    },
    ended: (error) => attemptEnded(flight, error),
    waiting: (yields) => {
      flight.yields = yields;
      if (yields && (isPaused() || isEnding())) postpone(flight);
    },
    wasPostponed: () => flight.wasPostponed,
  });

  const endJob = (flight: Flight<J>, wasTrial: boolean, ended: JobEnd) => {
    const { job } = flight;
    if (ended.kind === "stop") ending ??= ended.end;
    if (ended.kind === "again") {
      // A failed trial always counts as a try, so that the same job is not the trial forever.
      if (!flight.wasPostponed || wasTrial) job.tries += 1;
      if (job.tries <= maxTries) {
        job.notBefore = ended.notBefore;
        if (job.retryableRows > 0) retrying.add(job);
        queue.putBack(job);
        return;
      }
      work.leave(job);
    }
    retrying.delete(job);
    queue.release(job);
  };

  const launch = (job: J): Flight<J> => {
    const flight: Flight<J> = {
      job,
      abort: new AbortController(),
      wasPostponed: false,
      yields: false,
    };
    flights.add(flight);
    const end = (onEnd: (wasTrial: boolean) => void) => {
      flights.delete(flight);
      const wasTrial = trial === flight;
      if (wasTrial) trial = null;
      onEnd(wasTrial);
      report(false);
      alarm.ring();
    };
    work.carryOut(job, observe(flight)).then(
      (ended) => end((wasTrial) => endJob(flight, wasTrial, ended)),
      (thrown: unknown) =>
        end(() => {
          fault ??= { thrown };
        }),
    );
    return flight;
  };

  const probe = async (job: J) => {
    try {
      const { timeoutMs } = options;
      const error = await boundedCall(clock, (s) => work.probe(job, s), timeoutMs, over.signal);
      const verdict = changeHealth(() => health.probeEnded(error));
      if (verdict === "credentials") ending ??= { kind: "credentials", error };
    } catch (thrown) {
      fault ??= { thrown };
    } finally {
      isProbing = false;
      alarm.ring();
    }
  };

  /** Reads more jobs if the queue has room. */
  const fill = () => {
    if (isDrained || queue.size() > maxQueued - pageSize) return;
    try {
      const jobs = work.next(pageSize);
      for (const job of jobs) {
        queue.add(job);
        if (job.retryableRows > 0) retrying.add(job);
      }
      isDrained = jobs.length === 0;
    } catch (thrown) {
      fault ??= { thrown };
    }
  };

  /** Returns the time at which the outage has lasted too long, or null if there is none. */
  const patienceEnd = (): number | null => {
    const since = health.failingSince();
    return isPaused() && since !== null ? since + patienceMs : null;
  };

  /**
   * Starts all jobs that may start. Returns the time of the next possible start in epoch
   * milliseconds, or null if it is unknown.
   */
  const start = (): number | null => {
    const now = clock.now();
    const pause = health.state();
    if (pause.kind === "throttled" && now >= pause.until) changeHealth(health.pauseEnded);
    const state = health.state();
    switch (state.kind) {
      case "throttled":
        return state.until;
      case "open": {
        const job = queue.peek();
        if (now < state.until) return state.until;
        if (job === null || isProbing) return null;
        isProbing = true;
        void probe(job);
        return null;
      }
      case "half-open": {
        if (trial !== null) return null;
        const job = queue.take(now);
        if (job === null) return queue.nextDue();
        trial = launch(job);
        return null;
      }
      case "closed":
        while (flights.size < health.limit()) {
          const job = queue.take(now);
          if (job === null) return queue.nextDue();
          launch(job);
        }
        return null;
    }
  };

  const onAbort = () => {
    if (signal.aborted) for (const flight of flights) flight.abort.abort(signal.reason);
    postponeWaiting();
    report(true);
    alarm.ring();
  };
  signal.addEventListener("abort", onAbort);
  stop.addEventListener("abort", onAbort);
  try {
    for (;;) {
      if (signal.aborted || stop.aborted) ending ??= { kind: "stopped" };
      const why = health.tooLong(patienceMs, work.maxFailedTrials);
      if (why !== null) ending ??= { kind: "service-down", why };
      if (ending === null && fault === null) fill();
      if (ending !== null || fault !== null) {
        over.abort();
        postponeWaiting();
        if (flights.size === 0 && !isProbing) break;
        await alarm.wait(null);
        continue;
      }
      if (flights.size === 0 && !isProbing && isDrained && queue.size() === 0) break;
      const until = start();
      report(false);
      await alarm.wait(soonest(until, patienceEnd()));
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop.removeEventListener("abort", onAbort);
  }
  if (fault !== null) throw (fault as { readonly thrown: unknown }).thrown;
  return ending ?? { kind: "ended" };
}

/** Returns the earlier of two times. Null is no time. */
function soonest(first: number | null, second: number | null): number | null {
  return first === null || second === null ? (first ?? second) : Math.min(first, second);
}
