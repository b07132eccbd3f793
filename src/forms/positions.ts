import type { Path } from "./fields.ts";
import type { Issue } from "./issue.ts";
import type { Place } from "./scan-json.ts";

/** Lines and columns count from 1; a column is a character, however many bytes or cells it takes. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets of a text into lines and columns. */
export function positionsOf(text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
  return (offset) => {
    let line = 0;
    for (let step = 2 ** Math.ceil(Math.log2(starts.length)); step >= 1; step /= 2) {
      const next = starts[line + step];
      if (next !== undefined && next <= offset) line += step;
    }
    return { line: line + 1, column: [...text.slice(starts[line], offset)].length + 1 };
  };
}

/** Where in the text an issue is: the value; the name that is wrong; else what should hold it. */
export function offsetOf(root: Place, { path, about }: Pick<Issue, "path" | "about">): number {
  let place = root;
  for (const [index, step] of path.entries()) {
    const next = place.children.get(step);
    if (next === undefined) break;
    place = next;
    const last = index === path.length - 1;
    if (last && about === "name" && place.name !== null) return place.name;
  }
  return place.start;
}

/** The place of a path, as if the text began there; undefined where it says nothing. */
export function placeAt(root: Place, path: Path): Place | undefined {
  return path.reduce<Place | undefined>((place, step) => place?.children.get(step), root);
}
