import type { Path } from "../json/value.ts";
import type { FormState } from "./form-values.ts";
import { startsWith } from "./paths.ts";

/** What can be folded away: a section by its id, an object or a row by its path. */
export type Fold = string | Path;

/** The word that a draft keeps for it. */
export function foldKey(at: Fold): string {
  return JSON.stringify(at);
}

export function isFolded({ folded }: FormState, at: Fold): boolean {
  return folded.includes(foldKey(at));
}

/** What is folded after rows changed their numbers: folds go with their rows. */
export function foldsAfter(
  folded: readonly string[],
  rows: Path,
  moved: (at: number) => number | null,
): readonly string[] {
  return folded.flatMap((key) => {
    const path = pathOf(key);
    const at = path?.[rows.length];
    if (path === null || typeof at !== "number" || !startsWith(path, rows)) return [key];
    const to = moved(at);
    return to === null ? [] : [foldKey(path.with(rows.length, to))];
  });
}

function pathOf(key: string): Path | null {
  try {
    const path: unknown = JSON.parse(key);
    return Array.isArray(path) ? path : null;
  } catch {
    return null;
  }
}
