/**
 * The zone in which times are shown. There is one for the whole program, as there is one local zone:
 * every screen writes times with `formatInstant`, and all of them change together.
 */
export type ShownZone = "local" | "utc";

let shown: ShownZone = "local";
const listeners = new Set<() => void>();

export const shownZone = {
  get: (): ShownZone => shown,
  set(zone: ShownZone): void {
    if (zone === shown) return;
    shown = zone;
    for (const listener of [...listeners]) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Milliseconds east of UTC in the zone shown, at an instant (epoch milliseconds). */
export function shownOffsetMs(ms: number): number {
  if (shown === "utc") return 0;
  const minutesWest = new Date(ms).getTimezoneOffset();
  return Number.isNaN(minutesWest) ? 0 : -minutesWest * 60_000;
}

/** The zone shown at an instant, as the header names it: `UTC`, `UTC-5`, `UTC+5:30`. */
export function zoneLabel(ms: number): string {
  const minutes = Math.round(shownOffsetMs(ms) / 60_000);
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const tail = rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${tail}`;
}
