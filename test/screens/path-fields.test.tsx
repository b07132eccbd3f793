import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../src/session/places.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { type OpenedConsole, openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;
beforeAll(async () => {
  service = await openSandbox({ accounts: 60 });
});

const reconcile: readonly Place[] = [
  { kind: "suppliers" },
  { kind: "overview", supplier: "ACME" },
  { kind: "reconcile", supplier: "ACME" },
];

async function withFiles(files: Readonly<Record<string, string>>): Promise<Folders> {
  const folders = await openFolders();
  await mkdir(join(folders.home, "waves"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folders.home, name), text);
  return folders;
}

async function asked(folders: Folders, rows?: number): Promise<OpenedConsole> {
  const places = reconcile;
  const opened = await openConsoleAt({ service, places, folders, ...(rows ? { rows } : {}) });
  await opened.screen.waitFor("Which accounts do you expect at ACME?");
  return opened;
}

test("Tab lists the names that a path can become with sizes and ages, until more is typed", async () => {
  const folders = await withFiles({
    "waves/wave1.csv": "x".repeat(1_500),
    "waves/wave2.csv": "",
  });
  const { screen } = await asked(folders);
  await screen.send("~/wa").until("~/wa");
  await screen.press("tab").until("~/waves/");
  await screen.press("tab").until(/wave1\.csv +1\.5 kB +\S/);
  expect(screen.text()).toMatch(/wave2\.csv +0 B +\S/);
  await screen.waitFor("~/waves/wave");
  await screen.send("2").until("~/waves/wave2");
  await screen.waitForGone("1.5 kB");
  await screen.press("tab").until("~/waves/wave2.csv");
  await screen.send("x").until("wave2.csvx");
  await screen.press("tab").until("No matching file.");
});

test("more names than there is room for are counted", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `waves/n${at + 10}.csv`);
  const folders = await withFiles(Object.fromEntries(names.map((name) => [name, ""])));
  const { screen } = await asked(folders, 15);
  await screen.send("~/waves/n").until("~/waves/n");
  await screen.press("tab").until(/and 3\d more names/);
});

test("a name with a blank and a control character is shown safely and opened as it is", async () => {
  const name = "waves/a b\u001b[31m'\".txt";
  const folders = await withFiles({ [name]: "EXT-0000001\n" });
  const { screen } = await asked(folders);
  await screen.send("~/waves/a b").until("~/waves/a b");
  await screen.press("tab").until(/~\/waves\/a b.+\.txt/);
  expect(screen.text()).not.toContain("\u001b");
  await screen.press("enter").until("All 1 row imported.");
});

test("the file of an export is completed as well", async () => {
  const folders = await withFiles({ "waves/old.csv": "", "waves/older.csv": "" });
  const { screen } = await openConsoleAt({
    service,
    folders,
    places: [
      { kind: "suppliers" },
      { kind: "overview", supplier: "ACME" },
      { kind: "accounts", supplier: "ACME", tab: "all" },
    ],
  });
  await screen.waitFor("1 of 60");
  await screen.press("E").until("Export 60 rows");
  screen.press("ctrl-u");
  await screen.send("~/waves/o").until("~/waves/o");
  await screen.press("tab").until(/older\.csv +0 B/);
  expect(screen.text()).toContain("~/waves/old");
  await screen.send("-new.csv").until("old-new.csv");
  await screen.press("enter").until("60 rows written");
});
