import { setTimeout as delay } from "node:timers/promises";

/** Waits; false when `signal` fired first. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}
