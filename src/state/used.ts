import { type Rows, text } from "../sqlite/rows.ts";
import type { State } from "./state.ts";

/** Something that was used lately. */
export interface Use {
  /**
   * - `place`: as the palette takes it, of a profile at a service (see `profileKey`)
   * - `filter`: of a kind of list
   * - `file`: the absolute path of a file that was written or checked
   * - `action`: run from the palette, by id
   * - `tour`: the step at which the tour is
   */
  readonly list: "place" | "filter" | "file" | "action" | "tour";
  /** The list's owner; empty if there is one list for all. */
  readonly owner: string;
  readonly value: string;
}

/** The longest list, in values, and the longest value, in characters. */
const mostValues = 50;
const longestValue = 2_000;

/** Returns the values of a list, the newest first. */
export function lately(uses: readonly Use[], list: Use["list"], owner = ""): readonly string[] {
  return uses
    .filter((one) => one.list === list && one.owner === owner)
    .slice(0, mostValues)
    .map(({ value }) => value);
}

/** Returns the uses without one. */
export function withoutUse(uses: readonly Use[], use: Use): readonly Use[] {
  return uses.filter(
    ({ list, owner, value }) =>
      list !== use.list || owner !== use.owner || (value !== use.value && list !== "tour"),
  );
}

/** Returns what was used lately, the newest first. Throws a settings error `corrupt`. */
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
  rows.run(rest, list, owner, mostValues);
}

/** Deletes a use; of the tour, whatever its step. */
export function dropUse(rows: Rows, { list, owner, value }: Use): void {
  const which = "list = ? AND owner = ? AND (value = ? OR list = 'tour')";
  rows.run(`DELETE FROM used WHERE ${which}`, list, owner, value);
}

/** Deletes the places that were opened with a profile, and returns their number. */
export function dropPlaces(rows: Rows, profile: string): number {
  const which = "list = 'place' AND json_valid(owner) AND json_extract(owner, '$[0]') = ?";
  return rows.run(`DELETE FROM used WHERE ${which}`, profile);
}
