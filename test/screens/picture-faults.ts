import type { createTheme } from "../../src/theme.tsx";
import type { Cell, Grid } from "../helpers/cell.ts";

/** The meanings of the colors, each with the words and signs that stand for it. */
const meanings = {
  ok: /[✓=+]|\b(v|imported|confirmed|created|completed|processed|done|existed|found|added|switch(ed)?|returned|200|201|loaded)\b/i,
  busy: /[●*]|…|\b(in progress|running|sending|checking)\b/i,
  waiting:
    /[○▓≥]|\?|\b(pending|unknown|staged|waiting|waits|stopped|paused|retryable|unsent|open|not checked|canceled|stale|next try|not known)\b/i,
  bad: /[✗!]|\b(x|gone|failed|rejected|removed|renumbered|not staged|on no list|unlisted|malformed|not known|not[ _]found|no such|refused|error|errors|errored|offline|no answer|held back|HTTP|not loaded|\d{3})\b/i,
} as const;

type Meaning = keyof typeof meanings;

/** Words that a run of another color must not have. */
const own: Readonly<Record<Meaning, RegExp>> = {
  ok: /✓|\b(confirmed|completed|imported)\b/i,
  busy: /●|\bin progress\b/i,
  waiting: /○|\b(pending|unknown)\b/i,
  bad: /✗|\b(gone|failed|rejected)\b/i,
};

/** A colored text with more words than this is a sentence, which only a failure may be. */
const mostWords = 6;
const failure =
  /\b(cannot|could not|failed|refused|no such|not[ _]found|error|not known|nothing was sent)\b/i;

/** A bar, a figure, or nothing but blanks. */
const noWords = /^[\s\d.,%–━╸─=!█▉▊▋▌▍▎▏▓▒░#?x-]*$/;

/** A theme, and how its terminal shows the line of the cursor: a shade, or null for bold. */
export interface Look {
  readonly theme: Parameters<typeof createTheme>[0];
  readonly shade: string | null;
  readonly cursor: "▌" | ">";
  /** The color of each meaning; null without colors. */
  readonly colors: Readonly<Record<Meaning, string>> | null;
}

/** The colors of text without a state, and of text that no one must read. */
const plainColors: ReadonlySet<string> = new Set(["default", "bright-black"]);

/** From this width on a preview stands beside a list. */
const widest = 140;

/** The cells of a bar in a row, which are not bold. In ASCII, parts in doubt and failed are signs. */
const barCells = /^[━╸─?!]$/;

/** Returns what is wrong with the picture, in words. */
export function faultsOf(
  screen: Grid,
  { shade, colors, cursor }: Look,
  isList: boolean,
): readonly string[] {
  const lines = Array.from({ length: screen.rows }, (_, row) =>
    Array.from({ length: screen.cols }, (_, col) => screen.cell(row, col)),
  );
  const [header, footer] = [lines[0], lines.at(-1)];
  const faults: string[] = [];
  const fault = (isOne: boolean, words: string) => {
    if (isOne) faults.push(words);
  };
  fault(!/UTC$/.test(textOf(header)), "the header does not end with the zone at the edge");
  fault(/…|~/.test(textOf(header).replace(/^.*? {2}/, "")), "the right side of the header is cut");
  fault(
    !/help/.test(textOf(footer)) && !/Esc close/.test(textOf(footer)),
    "no way to the help in the footer",
  );
  fault(/…|\w~/.test(textOf(footer)), "a key of the footer is cut");
  fault(
    footer?.some(({ fg, bg }) => !plainColors.has(fg) || bg !== "default") ?? true,
    "the footer has a color",
  );
  for (const [row, cells] of lines.entries()) {
    const words = textOf(cells);
    fault(/\d[…~]/.test(words), `a figure is cut: ${words}`);
    const lit = cells.filter(({ bg }) => bg !== "default");
    if (isList && words.startsWith(cursor)) {
      const [first] = /^.*?(?= [│|] |$)/.exec(words) ?? [""];
      const width = screen.cols < widest ? screen.cols : first.length;
      const held = shade === null ? "bold" : shade;
      const torn = cells
        .slice(0, width)
        .filter(({ bg, bold, chars }) =>
          shade === null ? !bold && chars.trim() !== "" && !barCells.test(chars) : bg !== shade,
        );
      fault(torn.length > 0, `the line of the cursor is torn (${held}): ${words}`);
      fault(shade === null && lit.length > 0, `a background where there is no shade: ${words}`);
    } else {
      fault(
        lit.some(({ inverse }) => !inverse) && !words.startsWith(cursor),
        `a background is left: ${words}`,
      );
      fault(isList && /^[▌>]/.test(words), `the line of the cursor has another sign: ${words}`);
    }
    // A notice has the color of its kind.
    if (row === screen.rows - 2) continue;
    faults.push(...colorFaults(cells, colors).map((words) => `${words}, line ${row}`));
  }
  return faults;
}

/** Returns the colored texts of a line that are no state, a sentence, or a state of another color. */
export function colorFaults(cells: readonly Cell[], colors: Look["colors"]): readonly string[] {
  return runsOf(cells)
    .filter(({ fg }) => !plainColors.has(fg))
    .flatMap(({ fg, shown }) => {
      const found = Object.entries(colors ?? {}).find(([, color]) => color === fg);
      const name = `${shown.trim()} (${fg})`;
      if (found === undefined) return [`a color without a meaning: ${name}`];
      const meaning = found[0] as Meaning;
      const others = Object.entries(own).filter(([other]) => other !== meaning);
      const words = shown.match(/\p{L}{2,}/gu) ?? [];
      const isSentence = words.length > mostWords || (words.length > 2 && /\.\s*$/.test(shown));
      if (isSentence)
        return meaning === "bad" && failure.test(shown) ? [] : [`a colored sentence: ${name}`];
      if (!noWords.test(shown) && !meanings[meaning].test(shown)) return [`no state: ${name}`];
      return others.some(([, word]) => word.test(shown))
        ? [`the color of another state: ${name}`]
        : [];
    });
}

function textOf(cells: readonly Cell[] = []): string {
  return cells.map(({ chars, width }) => (width === 0 ? "" : chars || " ")).join("");
}

/** Returns neighboring cells of one color. */
function runsOf(
  cells: readonly Cell[],
): readonly { readonly fg: string; readonly shown: string }[] {
  const runs: { fg: string; shown: string }[] = [];
  for (const { fg, chars } of cells) {
    const last = runs.at(-1);
    if (last?.fg === fg) last.shown += chars || " ";
    else runs.push({ fg, shown: chars || " " });
  }
  return runs;
}
