import type { Place } from "../../src/session/places.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { alterCohort } from "../helpers/state.ts";
import { openConsoleAt } from "./opened-console.tsx";

const suppliers: Place = { kind: "suppliers" };
const overview: Place = { kind: "overview", supplier: "ACME" };
const cohort: Place = { kind: "cohort", supplier: "ACME", cohort: "wave-3" };

/** A console at a place, with a cohort of these accounts. */
async function openWith(
  numbers: readonly string[],
  places: readonly Place[],
  size: { readonly cols: number; readonly rows: number } = { cols: 100, rows: 30 },
) {
  const service = await openSandbox({ accounts: 400 });
  const folders = await openFolders();
  await openCohorts(folders.state).add({
    name: "wave-3",
    supplier: "ACME",
    bytes: Buffer.from(numbers.join("\n")),
    from: "wave-3.txt",
    column: null,
    now: 0,
  });
  const { screen } = await openConsoleAt({ service, places, folders, ...size });
  return { screen, folders };
}

/** Three imported accounts, one of them twice, two pending ones, and one on no list. */
const mixed = [
  "EXT-0000001",
  "EXT 0000010",
  "EXT-日本-0000014",
  "EXT-0000001",
  "EXT-0000004",
  "EXT-0000006",
  "NOPE-1",
];

test.each([
  [200, 50],
  [80, 24],
  [60, 15],
])("a cohort has the figures of its accounts alone, at %i×%i", async (cols, rows) => {
  const { screen } = await openWith(mixed, [suppliers, overview, cohort], { cols, rows });
  await screen.waitFor("3 of 6 imported");
  expect(screen.text()).toContain("2 pending");
  expect(screen.text()).toContain("1 account on no list");
  expect(screen.text()).toContain("Cohort wave-3");
});

test("Enter shows its accounts, and Esc leads back to it and to the supplier", async () => {
  const { screen } = await openWith(mixed, [suppliers, overview, cohort]);
  await screen.waitFor("3 of 6 imported");
  await screen.press("enter").until("cohort:wave-3");
  await screen.waitFor(/5 of 5 match +400 in all/);
  expect(screen.text()).toContain("EXT-日本-0000014");
  await screen.press("esc").until("1 of 400");
  await screen.press("esc").until("3 of 6 imported");
  await screen.press("esc").until("of 400 imported");
});

test("the Pending tab counts those of its accounts that are known to be in progress", async () => {
  const account: Place = { kind: "account", supplier: "ACME", account: "EXT-0000006" };
  const { screen } = await openWith(mixed, [suppliers, overview, cohort, account]);
  await screen.waitFor("IN_PROGRESS");
  await screen.press("esc").until("3 of 6 imported");
  await screen.press("enter").until("Pending 2, 1 in progress");
});

test("it is reached from any screen, by the key of the cohorts and by its name", async () => {
  const { screen } = await openWith(mixed, [suppliers]);
  await screen.waitFor("no suppliers yet");
  await screen.press("O").until(/^Suppliers › Cohorts/);
  await screen.waitFor("wave-3");
  await screen.press("enter").until("3 of 6 imported");
  await screen.send(":suppliers\r").until("no suppliers yet");
  await screen.palette("wave-3", "of ACME: overview").until("3 of 6 imported");
});

test("a cohort of which no account is listed says so", async () => {
  const { screen } = await openWith(["NOPE-1", "NOPE-2"], [suppliers, overview, cohort]);
  await screen.waitFor("None of the 2 accounts of wave-3 is on the list of the service.");
  screen.resize(60, 15);
  await screen.waitFor(/^None of the 2 accounts of wave-3 is on the list of the\nservice\.$/m);
  await screen.waitFor(/^r asks again; o opens an account, i a supply point, by its\nnumber\.$/m);
});

test("a cohort whose list was changed is not shown, and the screen says what to do", async () => {
  const { screen, folders } = await openWith(mixed, [suppliers, overview]);
  await alterCohort(folders.state, "wave-3", "EXT-0000001\n");
  await screen.waitFor("of 400 imported");
  await screen.palette("wave-3", "of ACME: overview").until("The cohort wave-3 cannot be shown.");
  await screen.waitFor("supplyline cohorts remove wave-3");
});

test("its list is compared with a key, without naming it again", async () => {
  const { screen } = await openWith(mixed, [suppliers, overview, cohort]);
  await screen.waitFor("3 of 6 imported");
  await screen.press("X").until(/cohort wave-3/);
  await screen.waitFor("2 pending, 1 not staged, 1 duplicate");
  await screen.press("esc").until("3 of 6 imported");
});

test("one key watches a cohort as one entry, and stops watching it", async () => {
  const { screen } = await openWith(mixed, [suppliers, overview, cohort]);
  await screen.waitFor("3 of 6 imported");
  await screen.press("w").until("Watching cohort");
  await screen.press("W").until(/^1 of 1$/m);
  await screen.waitFor(/3 of 6 done/);
  await screen.press("esc").until("3 of 6 imported");
  await screen.press("w").until(/cohort \S+ of ACME no longer watched/);
});
