import type { Place } from "../../src/session/places.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

let service: TestSandbox;
beforeAll(async () => {
  service = await openSandbox({ accounts: 60 });
});

const reconcile: readonly Place[] = [
  { kind: "suppliers" },
  { kind: "overview", supplier: "ACME" },
  { kind: "reconcile", supplier: "ACME" },
];

async function asked(files: Readonly<Record<string, string>>, size: { rows?: number } = {}) {
  const opened = await (await world({ service, files })).at(reconcile, size);
  await opened.screen.waitFor("Which accounts do you expect at ACME?");
  return opened;
}

test("Tab lists the names that a path can become with sizes and ages, until more is typed", async () => {
  const { screen } = await asked({
    "waves/wave1.csv": "x".repeat(1_500),
    "waves/wave2.csv": "",
  });
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
  const files = Object.fromEntries(names.map((name) => [name, ""]));
  const { screen } = await asked(files, { rows: 15 });
  await screen.send("~/waves/n").until("~/waves/n");
  await screen.press("tab").until(/and 3\d more names/);
});

test("a name with a blank and a control character is shown safely and opened as it is", async () => {
  const name = "waves/a b\u001b[31m'\".txt";
  const { screen } = await asked({ [name]: "EXT-0000001\n" });
  await screen.send("~/waves/a b").until("~/waves/a b");
  await screen.press("tab").until(/~\/waves\/a b.+\.txt/);
  expect(screen.text()).not.toContain("\u001b");
  await screen.press("enter").until("All 1 row imported.");
});

test("the file of an export is completed as well", async () => {
  const here = await world({ service, files: { "waves/old.csv": "", "waves/older.csv": "" } });
  const { screen } = await here.at([
    { kind: "suppliers" },
    { kind: "overview", supplier: "ACME" },
    { kind: "accounts", supplier: "ACME", tab: "all" },
  ]);
  await screen.waitFor("1 of 60");
  await screen.press("E").until("Export 60 rows");
  screen.press("ctrl-u");
  await screen.send("~/waves/o").until("~/waves/o");
  await screen.press("tab").until(/older\.csv +0 B/);
  expect(screen.text()).toContain("~/waves/old");
  await screen.send("-new.csv").until("old-new.csv");
  await screen.press("enter").until("60 rows written");
});
