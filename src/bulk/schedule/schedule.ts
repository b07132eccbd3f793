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
  readonly concurrency: number;
  /** Duration of an outage after which the run ends, in milliseconds. */
  readonly patienceMs: number;
  readonly timeoutMs: number;
  /** Called after every change. An `isTransition` must be reported immediately. */
  readonly onChange: (state: ScheduleState, isTransition: boolean) => void;
}

/**
 * Maximum number of waiting jobs in memory. It is high so that, after many rows of one account,
 * rows of other accounts are read too and can run at the same time.
 */
const maxQueued = 4_000;
const pageSize = 500;

/** Maximum number of retries of a job. A postponed try counts only if the job was the trial. */
const maxRetries = 3;

/** Number of 403s that ends the run if no attempt between them was healthy. */
const maxForbidden = 8;

interface RunningJob<J> {
  readonly job: J;
  readonly controller: AbortController;
  wasPostponed: boolean;
  canPostpone: boolean;
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
  const running = new Set<RunningJob<J>>();
  /** Jobs that wait for a retry. The journal has them as retryable in the meantime. */
  const retrying = new Set<J>();
  /** Aborted when the run must end, so that a probe ends too. */
  const runEnded = new AbortController();
  /** The running job that tests the service while its health is `half-open`, or null. */
  let trial: RunningJob<J> | null = null;
  let isProbing = false;
  let isDrained = false;
  /** Number of 403s since the last attempt that ended as `healthy`. */
  let forbiddenCount = 0;
  let ending: RunEnd | null = null;
  let unexpected: { readonly thrown: unknown } | null = null;

  const isPaused = () => health.state().kind !== "closed";
  const isEnding = () => ending !== null || unexpected !== null || stop.aborted || signal.aborted;
  const currentPause = (): RunProgress["pause"] => {
    const pause = health.pause();
    const isDue = health.state().kind === "open" && !isProbing;
    return (
      pause && { ...pause, of: "service", tryNow: isDue ? () => changeHealth(health.tryNow) : null }
    );
  };
  const report = (isTransition: boolean) => {
    const [pause, slowed] = [currentPause(), health.slowed()];
    let willRetry = 0;
    for (const { retryableRows } of retrying) willRetry += retryableRows;
    options.onChange(
      {
        inFlight: running.size,
        limit: health.limit(),
        pause,
        slowed,
        willRetry,
        stopping: isEnding(),
      },
      isTransition,
    );
  };
  /** Aborts a running job that waits for its next attempt, so that the job is tried again later. */
  const postpone = (runningJob: RunningJob<J>) => {
    runningJob.wasPostponed = true;
    const reason: StopReason = isEnding() ? "run-stopped" : "run-paused";
    runningJob.controller.abort(reason);
  };
  const postponeWaiting = () => {
    for (const runningJob of running) if (runningJob.canPostpone) postpone(runningJob);
  };
  /**
   * Applies a change to the service's health, and reports the new state. Postpones the waiting jobs
   * if the new state is a pause.
   */
  const changeHealth = <T>(change: () => T): T => {
    const before = health.state();
    const result = change();
    const after = health.state();
    if (after.kind !== "closed" && after !== before) postponeWaiting();
    if (after !== before) report(true);
    alarm.ring();
    return result;
  };

  /** Records the end of an attempt. Ends the run if the service refuses the token. */
  const attemptEnded = ({ job }: RunningJob<J>, error: ServiceError | null) => {
    const verdict = changeHealth(() => health.attemptEnded(job.line, error));
    if (verdict === "forbidden") forbiddenCount += 1;
    if (verdict === "healthy") forbiddenCount = 0;
    if (verdict === "credentials" || forbiddenCount >= maxForbidden) {
      ending ??= { kind: "credentials", error };
    }
  };

