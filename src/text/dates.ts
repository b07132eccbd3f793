const UNREADABLE = "unreadable time";

function two(n: number): string {
  return String(n).padStart(2, "0");
}

function year(n: number): string {
  return n < 0 ? `-${String(-n).padStart(4, "0")}` : String(n).padStart(4, "0");
}

/**
 * An instant (epoch milliseconds) as `2026-11-20 14:00:05`, in the local zone or in UTC, so that
 * sorting the text sorts the times. Without `seconds`: to the minute.
 */
export function formatInstant(
  ms: number,
  options: { readonly utc?: boolean | undefined; readonly seconds?: boolean | undefined } = {},
): string {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return UNREADABLE;
  const parts = options.utc
    ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()]
    : [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()];
  const [y = 0, month = 0, day = 0, hours = 0, minutes = 0] = parts;
  const text = `${year(y)}-${two(month + 1)}-${two(day)} ${two(hours)}:${two(minutes)}`;
  if (options.seconds === false) return text;
  return `${text}:${two(options.utc ? at.getUTCSeconds() : at.getSeconds())}`;
}

/**
 * The time zone of this machine or of `TZ`, as a name or an offset that `Intl` takes; UTC where
 * neither says. Everything that reads or writes local times uses this one.
 */
export function localZone(): string {
  const named: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (named === "Etc/Unknown") return "UTC";
  if (named !== undefined) return named;
  // A rule such as JST-9 has an offset and no name.
  const offset = zoneName(Date.now());
  return offset === "+00:00" ? "UTC" : offset;
}

/** The zone that {@link formatInstant} wrote that instant in: `+01:00`, or `UTC`. */
export function zoneName(ms: number, utc = false): string {
  if (utc) return "UTC";
  const east = -new Date(ms).getTimezoneOffset();
  if (Number.isNaN(east)) return UNREADABLE;
  const minutes = Math.abs(east);
  return `${east < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * How long ago an instant was, in one unit, cut rather than rounded: `just now`, `42 s ago`,
 * `3 h ago`, `12 d ago`; ahead of `now`: `in 5 s`, rounded up so that a countdown ends at `now`.
 */
export function ago(ms: number, now: number): string {
  const elapsed = now - ms;
  if (!Number.isFinite(elapsed)) return UNREADABLE;
  if (elapsed < 0) return `in ${oneUnit(Math.ceil(-elapsed / 1000))}`;
  const seconds = Math.floor(elapsed / 1000);
  return seconds < 2 ? "just now" : `${oneUnit(seconds)} ago`;
}

/**
 * The same for what certainly has happened: a screen whose clock ticks once a second may hold a time
 * from before it, and must not speak of the future.
 */
export function sinceThen(ms: number, now: number): string {
  return ago(Math.min(ms, now), now);
}

function oneUnit(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
