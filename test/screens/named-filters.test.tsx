import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accountFilters, openNamedFilters } from "../../src/settings/named-filters.ts";
import { openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;
let folders: Folders;

beforeAll(async () => {
  service = await openSandbox({ accounts: 20 });
  folders = await openFolders();
});

const board = { kind: "suppliers" } as const;
const accounts = { kind: "accounts", supplier: "ACME", tab: "all" } as const;
const here = () => ({ service, folders, places: [board, accounts] });

test("a filter gets a name, and another console takes, completes and removes it", async () => {
  const { screen } = await openConsoleAt(here());
  await screen.waitFor("1 of 20");
  await screen.press("ctrl-s").until("No filter has a name here");
  await screen.press("/").until("keep filter");
  await screen.send("ext:0000007").until("1 of 20 match");
  await screen.press("ctrl-s").until("Name this filter");
  await screen.press("enter").until("Name the filter ext:0000007");
  await screen.send("two words").until("two words");
  await screen.press("enter").until("only letters, digits");
  await screen.press("ctrl-u").until((text) => !text.includes("two words"));
  await screen.send("seven").until("seven");
  await screen.press("enter").until("stored as seven");
  expect(openNamedFilters(folders.config).of(accountFilters)).toEqual([
    { name: "seven", text: "ext:0000007" },
  ]);

  const second = await openConsoleAt(here());
  const other = second.screen;
  await other.waitFor("1 of 20");
  await other.press("/").until("@seven");
  await other.send("@s").until("/ @s");
  await other.press("tab").until("/ @seven");
  await other.waitFor("1 of 20 match");
  await other.press("enter").until("/ ext:0000007");
  await other.press("esc").until((text) => !text.includes("/ ext"));
  await other.press("ctrl-s").until("Remove a name");
  await other.press("enter").until("/ ext:0000007");
  await other.press("ctrl-s").until("Remove a name");
  await other.press("down", "enter").until("Remove the name of a filter");
  await other.press("enter").until("The name seven is removed");
  expect(openNamedFilters(folders.config).of(accountFilters)).toEqual([]);
});

test("a name belongs to its kind of list, and an unknown @word is searched as it is", async () => {
  openNamedFilters(folders.config).add("watched", { name: "mine", text: "is:marked" });
  const { screen } = await openConsoleAt(here());
  await screen.waitFor("1 of 20");
  await screen.press("/").until("is:marked");
  expect(screen.text()).not.toContain("@mine");
  await screen.send("@mine").until("No account matches @mine");
});

test("a damaged file of names does not keep a list from being filtered", async () => {
  const own = await openFolders();
  mkdirSync(own.config, { mode: 0o700 });
  writeFileSync(join(own.config, "filters.json"), "{", { mode: 0o600 });
  const { screen } = await openConsoleAt({ ...here(), folders: own });
  await screen.waitFor("1 of 20");
  await screen.press("/").until("filters.json");
  await screen.send("0000007").until("1 of 20 match");
});

test("open --filter takes a name as well as a text", async () => {
  const own = await openFolders();
  openNamedFilters(own.config).add(accountFilters, { name: "seven", text: "ext:0000007" });
  for (const given of ["seven", "@seven", "ext:0000007"]) {
    await using terminal = await openConsole(["--sandbox", "open", "ACME", "--filter", given], {
      folders: own,
    });
    await terminal.waitFor("/ ext:0000007");
  }
});

test("Esc with marks and no filter asks, drops the marks, or goes back and keeps them", async () => {
  const { screen } = await openConsoleAt(here());
  await screen.waitFor("1 of 20");
  await screen.press("space", "space").until("2 marked");
  await screen.press("/").until("keep filter");
  await screen.send("is:marked").until("2 of 20 match");
  await screen.press("enter", "esc").until("3 of 20");
  await screen.press("esc").until("Drop the 2 marks?");
  await screen.press("n").until("This profile has no suppliers");
  await screen.press("-").until("2 marked");
  await screen.press("esc").until("Drop the 2 marks?");
  await screen.press("y").until((text) => !text.includes("marked"));
  await screen.press("esc").until("This profile has no suppliers");
});
