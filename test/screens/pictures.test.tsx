/** Every screen, at three sizes and in its themes: its frame, its cursor and its colors. */
import type { Place } from "../../src/session/places.ts";
import type { Screen } from "../helpers/screen.tsx";
import {
  consoleOf,
  type Listed,
  type ListedMachine,
  listedProfile,
  lists,
  openListedMachine,
} from "./listed-screens.ts";
import { openConsoleAt } from "./opened-console.tsx";
import { faultsOf, type Look } from "./picture-faults.ts";

let machine: ListedMachine;
beforeAll(async () => {
  machine = await openListedMachine();
});

const sizes = [
  { cols: 200, rows: 50 },
  { cols: 80, rows: 24 },
  { cols: 60, rows: 15 },
] as const;

const named = { ok: "green", busy: "cyan", waiting: "yellow", bad: "red" } as const;
const darker = { ok: "color-28", busy: "color-30", waiting: "color-130", bad: "red" } as const;

const looks: Readonly<Record<string, Look>> = {
  dark: {
    theme: { color: true, ascii: false, background: "dark", shades: true },
    shade: "color-237",
    colors: named,
    cursor: "▌",
  },
  light: {
    theme: { color: true, ascii: false, background: "light", shades: true },
    shade: "color-254",
    colors: darker,
    cursor: "▌",
  },
  "16 colors": { theme: { color: true, ascii: false }, shade: null, colors: named, cursor: "▌" },
  "no color": { theme: { color: false, ascii: false }, shade: null, colors: null, cursor: "▌" },
  ascii: { theme: { color: true, ascii: true }, shade: null, colors: named, cursor: ">" },
};

/** Colors do not depend on the size, but the signs that replace them take room. */
const looksOfOtherSizes = Object.entries(looks).filter(([look]) => /^(dark|ascii)$/.test(look));

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

const screens = new Map<
  string,
  Pick<Listed, "isOfTeam"> & { readonly place: Place; readonly open: Open }
>();
for (const [name, { place, isOfTeam = false, open = going([/\d of \d/]) }] of Object.entries(lists))
  screens.set(name, {
    isOfTeam,
    get place() {
      return place(machine);
    },
    open,
  });
for (const [name, one] of Object.entries(others)) screens.set(name, one);

test.each([...screens.keys()])(
  "%s is drawn whole, at every size, and in every theme",
  async (name) => {
    const {
      place,
      open,
      isOfTeam = false,
    } = screens.get(name) ?? { place: account, open: going([""]) };
    const opened = await openConsoleAt({
      ...(await consoleOf(machine, { isOfTeam })),
      places: [{ kind: "suppliers" }, place],
      ...sizes[1],
    });
    const { screen } = opened;
    await open(screen);
    for (const { cols, rows } of sizes) {
      screen.resize(cols, rows);
      for (const [look, of] of cols === 80 ? Object.entries(looks) : looksOfOtherSizes) {
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

test("the keys and figures that matter most have room", async () => {
  const { service, folders, runs } = machine;
  const at = (place: Place, size: { readonly cols: number; readonly rows: number }) =>
    openConsoleAt({
      service,
      folders,
      profile: listedProfile,
      places: [{ kind: "suppliers" }, place],
      ...size,
    });
  const run = await at({ kind: "run", id: runs.failed }, sizes[1]);
  await run.screen.waitFor(/\[Rejected 5\][\s\S]*F rows to fix/);
  const overview = await at({ kind: "overview", supplier: "ACME" }, sizes[2]);
  await overview.screen.waitFor(/peak \d+[\s\S]*█/);
  const list = await at({ kind: "runs" }, sizes[1]);
  const shown = await list.screen.waitFor(/Progress[\s\S]*1 of 2/);
  expect(shown.indexOf(runs.waiting)).toBeLessThan(shown.indexOf(runs.failed));
});
