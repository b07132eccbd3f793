/** Stores the places, filters, files and actions that the user used last. */
import { type Rows, text } from "../sqlite/rows.ts";
import type { State } from "./state.ts";

/** An item that the user used recently. */
export interface Use {
  /**
   * - `place`: a place as typed into the palette. Its owner is a profile at a service (`profileKey`)
   * - `filter`: a filter. Its owner is a kind of list
   * - `file`: the absolute path of a file that was written or checked
   * - `action`: the ID of an action that was run from the palette
   * - `tour`: the current step of the tour
   */
  readonly list: "place" | "filter" | "file" | "action" | "tour";
  /** The owner of the list, or an empty text if there is only one list. */
  readonly owner: string;
  readonly value: string;
}

/**
 * Maximum number of values in a list. `longestValue` is the maximum number of characters in a
 * value.
 */
const maxValues = 50;
const longestValue = 2_000;

/** Returns the values of a list, the newest first. */
export function recentlyUsed(
  uses: readonly Use[],
  list: Use["list"],
  owner = "",
): readonly string[] {
  return uses
    .filter((one) => one.list === list && one.owner === owner)
    .slice(0, maxValues)
    .map(({ value }) => value);
}

/** Returns the uses without one of them. */
export function withoutUse(uses: readonly Use[], use: Use): readonly Use[] {
  return uses.filter(
    ({ list, owner, value }) =>
      list !== use.list || owner !== use.owner || (value !== use.value && list !== "tour"),
  );
}

/** Returns all recent uses, the newest first. Throws a settings error `corrupt`. */
export function readUses(state: State): readonly Use[] {
  return state.read((rows) =>
    rows.all("SELECT list, owner, value FROM used ORDER BY rowid DESC").map((row) => ({
      list: text(row, "list") as Use["list"],
      owner: text(row, "owner"),
      value: text(row, "value"),
    })),
  );
}

/** Stores a use as the newest, and drops the oldest of a list that is too long. */
export function storeUse(rows: Rows, use: Use): void {
  const { list, owner, value } = use;
  if (value.length > longestValue) return;
  dropUse(rows, use);
  rows.insert("used", { list, owner, value });
  const kept = "SELECT rowid FROM used WHERE list = ?1 AND owner = ?2 ORDER BY rowid DESC LIMIT ?3";
  const rest = `DELETE FROM used WHERE list = ?1 AND owner = ?2 AND rowid NOT IN (${kept})`;
  rows.run(rest, list, owner, maxValues);
}

/** Deletes a use. A step of the tour is deleted whatever its number. */
export function dropUse(rows: Rows, { list, owner, value }: Use): void {
  const which = "list = ? AND owner = ? AND (value = ? OR list = 'tour')";
  rows.run(`DELETE FROM used WHERE ${which}`, list, owner, value);
}

/** Deletes the places that were opened with a profile, and returns their number. */
export function dropPlaces(rows: Rows, profile: string): number {
  const which = "list = 'place' AND json_valid(owner) AND json_extract(owner, '$[0]') = ?";
  return rows.run(`DELETE FROM used WHERE ${which}`, profile);
}

/**
 * Returns the key under which data for a profile at a service is stored. A number has no meaning at
 * another service.
 */
export function profileKey(profile: string, service: string): string {
  return JSON.stringify([profile, service]);
}

/** Returns true if a key belongs to this profile, at any service. */
export function belongsToProfile(key: string, profile: string): boolean {
  try {
    const named: unknown = JSON.parse(key);
    return Array.isArray(named) && named[0] === profile;
  } catch {
    return false;
  }
}
