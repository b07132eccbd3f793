/**
 * Passes the events of this process to its log. Without a log, an event costs one comparison and
 * stores nothing.
 */
import { channel } from "node:diagnostics_channel";
import type { BodyEvent, LogEvent } from "./log-event.ts";

const events = channel("supplyline:log");
const bodies = channel("supplyline:log-bodies");

/** Secrets that were seen while there was a log. They never appear in it. */
const hidden = new Set<string>();

/** Maximum number of hidden secrets. Tokens are renewed, and the oldest are not used anymore. */
const maxHidden = 64;

/** Minimum length of a hidden secret. A shorter text can be part of ordinary words. */
const minHiddenLength = 8;

/** Returns true if there is a log. Only needed if an event is expensive to create. */
export function isLogged(): boolean {
  return events.hasSubscribers;
}

export function log(event: LogEvent): void {
  if (events.hasSubscribers) events.publish(event);
}

export function logBody(event: () => BodyEvent): void {
  if (bodies.hasSubscribers) bodies.publish(event());
}

/**
 * Passes each later event to `take`, those with bodies only if `hasBodies` is true. Returns a
 * function that ends this.
 */
export function readLog(take: (event: LogEvent) => void, hasBodies: boolean): () => void {
  const onEvent = (event: unknown) => take(event as LogEvent);
  events.subscribe(onEvent);
  if (hasBodies) bodies.subscribe(onEvent);
  return () => {
    events.unsubscribe(onEvent);
    if (hasBodies) bodies.unsubscribe(onEvent);
    if (!events.hasSubscribers) hidden.clear();
  };
}

/** Keeps secrets out of the log. Null and undefined are ignored. */
export function hideFromLog(...secrets: readonly (string | null | undefined)[]): void {
  if (!events.hasSubscribers) return;
  for (const secret of secrets) {
    if (!secret || secret.length < minHiddenLength) continue;
    hidden.delete(secret);
    hidden.add(secret);
  }
  for (const oldest of hidden) {
    if (hidden.size <= maxHidden) break;
    hidden.delete(oldest);
  }
}

/** Returns the secrets to remove from the log, the longest first. */
export function hiddenFromLog(): readonly string[] {
  return [...hidden].toSorted((one, other) => other.length - one.length);
}
