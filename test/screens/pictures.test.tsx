/** Every screen, at three sizes and in five themes: its frame, its cursor and its colors. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Place } from "../../src/session/places.ts";
import type { createTheme } from "../../src/theme.tsx";
import type { Cell } from "../helpers/cell.ts";
import type { Screen } from "../helpers/screen.tsx";
import { type ListedMachine, listedProfile, lists, openListedMachine } from "./listed-screens.ts";
import { openConsoleAt } from "./opened-console.tsx";

let machine: ListedMachine;
beforeAll(async () => {
  machine = await openListedMachine();
});
afterAll(() => machine.close());

const sizes = [
  { cols: 200, rows: 50 },
  { cols: 80, rows: 24 },
  { cols: 60, rows: 15 },
] as const;

/** A theme, and how its terminal shows the line of the cursor: a shade, or null for bold. */
interface Look {
  readonly theme: Parameters<typeof createTheme>[0];
  readonly shade: string | null;
  readonly cursor: "▌" | ">";
  /** The color of what is in progress; null without colors. */
  readonly busy: string | null;
}

const looks: Readonly<Record<string, Look>> = {
  dark: {
    theme: { color: true, ascii: false, background: "dark", shades: true },
    ...{ shade: "color-237", busy: "cyan", cursor: "▌" },
  },
  light: {
    theme: { color: true, ascii: false, background: "light", shades: true },
    ...{ shade: "color-254", busy: "color-30", cursor: "▌" },
  },
  "16 colors": { theme: { color: true, ascii: false }, shade: null, busy: "cyan", cursor: "▌" },
  "no color": { theme: { color: false, ascii: false }, shade: null, busy: null, cursor: "▌" },
  ascii: { theme: { color: true, ascii: true }, shade: null, busy: "cyan", cursor: ">" },
};

/** Milliseconds until a picture with a fault is one: a frame is there within moments. */
const longestWrong = 20_000;

type Open = (screen: Screen) => Promise<unknown>;
const account = { kind: "account", supplier: "ACME", account: "EXT-0000001" } as const;

/** Presses keys, each once the text before it is shown. */
const going =
  (...steps: readonly (readonly [seen: string | RegExp, ...keys: readonly string[]])[]): Open =>
  async (screen) => {
    for (const [seen, ...keys] of steps) {
      await screen.waitFor(seen);
      for (const key of keys) screen.send(key);
    }
  };

const others: Readonly<Record<string, { readonly place: Place; readonly open: Open }>> = {
  overview: { place: { kind: "overview", supplier: "ACME" }, open: going(["Imported per"]) },
  account: { place: account, open: going(["COMPLETED"]) },
  "supply point": {
    place: { kind: "supply-point", supplier: "ACME", identifier: "SP-1" },
    open: going(["NOT FOUND"]),
  },
  cohort: {
    place: { kind: "cohort", supplier: "ACME", cohort: "wave-1" },
    open: going(["on no list"]),
  },
  form: { place: account, open: going(["COMPLETED", "n"], ["Ctrl-G review"]) },
  review: {
    place: account,
    open: going(["COMPLETED", "n"], ["Ctrl-G review", "Called"], ["Called", "\x07"], ["s send"]),
  },
  help: { place: account, open: going(["COMPLETED", "?"], ["Keys on Account"]) },
  palette: { place: account, open: going(["COMPLETED", ":"], ["Go to a place"]) },
};

const screens = new Map<string, { readonly place: Place; readonly open: Open }>();
for (const [name, { place, open = going([/\d of \d/]) }] of Object.entries(lists))
  screens.set(name, {
    get place() {
      return place(machine);
    },
    open,
  });
for (const [name, one] of Object.entries(others)) screens.set(name, one);

test.each([...screens.keys()])(
  "%s is drawn whole, at every size and in every theme",
  async (name) => {
    const { place, open } = screens.get(name) ?? { place: account, open: going([""]) };
    const { service, folders } = machine;
    await using opened = await openConsoleAt({
      ...{ service, folders, profile: listedProfile, places: [{ kind: "suppliers" }, place] },
      ...sizes[1],
    });
    const { screen } = opened;
    await open(screen);
    for (const { cols, rows } of sizes) {
      screen.resize(cols, rows);
      for (const [look, of] of Object.entries(looks)) {
        opened.retheme(of.theme);
        let found: readonly string[] = [];
        const isWhole = () => {
          found = faultsOf(screen, of, name in lists);
          return found.length === 0;
        };
        await screen
          .waitFor(isWhole, { bound: longestWrong })
          .catch(() =>
            expect(found, `${name}, ${cols}×${rows}, ${look}\n${screen.text()}`).toEqual([]),
          );
      }
    }
  },
);

