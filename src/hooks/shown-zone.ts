import { useMemo, useSyncExternalStore } from "react";
import type { Action } from "../keys/scopes.ts";
import { type ShownZone, shownZone, zoneLabel } from "../text/shown-zone.ts";
import { useConsole } from "./console.tsx";
import { useNotices } from "./notices.tsx";

/** The zone in which times are shown; whoever writes times is drawn again when it changes. */
export function useShownZone(): ShownZone {
  return useSyncExternalStore(shownZone.subscribe, shownZone.get);
}

/** The palette action that shows times in UTC, and in the local zone again. */
export function useZoneAction(): Action {
  const { clock } = useConsole();
  const notices = useNotices();
  const zone = useShownZone();
  return useMemo(
    () => ({
      label: zone === "utc" ? "local time" : "utc",
      run: () => {
        shownZone.set(zone === "utc" ? "local" : "utc");
        notices.show(`Times are in ${zoneLabel(clock.now())}.`);
      },
    }),
    [zone, notices, clock],
  );
}
