import { useOverlays } from "../../hooks/overlay.tsx";
import { useSessionState } from "../../hooks/session.tsx";
import type { Action } from "../../keys/scopes.ts";
import type { Place } from "../../session/places.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCommand, type CommandPlace } from "../../text/as-command.ts";

/**
 * A place as a command, where its screen has nothing nearer to say: no request is behind it, or not
 * yet. Null where there is no command for it.
 */
export function usePlaceCommand(place: Place | undefined): Action | null {
  const overlays = useOverlays();
  const state = useSessionState();
  const profile = state.kind === "open" ? state.session.profile : null;
  if (!place) return null;
  const found = commandOf(place);
  if (found === null) {
    return { run: () => {}, disabled: "The review shows the command and curl." };
  }
  // Local data is the same with every profile.
  const flag = found.place.kind === "suppliers" && profile ? profileFlag(profile) : null;
  return {
    run: () =>
      overlays.command({
        command: asCommand(found.place, flag),
        note: found.note,
      }),
  };
}

function commandOf(place: Place): { place: CommandPlace; note: string } | null {
  const local = "This screen shows local data; it makes no request.";
  switch (place.kind) {
    case "first-run":
      return { place: { kind: "sandbox" }, note: "The sandbox; nothing leaves this machine." };
    case "connect":
      return place.edit === null
        ? { place: { kind: "profiles" }, note: `${local} supplyline profiles add adds one.` }
        : { place: { kind: "profile", name: place.edit }, note: local };
    case "profiles":
      return { place: { kind: "profiles" }, note: local };
    case "compose":
    case "review":
    case "compose-marked":
    case "review-marked":
    case "review-file":
      return null;
    case "cohorts":
      return { place: { kind: "cohorts" }, note: local };
    case "runs":
    case "run":
    case "bulk-file":
      return { place: { kind: "runs" }, note: local };
    case "activity":
    case "write":
    case "cause":
      return { place: { kind: "activity-list" }, note: local };
    case "suppliers":
    case "watch":
    case "overview":
    case "cohort":
    case "reconcile":
    case "reconciled-rows":
    case "accounts":
    case "account":
    case "supply-point":
      return {
        place: { kind: "suppliers" },
        note: "Opens the console; nothing is shown here yet.",
      };
  }
}
