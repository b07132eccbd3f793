import { longestWait } from "./longest-wait.ts";

/**
 * Asks again and again until `check` neither throws nor gives false; resolves with what it gives. For
 * what no screen and no output shows: those have waits of their own, which miss nothing in between.
 */
export function eventually<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  const ask = async () => {
    const found = await check();
    if (found === false) throw new Error("it does not hold yet");
    return found;
  };
  return vi.waitFor(ask, { timeout: longestWait, interval: 10 });
}
