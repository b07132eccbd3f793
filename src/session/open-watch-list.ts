/** Opens the watch list of a profile, and connects it to the state file. */
import type { Service } from "../api/service.ts";
import type { Profile } from "../settings/schemas.ts";
import type { Cohorts } from "../triage/cohorts/cohorts.ts";
import { createRounds } from "../triage/list-watch/rounds.ts";
import type { Observations } from "../triage/observations/observations.ts";
import type { Budget } from "../watch/budget.ts";
import type { CheckHistory } from "../watch/check-history.ts";
import { openWatched, type WatchRecord } from "../watch/record.ts";
import type { StoredWatch } from "../watch/timeline.ts";
import { createWatchList, type WatchList } from "../watch/watch-list.ts";
import { checkStatus } from "../watch/watched.ts";
import type { Surroundings } from "./surroundings.ts";

/** Opens the watch list of a profile, saved in the state file. Checking starts at once. */
export function openWatchList(options: {
  readonly service: Service;
  readonly profile: Profile;
  /** Called after each check with its error, or with null if the check succeeded. */
  readonly report: (error: unknown) => void;
  /** The observed states of all subjects, including subjects that are not on the watch list. */
  readonly checkHistory: CheckHistory;
  readonly observations: Observations;
  readonly cohorts: Pick<Cohorts, "read">;
  readonly budget: Budget;
  readonly surroundings: Pick<Surroundings, "clock" | "settings" | "state">;
}): WatchList {
  const { service, profile, report, checkHistory, observations, cohorts, budget } = options;
  const { clock, settings, state } = options.surroundings;
  const isEmbedded = profile.baseUrl === null;
  const serviceName = isEmbedded ? "embedded" : service.baseUrl;
  const record = openWatched(state, { profile: profile.name, service: serviceName });
  const intervalMs = settings.preferences().pollIntervalMs;
  const lists = createRounds({
    service,
    clock,
    intervalMs,
    observations,
    cohorts,
    checkHistory,
    checked: report,
  });
  return createWatchList({
    check: (subject, signal) =>
      checkStatus(service, subject, signal, (state) => {
        checkHistory.saw(subject, state, clock.now());
      }),
    checkHistory,
    budget,
    clock,
    wrongByMs: service.wrongByMs,
    intervalMs,
    lists,
    record: isEmbedded ? withoutTimelines(record) : record,
    onCheck: report,
  });
}

/**
 * Returns a record whose timelines are empty. Each run of the embedded sandbox starts with new data,
 * so the observations of an earlier run do not apply.
 */
function withoutTimelines(record: WatchRecord): WatchRecord {
  const cleared = (stored: readonly StoredWatch[]) =>
    stored.map((watch) => ({ ...watch, timeline: [] }));
  return {
    read: () => cleared(record.read()),
    change: (change) => cleared(record.change(change)),
  };
}
