/** Each list of the console has every trait of a list. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { availableActions } from "../../src/keys/scopes.ts";
import type { Place } from "../../src/session/places.ts";
import type { Screen } from "../helpers/screen.tsx";
import {
  consoleOf,
  type Listed,
  type ListedMachine,
  lists,
  listsAt,
  openListedMachine,
} from "./listed-screens.ts";
import { type OpenedConsole, openConsoleAt } from "./opened-console.tsx";

let machine: ListedMachine;
beforeAll(async () => {
  machine = await openListedMachine();
});

test("every file that draws a list screen is in the table, once for each list that it draws", () => {
  const source = resolve(import.meta.dirname, "../../src");
  const drawn = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .flatMap((path) => {
      const uses = readFileSync(join(source, path), "utf8").match(/<ListScreen\b/g) ?? [];
      return uses.map(() => path);
    });
  const listed = Object.values(lists).map(({ file }) => file);
  for (const file of new Set(drawn)) {
    const [most, found] = [drawn, listed].map(
      (files) => files.filter((one) => one === file).length,
    );
    expect(found, file).toBeGreaterThanOrEqual(most ?? 0);
  }
  expect(new Set(drawn)).toEqual(new Set(listed));
});

test("every list is at one kind of place", () => {
  const names = Object.entries(listsAt).flatMap(([kind, lists]) =>
    lists.map((name) => [name, kind]),
  );
  const placed = new Map(names.map(([name = "", kind]) => [name, kind]));
  expect([...placed.keys()].toSorted()).toEqual(Object.keys(lists).toSorted());
  expect(names).toHaveLength(placed.size);
});

const suppliers: Place = { kind: "suppliers" };

const at = (row: string, of: string) => new RegExp(`^${row} of ${of}\\b`, "m");

/** The first row, the last one, and any but the first. */
const first = /^1 of \d/m;
const last = /^(\d[\d,]*) of \1\b/m;
const notFirst = /^(?!1 of )\d[\d,]* of \d/m;

/** Lists whose rows are suppliers, or name no account. */
const ofSuppliers = new Set(["suppliers", "issues of a file"]);

/** Keys that leave the first row, and those that return to it. */
const steps = [
  ["page-down", "page-up"],
  ["ctrl-d", "ctrl-u"],
  ["j", "k"],
] as const;

/** Writes the list with its key, and returns how many records the file has. */
async function exported({ screen, home }: OpenedConsole, name: string): Promise<number> {
  await screen.press("E").until(/Export [\d,]+/);
  const [, ending = "csv"] = /\S+\.(csv|jsonl)\b/.exec(screen.text()) ?? [];
  const path = join(home, `${name.replaceAll(/\W+/g, "-")}.${ending}`);
  screen.press("ctrl-u", "ctrl-k");
  screen.send(path);
  await screen.press("enter").until(`written: ${path}`);
  const lines = (await readFile(path, "utf8")).trim().split(/\r?\n/);
  return ending === "csv" ? lines.length - 1 : lines.length;
}

/** Reads the list again; where another screen is shown meanwhile, until that has ended. */
async function readAgain({ screen, app }: OpenedConsole, task: Listed["task"]): Promise<void> {
  const state = app.sessions.state.get();
  const all = state.kind === "open" && task ? state.session.tasks[task].all : null;
  const before = all?.get();
  screen.press("r");
  if (all === null) return;
  const isRead = () =>
    all.get() !== before && [...all.get().values()].every(({ kind }) => kind === "ended");
  await screen.waitFor(isRead, { describe: "read again" });
}

/** Marks all, unless all are marked, and then none. */
async function clearMarks(screen: Screen): Promise<void> {
  const marks = () => /\d+ marked/.exec(screen.text())?.[0] ?? null;
  for (let before = marks(); before !== null; before = marks()) {
    await screen.press("+").until(() => marks() !== before, { describe: "other marks" });
  }
}