/** The colors of text without a state, and of text that no one must read. */
const plainColors: ReadonlySet<string> = new Set(["default", "bright-black"]);

/** From this width on a preview stands beside a list. */
const widest = 140;

/** Words, signs and figures that a color is for: states, counts of states, and bars of them. */
const stateText =
  /\d|[✓✗○●?=!*█▉▊▋▌▍▎▏▒░#~–+]|\b(x+|o|v)\b|[A-Z]{5}|not known|no such|not_found|error|canceled|no answer|pending|staged|imported|rejected|gone|stopped|failed|HTTP/;
const busyText =
  /progress|running|sending|loading|Asking|asked|Reading|checking|filtering|sorting|[●*]/i;

/** Returns what is wrong with the picture, in words. */
function faultsOf(
  screen: Screen,
  { shade, busy, cursor }: Look,
  isList: boolean,
): readonly string[] {
  const lines = Array.from({ length: screen.rows }, (_, row) =>
    Array.from({ length: screen.cols }, (_, col) => screen.cell(row, col)),
  );
  const text = (cells: readonly Cell[] = []) =>
    cells.map(({ chars, width }) => (width === 0 ? "" : chars || " ")).join("");
  const [header, footer] = [lines[0], lines.at(-1)];
  const faults: string[] = [];
  const fault = (isOne: boolean, words: string) => {
    if (isOne) faults.push(words);
  };
  fault(!/UTC$/.test(text(header)), "the header does not end with the zone at the edge");
  fault(/…|~/.test(text(header).replace(/^.*? {2}/, "")), "the right side of the header is cut");
  fault(
    !/help/.test(text(footer)) && !/Esc close/.test(text(footer)),
    "no way to the help in the footer",
  );
  fault(/…|\w~/.test(text(footer)), "a key of the footer is cut");
  fault(
    footer?.some(({ fg, bg }) => !plainColors.has(fg) || bg !== "default") ?? true,
    "the footer has a color",
  );
  for (const [row, cells] of lines.entries()) {
    const words = text(cells);
    fault(/\d[…~]/.test(words), `a figure is cut: ${words}`);
    const lit = cells.filter(({ bg }) => bg !== "default");
    if (isList && words.startsWith(cursor)) {
      const [first] = /^.*?(?= [│|] |$)/.exec(words) ?? [""];
      const width = screen.cols < widest ? screen.cols : first.length;
      const held = shade === null ? "bold" : shade;
      const torn = cells
        .slice(0, width)
        .filter(({ bg, bold, chars }) =>
          shade === null ? !bold && chars.trim() !== "" : bg !== shade,
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
    for (const { fg, shown } of runsOf(cells)) {
      if (plainColors.has(fg)) continue;
      if (busy === null) faults.push(`a color: ${words}`);
      else if (fg === busy) fault(!busyText.test(shown), `not in progress: ${shown}`);
      else fault(!stateText.test(shown), `no state: ${shown} (${fg}, line ${row})`);
    }
  }
  return faults;
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

test("the keys and figures that matter most have room", async () => {
  const { service, folders, runs } = machine;
  const at = (place: Place, size: { readonly cols: number; readonly rows: number }) =>
    openConsoleAt({
      ...{ service, folders, profile: listedProfile, places: [{ kind: "suppliers" }, place] },
      ...size,
    });
  await using run = await at({ kind: "run", id: runs.failed }, sizes[1]);
  await run.screen.waitFor(/\[Rejected 5\][\s\S]*F rows to fix/);
  await using overview = await at({ kind: "overview", supplier: "ACME" }, sizes[2]);
  await overview.screen.waitFor(/peak \d+[\s\S]*█/);
  await using list = await at({ kind: "runs" }, sizes[1]);
  const shown = await list.screen.waitFor(/Progress[\s\S]*1 of 2/);
  expect(shown.indexOf(runs.waiting)).toBeLessThan(shown.indexOf(runs.failed));
});
