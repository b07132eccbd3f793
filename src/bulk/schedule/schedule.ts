/**
 * Takes up what is pending: as many at once as the service bears, one account's rows in order, and
 * nothing while the service is down.
 */
import type { Clock } from "../../api/clock.ts";
import type { ServiceError } from "../../api/errors.ts";
import type { RunEnd, RunProgress } from "../progress.ts";
import { createAlarm } from "./alarm.ts";
import { createLanes } from "./lanes.ts";
import { lookOnce } from "./look.ts";
import { createWeather, type Leaving, type Said } from "./weather.ts";
import type { Course, Job, JobEnd, Work } from "./work.ts";

/** How a run stands, besides what its rows have come to. */
export interface Standing
  extends Pick<RunProgress, "inFlight" | "limit" | "pause" | "slowed" | "stopping"> {
  /** Rows that the journal has as retryable and that this run takes up again. */
  readonly willRetry: number;
}

export interface ScheduleOptions {
  readonly clock: Clock;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Takes up nothing more; what waits to be sent again is put off. */
  readonly stop: AbortSignal;
  readonly ceiling: number;
  /** How long the service may be down. */
  readonly patienceMs: number;
  /** Bounds one look at whether the service is there. */
  readonly timeoutMs: number;
  /** Called whenever something has changed; `turn` when it is worth telling at once. */
  readonly onChange: (standing: Standing, turn: boolean) => void;
}

/** So many wait in memory at most; enough to find rows of other accounts behind those of a busy one. */
const mostQueued = 4_000;
const pageSize = 500;

/** A row is taken up again so often while the service is there. */
const mostTries = 3;

/** So many 403 in a row, and nothing else: the token is not allowed to do this at all. */
const mostForbidden = 8;

interface Flight<J> {
  readonly job: J;
  readonly leaving: AbortController;
  /** It waited, and made room. */
  putOff: boolean;
  /** Null while no request of its own is on the wire. */
  sent: Leaving | null;
  /** It waits, and may be put off. */
  yields: boolean;
}

/**
 * Resolves when nothing is left to do or the run is to end; nothing is under way then. Rejects only
 * with faults of the work.
 */