  const observe = (runningJob: RunningJob<J>): AttemptObserver => ({
    signal: runningJob.controller.signal,
    sending: () => {
      runningJob.canPostpone = false;
      retrying.delete(runningJob.job);
    },
    ended: (error) => attemptEnded(runningJob, error),
    waiting: (canPostpone) => {
      runningJob.canPostpone = canPostpone;
      if (canPostpone && (isPaused() || isEnding())) postpone(runningJob);
    },
    wasPostponed: () => runningJob.wasPostponed,
  });

  /** Handles the end of one try: puts the job back for a retry, or releases its key. */
  const endJob = (runningJob: RunningJob<J>, wasTrial: boolean, ended: JobEnd) => {
    const { job } = runningJob;
    if (ended.kind === "stop") ending ??= ended.end;
    if (ended.kind === "again") {
      // A failed trial always counts as a try, so that the same job is not the trial forever.
      if (!runningJob.wasPostponed || wasTrial) job.tries += 1;
      if (job.tries <= maxRetries) {
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

  const launch = (job: J): RunningJob<J> => {
    const runningJob: RunningJob<J> = {
      job,
      controller: new AbortController(),
      wasPostponed: false,
      canPostpone: false,
    };
    running.add(runningJob);
    const finish = (settle: (wasTrial: boolean) => void) => {
      running.delete(runningJob);
      const wasTrial = trial === runningJob;
      if (wasTrial) trial = null;
      settle(wasTrial);
      report(false);
      alarm.ring();
    };
    work.carryOut(job, observe(runningJob)).then(
      (ended) => finish((wasTrial) => endJob(runningJob, wasTrial, ended)),
      (thrown: unknown) =>
        finish(() => {
          unexpected ??= { thrown };
        }),
    );
    return runningJob;
  };

  const probe = async (job: J) => {
    try {
      const { timeoutMs } = options;
      const error = await boundedCall(
        clock,
        (probeSignal) => work.probe(job, probeSignal),
        timeoutMs,
        runEnded.signal,
      );
      const verdict = changeHealth(() => health.probeEnded(error));
      if (verdict === "credentials") ending ??= { kind: "credentials", error };
    } catch (thrown) {
      unexpected ??= { thrown };
    } finally {
      isProbing = false;
      alarm.ring();
    }
  };

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
      unexpected ??= { thrown };
    }
  };

  /** Returns the running time at which the outage becomes too long, or null if there is none. */
  const patienceEnd = (): number | null => {
    const since = health.failingSince();
    return isPaused() && since !== null ? since + patienceMs : null;
  };

  /**
   * Starts all jobs that may start. Returns the running time of the next possible start, or null if
   * it depends on the end of a job or probe.
   */
  const start = (): number | null => {
    const now = clock.elapsed();
    const previous = health.state();
    if (previous.kind === "throttled" && now >= previous.until) changeHealth(health.pauseEnded);
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
        while (running.size < health.limit()) {
          const job = queue.take(now);
          if (job === null) return queue.nextDue();
          launch(job);
        }
        return null;
    }
  };

  const onAbort = () => {
    if (signal.aborted)
      for (const runningJob of running) runningJob.controller.abort(signal.reason);
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
      if (ending === null && unexpected === null) fill();
      if (ending !== null || unexpected !== null) {
        runEnded.abort();
        postponeWaiting();
        if (running.size === 0 && !isProbing) break;
        await alarm.wait(null);
        continue;
      }
      if (running.size === 0 && !isProbing && isDrained && queue.size() === 0) break;
      const until = start();
      report(false);
      await alarm.wait(soonest(until, patienceEnd()));
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop.removeEventListener("abort", onAbort);
  }
  if (unexpected !== null) throw (unexpected as { readonly thrown: unknown }).thrown;
  return ending ?? { kind: "ended" };
}

/** Returns the earlier of two times. Null means no time. Returns null if both times are null. */
function soonest(first: number | null, second: number | null): number | null {
  return first === null || second === null ? (first ?? second) : Math.min(first, second);
}
