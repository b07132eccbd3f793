/** The keys that work on all screens: back, palette, help, quit and others. */
import { useApp, useLock, useSessionState, useStops, useTour } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useZoneAction } from "../../hooks/now.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Action, Actions } from "../../keys/scopes.ts";
import type { App } from "../../session/app.ts";
import { KeyLevel } from "../../session/key-registry.ts";
import { leaveProfile } from "../../session/leave-profile.ts";
import { journalCommand } from "../../session/overlays.ts";
import { backWords, isSamePlace, isStep, trailOf } from "../../session/place-words.ts";
import { factsOf, type Place, placeTable, supplierOf } from "../../session/places.ts";
import { runningIds } from "../../session/tasks.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCommand, type CommandPlace } from "../../text/as-command.ts";
import type { LazyScreens } from "./lazy-screens.tsx";
import { handlePasted } from "./pasted.ts";
import { useShiftReport } from "./shift-report.ts";

function isHereWords(place: Place): string {
  return `This is ${trailOf(place).at(-1)}.`;
}

function cancelWords([run]: readonly string[], key: KeyWords): string {
  return run === undefined
    ? `Canceled. ${key("cancel")} again quits.`
    : `Run ${run} is stopping; ${key("cancel")} again cuts it off.`;
}

export function useRootKeys(lazyScreens: LazyScreens): void {
  const app = useApp();
  const { suspend, redraw, notices, overlays, inFlight, key, navigation } = app;
  const lock = useLock();
  const state = useSessionState();
  const stops = useStops();
  const place = stops.at(-1)?.place;
  const below = stops.at(-2)?.place;
  const tour = useTour();
  const quit = () => leaveProfile(app, "leave", () => app.exit());
  const command = placeCommand(app, place);
  const showsProfile = place && state.kind === "open" && lazyScreens.needsSession(place);
  const to = (target: Place): Action =>
    place !== undefined && isSamePlace(place, target)
      ? { run: () => notices.explain(isHereWords(target)), isHidden: true }
      : { run: () => navigation.push(target) };
  const works = {
    "in-session": state.kind === "open",
    "in-team": state.kind === "open" && state.session.profile.team !== undefined,
    "in-profile": showsProfile === true,
    "after-start": place?.kind !== "first-run",
  };
  const openingActions: Actions = Object.fromEntries(
    Object.values(placeTable).flatMap(({ key: opening }) =>
      opening !== undefined && works[opening.works]
        ? [[opening.action, to(opening.from(place ?? { kind: "suppliers" }))]]
        : [],
    ),
  );
  const actions: Actions = {
    ...openingActions,
    ...(place && below ? { back: { run: navigation.back, label: backWords(place, below) } } : {}),
    ...(place && !isStep(place)
      ? {
          "last-place": {
            run: navigation.toLast,
            disabled: navigation.last() === null ? "There is no earlier place." : null,
          },
        }
      : {}),
    ...(command ? { "as-command": command } : {}),
    ...(lock.action ? { unlock: lock.action } : {}),
    ...(place?.kind === "first-run" || !place ? {} : { tour: tour.action }),
    palette: () => overlays.open({ kind: "palette", text: "" }),
    help: () => overlays.open({ kind: "help" }),
    zone: useZoneAction(),
    report: useShiftReport(
      state.kind === "open" ? state.session : null,
      place ? supplierOf(place) : null,
    ),
    quit: quit,
  };
  // These keys also work in front of a dialog.
  const groundActions: Actions = {
    suspend: () => void suspend(),
    redraw: redraw,
    cancel: () => {
      const runs = state.kind === "open" ? runningIds(state.session.tasks.runs.all.get()) : [];
      if (inFlight.cancelAll()) notices.show(cancelWords(runs, key), "busy");
      else quit();
    },
  };
  useKeys(groundActions, { level: KeyLevel.ground });
  useKeys(actions, { level: KeyLevel.root, onPaste: (text) => handlePasted(app, text) });
}

/**
 * Returns the action that shows the equivalent command for a place, or null without a place. A
 * screen that makes a request replaces this action.
 */
function placeCommand({ overlays, sessions }: App, place: Place | undefined): Action | null {
  const state = sessions.state.get();
  const profile = state.kind === "open" ? state.session.profile : null;
  if (!place) return null;
  const equivalent = factsOf(place).command(place);
  if (equivalent === null) {
    return { run: () => {}, disabled: "The review shows the command and curl." };
  }
  // The command names the profile only if its output depends on the profile.
  const isOfProfile =
    equivalent.place.kind === "suppliers" || journalCommands.includes(equivalent.place.kind);
  const flag = isOfProfile && profile ? profileFlag(profile) : null;
  const shown = { command: asCommand(equivalent.place, flag), note: equivalent.note };
  return {
    run: () =>
      overlays.command(
        profile !== null && journalCommands.includes(equivalent.place.kind)
          ? journalCommand(profile, shown)
          : shown,
      ),
  };
}

const journalCommands: readonly CommandPlace["kind"][] = [
  "runs",
  "activity-list",
  "approvals",
  "approval",
];
