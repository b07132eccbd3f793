/** What takes the time of a row: the service, or this machine. */
import type { Clock } from "../../api/clock.ts";
import type { Pace } from "../progress.ts";

/** Times one request from its start to its end. */
export interface FlightTime {
  sending(): void;
  answered(): void;
  /** It waits before it is sent again: its time says nothing about the pace. */
  waiting(): void;
  over(): void;
}

/** The share of the newest request in an average. */
const newest = 0.1;

/** Averages over the requests that ended lately, each sent once; null before the first. */
export function monitorPace(clock: Pick<Clock, "now">): {
  begin(): FlightTime;
  now(): Omit<Pace, "oneByOne"> | null;
} {
  let average: Omit<Pace, "oneByOne"> | null = null;
  const add = (serviceMs: number, localMs: number) => {
    const mean = (before: number, value: number) => before + (value - before) * newest;
    average =
      average === null
        ? { serviceMs, localMs }
        : {
            serviceMs: mean(average.serviceMs, serviceMs),
            localMs: mean(average.localMs, localMs),
          };
  };
  return {
    begin() {
      const began = clock.now();
      let sent: number | null = null;
      let answered: number | null = null;
      let isPlain = true;
      return {
        sending: () => {
          sent = clock.now();
        },
        answered: () => {
          answered = clock.now();
        },
        waiting: () => {
          isPlain = false;
        },
        over: () => {
          if (!isPlain || sent === null || answered === null || answered < sent) return;
          add(answered - sent, clock.now() - began - (answered - sent));
        },
      };
    },
    now: () => average,
  };
}
