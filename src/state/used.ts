/** Stores recently used places, filters, files and actions, and the step of the tour. */
import { type Rows, text } from "../sqlite/rows.ts";
import type { State } from "./state.ts";

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

const maxValues = 50;
/** Maximum number of characters in a value. Longer values are not stored. */
const maxValueLength = 2_000;

export function recentlyUsed(
  uses: readonly Use[],
  list: Use["list"],
  owner = "",
): readonly string[] {
  return uses
    .filter((use) => use.list === list && use.owner === owner)
    .slice(0, maxValues)
    .map(({ value }) => value);
}

/** Returns the uses without one of them. For the tour, all its steps are left out. */
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

/** Stores a use as the newest, and deletes the oldest values of a list that is too long. */
export function storeUse(rows: Rows, use: Use): void {
  const { list, owner, value } = use;
  if (value.length > maxValueLength) return;
  dropUse(rows, use);
  rows.insert("used", { list, owner, value });
  const newest =
    "SELECT rowid FROM used WHERE list = ?1 AND owner = ?2 ORDER BY rowid DESC LIMIT ?3";
  const deleteOlder = `DELETE FROM used WHERE list = ?1 AND owner = ?2 AND rowid NOT IN (${newest})`;
  rows.run(deleteOlder, list, owner, maxValues);
}

/** Deletes a use. For the tour, the stored step is deleted, even if it has another number. */
export function dropUse(rows: Rows, { list, owner, value }: Use): void {
  const where = "list = ? AND owner = ? AND (value = ? OR list = 'tour')";
  rows.run(`DELETE FROM used WHERE ${where}`, list, owner, value);
}

export function dropPlaces(rows: Rows, profile: string): number {
  const where = "list = 'place' AND json_valid(owner) AND json_extract(owner, '$[0]') = ?";
  return rows.run(`DELETE FROM used WHERE ${where}`, profile);
}

/**
 * Returns the key under which data for a profile at a service is stored. The service is in the key,
 * because an account number has no meaning at another service.
 */
export function profileKey(profile: string, service: string): string {
  return JSON.stringify([profile, service]);
}

export function belongsToProfile(key: string, profile: string): boolean {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) && parts[0] === profile;
  } catch {
    return false;
  }
}
