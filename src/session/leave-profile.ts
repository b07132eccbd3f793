/** Leaves, opens or removes a profile. Running work is stopped before. */
import { dirname } from "node:path";
import { errorMessage } from "../api/errors.ts";
import { type ResolvedProfile, resolvedSandbox } from "../settings/resolve.ts";
import type { Profile } from "../settings/schemas.ts";
import { wipeProfileData } from "../state/profile-data.ts";
import { plural } from "../text/numbers.ts";
import type { App } from "./app.ts";
import type { Session } from "./open-session.ts";
import { isStep } from "./place-words.ts";
import { profileIn } from "./sessions.ts";
import { runningIds, runPatienceMs } from "./tasks.ts";

/**
 * Calls `leave`, which leaves the open profile. If something is being sent, asks first, stops the
 * sends and waits for the requests in flight. `action` is the label of leaving, in lower case.
 */
export function leaveProfile(
  { sessions, overlays, notices, key }: App,
  action: string,
  leave: () => void,
): void {
  const state = sessions.state.get();
  const work = state.kind === "open" ? runningWork(state.session, key("resume-run")) : null;
  if (state.kind !== "open" || work === null) {
    leave();
    return;
  }
  overlays.confirm({
    question: `${work.sends}. Stop and ${action}?`,
    detail: `Requests in flight have up to ${runPatienceMs / 1_000} s to finish. ${work.remedies}`,
    yes: `Stop and ${action}`,
    onYes: () => {
      notices.show("Stopping: waiting for requests in flight…", "busy");
      void state.session.endTasks().then(leave);
    },
  });
}

/** Returns sentences about the running sends and how to continue them, or null if none run. */
function runningWork({ tasks }: Session, resumeKey: string) {
  const runs = runningIds(tasks.runs.all.get());
  const entries = runningIds(tasks.entries.all.get());
  const forms = runningIds(tasks.forms.all.get()).length;
  const [run, ...more] = runs;
  const sending = Math.max(entries.length, forms);
  if (run === undefined && sending === 0) return null;
  const parts = [
    run === undefined
      ? ""
      : more.length === 0
        ? `Run ${run} is running`
        : `${plural(runs.length, "run is", "runs are")} running`,
    sending === 0 ? "" : `${plural(sending, "entry is", "entries are")} being sent`,
  ];
  const verify = entries.map((id) => `supplyline activity verify ${id}`).join(", ");
  const remedies = [
    run === undefined
      ? ""
      : `To resume the rows that are left: ${runs.map((id) => `supplyline bulk resume ${id}`).join(", ")}, or ${resumeKey} on the screen of the run.`,
    verify === "" ? "" : `Without an answer an outcome is unknown; ${verify} finds it out.`,
  ];
  return { sends: parts.filter(Boolean).join(", "), remedies: remedies.filter(Boolean).join(" ") };
}

/**
 * Opens a profile. Returns to the place from which the profiles were opened if the same profile of
 * the same service stays open, and else to the suppliers. `formerName` is the name of the profile
 * before an edit.
 */
export function openProfile(
  { sessions, navigation }: App,
  resolved: ResolvedProfile,
  formerName = resolved.profile.name,
): void {
  const state = sessions.state.get();
  const isSame =
    profileIn(state) === formerName &&
    (state.kind !== "open" || state.session.profile.baseUrl === resolved.profile.baseUrl);
  const places = navigation.stops.get().map(({ place }) => place);
  const end = places.findIndex((place) => place.kind === "profiles" || isStep(place));
  const earlier = isSame ? places.slice(0, Math.max(0, end)) : [];
  void sessions.open(resolved);
  navigation.reset(earlier.length === 0 ? [{ kind: "suppliers" }] : earlier);
}

export function switchProfile(app: App, profile: Profile): void {
  const { settings, secrets } = app;
  leaveProfile(app, `open ${profile.name}`, () => {
    if (profile.baseUrl !== null) settings.use(profile.name);
    openProfile(
      app,
      profile.baseUrl === null
        ? resolvedSandbox()
        : { profile, origin: "current", credentials: settings.credentials(profile, secrets) },
    );
  });
}

/**
 * Removes a stored profile with all data that is stored for it alone. Leaves it first if it is
 * open. Resolves with the problems of data that could not be deleted. Rejects with a settings
 * error.
 */
export async function removeProfile(
  { settings, state, sessions, history }: App,
  name: string,
): Promise<readonly string[]> {
  settings.remove(name);
  // An open session would continue to use the lists and the token of the removed profile.
  if (profileIn(sessions.state.get()) === name) await sessions.close();
  settings.forget(name);
  history.forgetPlaces(name);
  const { problems } = await wipeProfileData(state, dirname(settings.file), name);
  return problems.map(errorMessage);
}
