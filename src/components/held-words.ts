/** Formats the time that a state has lasted, for the headline of a followed status. */
import { formatInstant, shortInstant } from "../text/dates.ts";
import { formatAge } from "../text/durations.ts";
import type { StateStart } from "../watch/transitions.ts";

/** A time of the service that shows the age of a state, such as the creation of the account. */
export interface KnownAge {
  /** The label of the time, for example `created`. */
  readonly label: string;
  /** The time in epoch milliseconds. */
  readonly at: number;
}

/**
 * Formats the age of a state as known by the service, which is more exact than the time of its
 * first check.
 */
export function ageWords({ label, at }: KnownAge, now: number): string {
  return `, ${label} ${formatAge(now - at)} ago`;
}

/** The minimum difference to report that an account has been pending longer than its state. */
const worthSayingMs = 60_000;

/**
 * Formats the time that a state has lasted, and the time that the account has been pending, as far
 * as they are known.
 */
export function heldWords(
  began: StateStart,
  now: number,
  pendingSince: number | null = null,
): string {
  const held = formatAge(now - began.at);
  const pending = isOlder(pendingSince, began)
    ? `, pending for at least ${formatAge(now - pendingSince)}`
    : "";
  switch (began.kind) {
    case "seen":
      return ` for ${held}, since ${shortInstant(began.at, now)}${pending}`;
    case "between":
      return ` for at least ${held}; it began after ${shortInstant(began.after, now)}${pending}`;
    case "before":
      // The first check found the state, so its start is unknown.
      return pending === "" ? ` for at least ${held}` : pending;
  }
}

/** Formats the start of a state without an age, which a screen reader would repeat as it grows. */
export function sinceWords(began: StateStart, pendingSince: number | null = null): string {
  const at = formatInstant(began.at);
  const pending = isOlder(pendingSince, began)
    ? `, pending since ${formatInstant(pendingSince)} or earlier`
    : "";
  switch (began.kind) {
    case "seen":
      return `, since ${at}${pending}`;
    case "between":
      return `, since ${at} or earlier; it began after ${formatInstant(began.after)}${pending}`;
    case "before":
      return `, since ${at} or earlier${pending}`;
  }
}

function isOlder(pendingSince: number | null, began: StateStart): pendingSince is number {
  return pendingSince !== null && began.at - pendingSince >= worthSayingMs;
}