export async function schedule<J extends Job>(
  work: Work<J>,
  options: ScheduleOptions,
): Promise<RunEnd> {
  const { clock, signal, stop, patienceMs } = options;
  const alarm = createAlarm(clock);
  const weather = createWeather(clock, options.ceiling, work.failsWith500);
  const lanes = createLanes<J>();
  const flights = new Set<Flight<J>>();
  /** Jobs that wait to be sent again, and that the journal has as retryable meanwhile. */
  const retrying = new Set<J>();
  const leaving = new AbortController();
  /** The one row that is tried after a look was answered. */
  let trial: Flight<J> | null = null;
  let looking = false;
  let drained = false;
  let forbidden = 0;
  let ending: RunEnd | null = null;
  let fault: { readonly thrown: unknown } | null = null;

  const isPaused = () => weather.phase().kind !== "flowing";
  const isEnding = () => ending !== null || fault !== null || stop.aborted || signal.aborted;
  const tell = (turn: boolean) => {
    const inFlight = flights.size;
    const limit = weather.limit();
    const [pause, slowed] = [weather.pause(), weather.slowed()];
    let willRetry = 0;
    for (const { retryableRows } of retrying) willRetry += retryableRows;
    options.onChange({ inFlight, limit, pause, slowed, stopping: isEnding(), willRetry }, turn);
  };
  const putOff = (flight: Flight<J>) => {
    flight.putOff = true;
    flight.leaving.abort("put off");
  };
  const makeRoom = () => {
    for (const flight of flights) if (flight.yields) putOff(flight);
  };
  /** Does what changes the weather, and tells when a pause begins or ends with it. */
  const turning = (change: () => void) => {
    const before = weather.phase();
    change();
    const after = weather.phase();
    if (after.kind !== "flowing" && after !== before) makeRoom();
    if (after !== before) tell(true);
    alarm.ring();
  };

  const heard = (flight: Flight<J>, error: ServiceError | null) => {
    const { sent, job } = flight;
    flight.sent = null;
    turning(() => {
      const full = flights.size >= weather.limit();
      const said = weather.heard(job.line, sent, error, full);
      forbidden = said === "forbidden" ? forbidden + 1 : said === "there" ? 0 : forbidden;
      if (said === "credentials" || forbidden >= mostForbidden) {
        ending ??= { kind: "credentials", error };
      }
    });
  };

  const courseOf = (flight: Flight<J>): Course => ({
    signal: flight.leaving.signal,
    sends: () => {
      flight.yields = false;
      flight.sent = weather.leaves();
      retrying.delete(flight.job);
    },
    heard: (error) => heard(flight, error),
    waits: (yields) => {
      flight.yields = yields;
      if (yields && (isPaused() || isEnding())) putOff(flight);
    },
    wasPutOff: () => flight.putOff,
  });

  const settle = (flight: Flight<J>, wasTrial: boolean, ended: JobEnd) => {
    const { job } = flight;
    if (ended.kind === "stop") ending ??= ended.end;
    if (ended.kind === "again") {
      // A row that was tried in vain must not be the one that is tried for ever.
      if (!flight.putOff || wasTrial) job.tries += 1;
      if (job.tries <= mostTries) {
        job.notBefore = ended.notBefore;
        if (job.retryableRows > 0) retrying.add(job);
        lanes.putBack(job);
        return;
      }
      work.leave(job);
    }
    retrying.delete(job);
    lanes.release(job);
  };

  const launch = (job: J): Flight<J> => {
    const flight: Flight<J> = {
      job,
      leaving: new AbortController(),
      putOff: false,
      sent: null,
      yields: false,
    };
    flights.add(flight);
    const end = (take: (wasTrial: boolean) => void) => {
      flights.delete(flight);
      const wasTrial = trial === flight;
      if (wasTrial) trial = null;
      take(wasTrial);
      tell(false);
      alarm.ring();
    };
    work.carryOut(job, courseOf(flight)).then(
      (ended) => end((wasTrial) => settle(flight, wasTrial, ended)),
      (thrown: unknown) =>
        end(() => {
          fault ??= { thrown };
        }),
    );
    return flight;
  };

  const look = async (job: J) => {
    try {
      const { timeoutMs } = options;
      const error = await lookOnce(clock, (s) => work.look(job, s), timeoutMs, leaving.signal);
      let said: Said = "nothing";
      turning(() => {
        said = weather.looked(error);
      });
      // Assigned above; the narrowing does not see it.
      if ((said as Said) === "credentials") ending ??= { kind: "credentials", error };
    } catch (thrown) {
      fault ??= { thrown };
    } finally {
      looking = false;
      alarm.ring();
    }
  };

  const fill = () => {
    if (drained || lanes.size() > mostQueued - pageSize) return;
    try {
      const found = work.next(pageSize);
      for (const job of found) {
        lanes.add(job);
        if (job.retryableRows > 0) retrying.add(job);
      }
      drained = found.length === 0;
    } catch (thrown) {
      fault ??= { thrown };
    }
  };

  /** Why the run gives up; null while it does not. */
  const givesUp = (): RunEnd | null => {
    const phase = weather.phase();
    const since = weather.troubledSince();
    if (phase.kind === "flowing" || since === null) return null;
    if (weather.triedInVain() >= work.mostInVain) {
      const why = `${phase.why}, although it answers when it is asked for a status`;
      return { kind: "service-down", why };
    }
    const tooLong = phase.kind === "held" && phase.until - since > patienceMs;
    return tooLong || clock.now() - since >= patienceMs
      ? { kind: "service-down", why: phase.why }
      : null;
  };

  const patienceEnd = (): number | null => {
    const since = weather.troubledSince();
    return isPaused() && since !== null ? since + patienceMs : null;
  };

  /** Starts what may be started, and returns when there may be more to do; null when nobody knows. */
  const takeUp = (): number | null => {
    const now = clock.now();
    let phase = weather.phase();
    if (phase.kind === "held" && now >= phase.until) {
      turning(weather.goOn);
      phase = weather.phase();
    }
    switch (phase.kind) {
      case "held":
        return phase.until;
      case "down": {
        const job = lanes.peek();
        if (now < phase.until) return phase.until;
        if (job === null || looking) return null;
        looking = true;
        void look(job);
        return null;
      }
      case "trying": {
        if (trial !== null) return null;
        const job = lanes.take(now);
        if (job === null) return lanes.nextDue();
        trial = launch(job);
        return null;
      }
      case "flowing":
        while (flights.size < weather.limit()) {
          const job = lanes.take(now);
          if (job === null) return lanes.nextDue();
          launch(job);
        }
        return null;
    }
  };

  const onAbort = () => {
    if (signal.aborted) for (const flight of flights) flight.leaving.abort(signal.reason);
    makeRoom();
    tell(true);
    alarm.ring();
  };
  signal.addEventListener("abort", onAbort);
  stop.addEventListener("abort", onAbort);
  try {
    for (;;) {
      if (signal.aborted || stop.aborted) ending ??= { kind: "stopped" };
      ending ??= givesUp();
      if (ending === null && fault === null) fill();
      if (ending !== null || fault !== null) {
        leaving.abort();
        makeRoom();
        if (flights.size === 0 && !looking) break;
        await alarm.wait(null);
        continue;
      }
      if (flights.size === 0 && !looking && drained && lanes.size() === 0) break;
      const until = takeUp();
      tell(false);
      await alarm.wait(soonest(until, patienceEnd()));
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop.removeEventListener("abort", onAbort);
  }
  if (fault !== null) throw (fault as { readonly thrown: unknown }).thrown;
  return ending ?? { kind: "ended" };
}

function soonest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
