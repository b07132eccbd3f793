import { stripVTControlCharacters } from "node:util";
import { withoutDurations } from "../../text/durations.ts";
import { linearSigns } from "../../text/linear-signs.ts";

/** What a screen says as a whole, line by line. */
export interface LinearFrame {
  /** Every line that has words; the first one names the place. */
  readonly lines: readonly string[];
  /** The line that is being typed into, which none of `lines` stands for; null without one. */
  readonly typed: string | null;
  /** The line the cursor is on. */
  readonly current: string | null;
}

/** Reads what was drawn: spaces that only align are taken out, and so are the signs. */
export function readFrame(drawn: string): LinearFrame {
  const lines: string[] = [];
  let typed: string | null = null;
  let current: string | null = null;
  for (const line of stripVTControlCharacters(drawn).split("\n")) {
    const isTyped = line.includes(linearSigns.typed);
    const isCurrent = line.includes(linearSigns.current);
    const words = line
      .replaceAll(linearSigns.typed, "")
      .replaceAll(linearSigns.current, "")
      .replace(/(?<=\S) {2,}/g, "  ")
      .trimEnd();
    if (words.trim() === "") continue;
    if (isTyped) typed = words;
    else if (isCurrent) current = words;
    else lines.push(words);
  }
  return { lines, typed, current };
}

export const nothingSaid: LinearFrame = { lines: [], typed: null, current: null };

/**
 * What has to be printed so that a reader of `before` knows `after`: the lines that are new, in their
 * order, and last the line with the cursor or the text, if it is another one. At another place
 * everything is printed. An age that has grown is no change.
 */
export function newsBetween(before: LinearFrame, after: LinearFrame): LinearFrame {
  const elsewhere = before.lines[0] !== after.lines[0];
  const known = new Map<string, number>();
  const heard = [...before.lines, before.typed, before.current].filter((line) => line !== null);
  for (const line of elsewhere ? [] : heard) {
    const key = withoutDurations(line);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const lines = after.lines.filter((line) => {
    const key = withoutDurations(line);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
  const typed = !elsewhere && after.typed === before.typed ? null : after.typed;
  const current = !elsewhere && sameSaid(after.current, before.current) ? null : after.current;
  return {
    // The line that is typed into, or that the cursor is on, stands in its list as well.
    lines: lines.filter(
      (line) =>
        line !== after.typed && (line !== after.current || current === null || isList(lines)),
    ),
    typed,
    current: current !== null && isFirstOf(lines, current) ? null : current,
  };
}

function sameSaid(one: string | null, other: string | null): boolean {
  return one === null || other === null
    ? one === other
    : withoutDurations(one) === withoutDurations(other);
}

/** Whether more than one choice is among the lines. */
function isList(lines: readonly string[]): boolean {
  return lines.filter(isChoice).length > 1;
}

/** A list that is read from its first line needs no word that the cursor is on it. */
function isFirstOf(lines: readonly string[], current: string): boolean {
  return isList(lines) && lines.find(isChoice) === current;
}

function isChoice(line: string): boolean {
  return /^\d+\. /.test(line);
}
