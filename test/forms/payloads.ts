/** Values for tests of forms. */

/** JSON text without the blanks between its tokens; numbers stay as they are spelt. */
export function compact(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? "");
}

/** A moment in November in Berlin, an hour ahead of UTC. */
export const typedAt = { now: Date.UTC(2026, 10, 20, 9, 30, 5), timeZone: "Europe/Berlin" };
