import type { KillGroup } from "../../src/settings/custom/run-bounded.ts";

/** As the entry does it. */
export const killGroup: KillGroup = (group, signal) => {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended meanwhile.
  }
};
