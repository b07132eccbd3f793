import type { Preferences } from "./preferences.ts";

/**
 * Whether complete lists are recorded as observations: `SUPPLYLINE_OBSERVE` (0 is no) overrides the
 * preference `recordObservations`. Reading the preferences may throw a settings error.
 */
export function recordsObservations(
  env: Readonly<Record<string, string | undefined>>,
  preferences: () => Pick<Preferences, "recordObservations">,
): boolean {
  const { SUPPLYLINE_OBSERVE: said } = env;
  return said ? said !== "0" : preferences().recordObservations;
}
