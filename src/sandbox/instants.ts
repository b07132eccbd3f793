/** Datetimes as the service writes them. */

/** `2025-01-31T09:30:00Z`. */
export function toSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** With a UTC offset, as supply point import processes have it: `2025-01-31T09:30:00.125+00:00`. */
export function withOffset(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}+00:00`;
}