describe.each(Object.entries(lists))("the list of %s", (name, listed) => {
  const { noun, rows, open = async () => {}, again = open, written = (n) => n || rows } = listed;

  const opened = async () => {
    const of = await consoleOf(machine, listed);
    const console = await openConsoleAt({
      ...of,
      // The preview is beside a list from 140 columns on.
      cols: 140,
      rows: 18,
      env: { ...of.env, TERM: "xterm-256color" },
      places: [suppliers, listed.place(machine)],
    });
    await open(console.screen);
    await console.screen.waitFor(at("[1-9]\\d*", rows === 0 ? "\\d+" : String(rows)));
    await console.screen.press("g").until(at("1", "\\d+"));
    const [, total = ""] = at("1", "(\\d[\\d,]*)").exec(console.screen.text()) ?? [];
    return { ...console, total };
  };

  test("is moved through, filtered, sorted, marked, copied and written with the keys of every list", async () => {
    const shown = await opened();
    const { screen, app, total } = shown;
    await screen.waitFor("│");

    if (total !== "1") {
      await screen.press("G").until(last);
      // The cursor goes by the row: in the other direction the same one is the first.
      await screen.press("R").until(/Sorted by .*, (?:reversed|longest first)/);
      await screen.waitFor(first);
      await screen.press("R").until(last);
      for (const [away, back] of name === "accounts" ? steps : steps.slice(0, 1)) {
        await screen.press("g").until(first);
        await screen.press(away).until(notFirst);
        await screen.press(back).until(first);
      }
      await screen.press("G").until(last);
    }

    const works = new Set(availableActions(app.keys.scopes(), app.keys.keymap).map(({ id }) => id));
    expect(works.has("refresh"), listed.fixed ?? "r").toBe(listed.fixed === undefined);
    if (listed.fixed === undefined && total !== "1") {
      await readAgain(shown, listed.task);
      await screen.waitFor(last);
    }

    await screen.press("g", "/").until("keep filter");
    await screen.press("down").until(total === "1" ? first : at("2", "\\d+"));
    await screen.send("zzqx").until(`No ${noun} matches zzqx.`);
    await screen.waitFor(/^0 of [\d,]+ match/m);
    // The titles of the columns are directly below the filter, however few rows match.
    const lines = screen.screen();
    expect(lines[lines.findIndex((line) => line.includes("/ zzqx")) + 1]).toMatch(/\S/);
    await screen.press("esc").until(at("[1-9]\\d*", "\\d+"));

    await screen.press(">").until(/Sorted by (?!the )/);
    await screen.press("<").until(/Sorted by the (?:list's own|service's) order/);

    await screen.press("g", "+").until(/\d marked/);
    await screen.press("+").until((text) => !/\d marked/.test(text), { describe: "no mark" });

    await screen.press("y").until("sent to the terminal");
    const value = shown.copied();
    expect(value).not.toBe("");
    // The supplier and the kind of a row do not name it, except in the lists of `ofSuppliers`.
    expect(ofSuppliers.has(name) ? "" : value).not.toMatch(/^(?:ACME|account)$/);
    await screen.press("Y").until("sent to the terminal");
    expect(shown.copied().length).toBeGreaterThanOrEqual(value.length);
    const all = await exported(shown, name);
    if (!Number.isNaN(written(0))) expect(all, "all rows").toBe(written(0) || Number(total));

    await screen.press("g", "shift-down").until(/\d marked/);
    await clearMarks(screen);
    await screen.press("G", "shift-up").until(/\d marked/);
    await clearMarks(screen);
    screen.press("g", "space");
    const [, marks = ""] = await screen
      .waitFor(/(\d+) marked/)
      .then(() => /(\d+) marked/.exec(screen.text()) ?? []);
    const wanted = written(Number(marks));
    const records = await exported(shown, `${name} marked`);
    if (!Number.isNaN(wanted)) expect(records, "marked rows").toBe(wanted);

    await screen.press("/").until("keep filter");
    await screen
      .send("zzqx")
      .until(new RegExp(`^0 of \\d+ match  ${marks} marked, ${marks} not shown`, "m"));
    await screen.press("esc").until(at("[1-9]\\d*", "\\d+"));

    app.navigation.reset([{ kind: "connect", edit: null }]);
    await screen.waitFor("Base URL");
    app.navigation.reset([suppliers, listed.place(machine)]);
    await again(screen);
    await screen.waitFor(new RegExp(`${marks} marked`));
  });
});
