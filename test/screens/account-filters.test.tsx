import type { Place } from "../../src/session/places.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { openFolders } from "../helpers/folders.ts";
import { openLists } from "../helpers/lists.ts";
import { openConsoleAt } from "./opened-console.tsx";

const list: readonly Place[] = [
  { kind: "suppliers" },
  { kind: "accounts", supplier: "ACME", tab: "all" },
];

async function openList(cols = 120, rows = 30) {
  const service = await openLists();
  service.set("ACME", [["EXT-1"], ["EXT-2"], ["EXT-3", "A-3"]]);
  const folders = await openFolders();
  const addCohort = (name: string, supplier: string, ...numbers: string[]) =>
    openCohorts(folders.state).add({
      name,
      supplier,
      bytes: Buffer.from(numbers.join("\n")),
      from: "wave.txt",
      column: null,
      now: 0,
    });
  await addCohort("wave-3", "ACME", "EXT-3", "EXT-1");
  await addCohort("wave-9", "OTHER", "EXT-1");
  const opened = await openConsoleAt({
    service: { baseUrl: service.baseUrl, apiKey: "key-1" },
    folders,
    places: list,
    cols,
    rows,
  });
  await opened.screen.waitFor(/EXT-1 +○ pending[^\n]* just seen/);
  const { screen } = opened;
  const filter = async (text: string) => {
    await screen.press("/").until("keep filter");
    screen.send(text);
  };
  /** The list without a filter. */
  const clear = async () => {
    await screen
      .press("esc")
      .until((text) => !/ match\b|keep filter/.test(text), { describe: "no filter" });
  };
  return { ...opened, addCohort, filter, clear };
}

test("a cohort's name chooses its accounts, and a wrong one says why and hides none", async () => {
  const { screen, addCohort, filter, clear } = await openList();
  await filter("cohort:wave-3");
  const chosen = await screen.waitFor("2 of 2 match");
  expect(chosen).toMatch(/EXT-1 +○ pending/);
  expect(chosen).not.toMatch(/EXT-2 +○ pending/);
  await screen.send(" pending").until("1 of 2 match");
  await clear();
  await filter("cohort:wave-9");
  expect(await screen.waitFor("of supplier OTHER, not of ACME")).toMatch(/EXT-2 +○ pending/);
  await clear();
  await filter("!cohort:wave-4");
  expect(await screen.waitFor("There is no cohort wave-4")).toMatch(/EXT-2 +○ pending/);
  // Once it is added, the next load finds it.
  await addCohort("wave-4", "ACME", "EXT-1", "EXT-3");
  await screen
    .press("enter")
    .until((text) => !text.includes("keep filter"), { describe: "the filter applied" });
  const found = await screen.press("r").until("1 of 3 match");
  expect(found).toMatch(/EXT-2 +○ pending/);
});

test("the name and the tabs of a cohort's accounts are the cohort's, and the total stays", async () => {
  const { screen, filter, clear } = await openList();
  await screen.waitFor(/All 3\W+Pending 2\W.*Imported 1/);
  await filter("cohort:wave-3");
  await screen.waitFor(/All 2\W+Pending 1\W.*Imported 1/);
  const shown = await screen.waitFor(/2 of 2 match .*3 in all/);
  expect(shown.split("\n")[0]).toContain("ACME › Accounts of wave-3");
  screen.send(" pending");
  expect(await screen.waitFor("1 of 2 match")).toMatch(/All 2\W+Pending 1\W.*Imported 1/);
  screen.press("enter", "tab");
  expect(await screen.waitFor(/1 of 1 match .*2 in all/)).toMatch(
    /All 2\W+Pending 1\W.*Imported 1/,
  );
  await clear();
  expect(await screen.waitFor(/All 3\W+Pending 2\W.*Imported 1/)).not.toContain("wave-3");
});

test("words about ages explain what is wrong with them", async () => {
  const { screen, filter, clear } = await openList();
  await filter("age:24h");
  await screen.waitFor('"age:24h" has no comparison: write > for longer or < for less');
  await clear();
  await filter("is:gone");
  expect(await screen.waitFor("Gone accounts are on no list")).toMatch(/EXT-2 +○ pending/);
  await clear();
  await filter("age:<1d");
  await screen.waitFor("2 of 3 match");
  await clear();
  await filter("age:>1d");
  await screen.waitFor("No account matches age:>1d");
});

test.each([
  [80, 24],
  [60, 15],
])("at %i×%i the reason is not left out, and the list is still there", async (cols, rows) => {
  const { screen, filter, clear } = await openList(cols, rows);
  await filter("state:pending");
  const text = await screen.waitFor("as in ext:state:pending.");
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    'Unknown prefix "state": use ext:, svc:, created:, is:, age:, since: or cohort:, as in ext:state:pending.',
  );
  expect(text).toMatch(/EXT-2 +○ pending/);
  expect(text).toContain("3 of 3 match");
  await clear();
  expect(screen.text()).not.toContain("Unknown prefix");
});
