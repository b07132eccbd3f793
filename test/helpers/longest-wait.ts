/** Milliseconds in CI, where many tests share few cores and a moment can be long. */
const inCi = 100_000;
/** Milliseconds elsewhere, so that a wrong expectation does not take minutes. */
const atHome = 20_000;

/**
 * Milliseconds after which a test gives up what it waits for. It only stops a hang: what comes at all
 * comes within moments. `SUPPLYLINE_TEST_WAIT` sets it in seconds, on a slow machine for example.
 */
export const longestWait = waitOf(process.env);

/** Returns the longest wait in an environment, in milliseconds: below the runner's own bound. */
export function waitOf(env: Readonly<Record<string, string | undefined>>): number {
  const seconds = Number(env.SUPPLYLINE_TEST_WAIT);
  if (seconds > 0) return Math.min(seconds * 1000, inCi);
  return env.CI ? inCi : atHome;
}
