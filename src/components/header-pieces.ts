/** Fits the states on the right side of the header into the width of the window. */
import { truncate, widthOf } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import type { Piece } from "./text.tsx";

/** A state on the right side of the header. */
export interface HeaderState {
  readonly text: string;
  readonly tone: Tone;
  /**
   * The order in which states are left out in a narrow window, lowest number first. Default: the
   * state always stays.
   */
  readonly drop?: number;
  /**
   * True if the text can be cut to make room after all optional states are left out. Default:
   * false.
   */
  readonly shorten?: boolean;
}

const gap = 2;
/** Maximum and minimum cells of a state that can be shortened, such as the name of the profile. */
const longestName = 24;
const shortestName = 6;

/**
 * Returns the states that fit beside a breadcrumb of at least `trail` cells, in their order. The
 * profile, PROD and read-only stay. The other states are removed one by one, the least important
 * first.
 */
export function headerPieces(
  states: readonly HeaderState[],
  columns: number,
  trail: number,
): readonly Piece[] {
  const room = columns - trail - gap;
  let kept = states.map((state) =>
    state.shorten ? { ...state, text: truncate(state.text, longestName) } : state,
  );
  const width = () => kept.reduce((sum, { text }) => sum + widthOf(text) + gap, -gap);
  while (width() > room) {
    const [least] = kept
      .filter(({ drop }) => drop !== undefined)
      .toSorted((a, b) => (a.drop ?? 0) - (b.drop ?? 0));
    if (least === undefined) break;
    kept = kept.filter((state) => state !== least);
  }
  const over = width() - room;
  if (over > 0) {
    kept = kept.map((state) =>
      state.shorten
        ? {
            ...state,
            text: truncate(state.text, Math.max(shortestName, widthOf(state.text) - over)),
          }
        : state,
    );
  }
  return kept.flatMap(({ text, tone }, at) =>
    at === 0 ? [{ text, tone }] : [{ text: " ".repeat(gap) }, { text, tone }],
  );
}

/** Returns the width of several pieces in cells. */
export function widthOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}
