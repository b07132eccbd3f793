/** What the answers tell of the service: how much it bears, and whether it is there at all. */
import type { Clock } from "../../api/clock.ts";
import type { ServiceError } from "../../api/errors.ts";
import { askedWaitOf } from "../../api/retry.ts";
import { situationOf } from "../../writes/classify.ts";
import type { RunProgress } from "../progress.ts";
import { createCircuit, type Phase } from "./circuit.ts";
import { adaptiveLimit } from "./limit.ts";
import { troubleWords } from "./trouble-words.ts";

/** A request on the wire. */
export interface Leaving {
  readonly at: number;
  readonly number: number;
}

/** What one end of an attempt says. */
export type Said =
  /** The service is there: it did what it was asked, or refused it. */
  | "there"
  /** It takes no request of this token; of this row, or of any. */
  | "forbidden"
  | "credentials"
  | "asks-to-wait"
  | "trouble"
  /** Nothing: this side gave it up. */
  | "nothing";

export interface Weather {
  readonly phase: () => Phase;
  readonly limit: () => number;
  /** Since when nothing good has come; null when all is well. */
  readonly troubledSince: () => number | null;
  readonly triedInVain: () => number;
  leaves(): Leaving;
  /** Takes in how an attempt for a row ended; `full` says whether as many were under way as may be. */
  heard(line: number, sent: Leaving | null, error: ServiceError | null, full: boolean): Said;
  /** Takes in how a look ended. */
  looked(error: ServiceError | null): Said;
  /** The time that was asked for is past. */
  goOn(): void;
  pause(): RunProgress["pause"];
  slowed(): RunProgress["slowed"];
}

/** Without a time to wait in it, a 429 holds the run back for so long. */
const unaskedHoldMs = 1_000;

export function createWeather(clock: Clock, ceiling: number, failsWith500: boolean): Weather {
  const limit = adaptiveLimit(ceiling);
  const circuit = createCircuit(() => clock.now());
  let slowed: { readonly since: number; readonly why: string; readonly from: number } | null = null;

  /** Notes why fewer requests may be under way than before, until as many may be again. */
  const noteLimit = (before: number, why: string) => {
    const now = limit.current();
    if (now < before) slowed = { since: clock.now(), why, from: slowed?.from ?? before };
    else if (slowed !== null && now >= slowed.from) slowed = null;
  };

  const wait = (error: ServiceError) => {
    circuit.asked(clock.now() + (askedWaitOf(error) ?? unaskedHoldMs), troubleWords(error));
  };

  return {
    phase: circuit.phase,
    limit: limit.current,
    troubledSince: circuit.troubledSince,
    triedInVain: circuit.triedInVain,
    goOn: circuit.goOn,
    leaves: () => ({ at: clock.now(), number: limit.leaves() }),
    heard: (line, sent, error, full) => {
      const said = meaningOf(error, failsWith500);
      const before = limit.current();
      switch (said) {
        case "there":
        case "forbidden":
          if (sent !== null) limit.answered(clock.now() - sent.at, full);
          circuit.good();
          break;
        case "asks-to-wait":
          if (sent !== null) limit.strained(sent.number);
          if (error !== null) wait(error);
          break;
        case "trouble": {
          if (sent !== null) limit.strained(sent.number);
          if (error === null) break;
          const wasDown = circuit.phase().kind === "down";
          const neverSent = situationOf(error) === "never-sent";
          circuit.bad({ line, neverSent, why: troubleWords(error) });
          if (!wasDown && circuit.phase().kind === "down") limit.restart();
          break;
        }
        default:
      }
      noteLimit(before, error === null ? "the service answers slowly" : troubleWords(error));
      return said;
    },
    looked: (error) => {
      const said = meaningOf(error, true);
      if (said === "there" || said === "forbidden") circuit.goOn();
      else if (said === "asks-to-wait" && error !== null) wait(error);
      else if (said === "trouble" && error !== null) circuit.lookFailed(troubleWords(error));
      return said;
    },
    slowed: () => slowed && { since: slowed.since, why: slowed.why },
    pause: () => pauseOf(circuit.phase(), clock.now()),
  };
}

function meaningOf(error: ServiceError | null, failsWith500: boolean): Said {
  if (error === null) return "there";
  if (error.kind === "cancelled") return "nothing";
  const situation = situationOf(error);
  if (error.kind === "credentials" || situation === "401") return "credentials";
  switch (situation) {
    case "never-sent":
      // The token call was refused, or the request itself could not be made.
      if (error.kind === "unauthorized" || error.kind === "forbidden") return "credentials";
      return error.kind === "invalid-request" ? "nothing" : "trouble";
    case "403":
      return "forbidden";
    case "400":
    case "404":
    case "4xx":
      return "there";
    case "500":
      return failsWith500 ? "trouble" : "there";
    case "429":
      return "asks-to-wait";
    default:
      return "trouble";
  }
}

function pauseOf(phase: Phase, now: number): RunProgress["pause"] {
  if (phase.kind === "flowing") return null;
  const { since, why } = phase;
  return { since, why, nextTryAt: phase.kind === "trying" ? now : phase.until };
}
