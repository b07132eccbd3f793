import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, openService, reply, type TestSandbox } from "../helpers/service.ts";
import { type OpenedConsole, openConsoleAt } from "./opened-console.tsx";

const overview = [{ kind: "suppliers" }, { kind: "overview", supplier: "ACME" }] as const;
const reconcile = [...overview, { kind: "reconcile", supplier: "ACME" }] as const;

/** Numbers of the sandbox's 60 accounts, of which the first is imported and the third is pending. */
const source = [
  "customer,external_account_number",
  "a,EXT-0000001",
  "b,EXT-0000003",
  "c,EXT-0000001",
  "d,",
  "e,NOBODY-1",
  "f,EXT-000059",
  "",
].join("\n");

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ accounts: 60 });
});

async function withSource(): Promise<Folders> {
  const folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  await writeFile(join(folders.home, "wave3.csv"), source);
  return folders;
}

async function compared(
  folders: Folders,
  more: { cols?: number; rows?: number } = {},
): Promise<OpenedConsole> {
  const opened = await openConsoleAt({ service: sandbox, places: reconcile, folders, ...more });
  await opened.screen.waitFor("Which accounts do you expect at ACME?");
  await opened.screen.send("~/wave3.csv").until("~/wave3.csv");
  await opened.screen.press("enter").until("of 6 imported.");
  return opened;
}

/** The rows of the last class of a list's own: the most severe are first. */
async function openImported(screen: OpenedConsole["screen"]): Promise<void> {
  await screen.press("G", "k").until(/^▌ +imported/m);
  await screen.press("enter").until("1 imported. The account exists.");
}

test("a file is found by Tab, compared, and its rows lead to an account and back", async () => {
  const folders = await withSource();
  const { screen } = await openConsoleAt({ service: sandbox, places: overview, folders });
  await screen.waitFor("of 60 imported");
  await screen.press("X").until("Which accounts do you expect at ACME?");
  await screen.send("~/wa").until("~/wa");
  await screen.press("tab").until("~/wave3.csv");
  await screen
    .press("enter")
    .until(/1 of 6 imported\. 1 pending, 2 not staged, 1 duplicate, 1\s+malformed\./);
  expect(screen.text()).toMatch(/wave3\.csv compared \S+ with the list of \S+/);
  expect(screen.text()).toMatch(/not staged .* 2 .* 1 with a suggestion/);
  expect(screen.text()).toMatch(/extra .* 58 .* not in your list/);
  await screen.waitFor(/^▌ +not staged/m);
  await screen.waitFor("On no list; unknown to the service.");
  await screen.press("enter").until(/EXT-000059 +7 .*EXT-0000059/);
  expect(screen.text()).toMatch(/NOBODY-1 +6 /);
  screen.press("/");
  await screen.send("near:59").until(/\b1 of \d+ match/);
  await screen.press("enter").until("/ filter");
  await screen.press("enter").until("EXT-000059 ");
  await screen.waitFor(/Accounts › EXT-000059/);
  await screen.press("esc").until(/\b1 of \d+ match/);
  await screen.press("esc").until("2 not staged. On no list");
  await screen.press("esc").until("with the list of");
  await screen.press("esc").until("Which accounts do you expect at ACME?");
  expect(screen.text()).toMatch(/File or numbers +\S*wave3\.csv/);
  await screen.press("esc").until("of 60 imported");
  // The list is offered again, and the comparison is still there: nothing is read again.
  await screen.press("X").until("Ctrl-G shows the comparison of");
  await screen.act("review").until("with the list of");
  await screen.press("esc").until("Ctrl-G shows the comparison of");
  await screen.press("esc").until("of 60 imported");
});

test("keys typed while a question is prepared reach the question", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await screen.press("F", "ctrl-u", "a", "x").until(/^File +ax$/m);
  await screen.press("esc").untilGone("Write the corrected list");
  expect(screen.text()).toContain("with the list of");
});

test("another list that is not chosen leads back to the result", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await screen.press("e").until("Which accounts do you expect at ACME?");
  await screen.press("esc").until("with the list of");
  await screen.press("esc").until("Which accounts do you expect at ACME?");
  await screen.press("enter").until("with the list of");
});

test("a text that is pasted on a result is compared first", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await screen.paste("EXT-0000001\nEXT-0000003\nEXT-0000002\n").until(/▌ *Compare these/);
  await screen.press("enter").until("3 pasted lines compared");
});

test("a malformed row shows its text beside the reason", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await screen.press("/").until("/");
  await screen.send("malformed").until("1 of 6 match");
  await screen.press("enter", "enter").until("1 malformed.");
  await screen.waitFor(/^▌ +5 +d, +The number is empty\./m);
});

test("rows are marked, and exported as the command prints them", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await openImported(screen);
  await screen.press("space").until("1 marked");
  await screen.press("esc").until("Drop the 1 mark?");
  await screen.press("esc").until("with the list of");
  const file = join(folders.home, "out.csv");
  await screen.press("E").until("Export 6 rows");
  screen.press("ctrl-u");
  await screen.send(file).until("out.csv");
  await screen.press("enter").until("6 rows written");
  const lines = (await readFile(file, "utf8")).split("\n");
  expect(lines).toHaveLength(8);
  expect(lines[1]).toMatch(/^2,EXT-0000001,imported,A-[0-9A-F]+,\d{4}-/);
  expect(lines[3]).toBe("4,EXT-0000001,duplicate,,,,,2,,,,");
  expect(lines[6]).toBe("7,EXT-000059,not-staged,,,,,,EXT-0000059,,,");
});

test("marked rows get a note at once, without another request, and the others are left out", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await openImported(screen);
  await screen.press("+").until("1 marked");
  await screen.press("B").until("Compose for 1 marked account");
  await screen.press("enter").until("1 marked account of ACME");
  await screen.send("Meter read agreed").until("Meter read agreed");
  await screen.act("review").until("to 1 of 1 marked accounts of ACME");
  await screen.waitFor("EXT-0000001");
  screen.press("esc");
  await screen.press("esc").until("1 marked");
  await screen.press("esc").until("Drop the 1 mark?");
  await screen.press("esc").until("with the list of");
  await screen.press("g").until(/^▌ +not staged/m);
  await screen.press("enter").until("2 not staged. On no list");
  await screen.press("+").until("2 marked");
  await screen.press("B").until("Compose for 2 marked accounts");
  await screen.press("enter").until("2 marked accounts on no list: left out.");
});

test("pending accounts of the list are watched with one key", async () => {
  const folders = await withSource();
  const opened = await compared(folders);
  await opened.screen.press("w").until("Watching EXT-0000003");
});

test("numbers that are pasted are a list", async () => {
  const { screen } = await openConsoleAt({ service: sandbox, places: reconcile });
  await screen.waitFor("Which accounts do you expect at ACME?");
  await screen.paste("EXT-0000001\nEXT-0000003\n").until("2 lines.");
  await screen.press("enter").until("1 of 2 imported. 1 pending.");
  expect(screen.text()).toContain("2 pasted lines compared");
  await screen.press("x").until("supplyline reconcile ACME --source -");
});

test("a file that cannot be used names the path, its columns, and what to do", async () => {
  const folders = await withSource();
  await writeFile(join(folders.home, "ids.csv"), "id,nr\n1,EXT-0000001\n");
  const { screen } = await openConsoleAt({ service: sandbox, places: reconcile, folders });
  await screen.waitFor("Which accounts do you expect at ACME?");
  await screen.send("~/nofile.csv").until("~/nofile.csv");
  await screen.press("enter").until("does not exist.");
  expect(screen.text()).toContain("Nothing is compared with the accounts of ACME yet.");
  await screen.press("e").until("Which accounts do you expect at ACME?");
  screen.press("ctrl-u");
  await screen.send("~/ids.csv").until("~/ids.csv");
  await screen.press("enter").until("It has the columns id, nr. Enter chooses one of them.");
  await screen.press("C").until("Which column has the account numbers?");
  expect(screen.text()).toMatch(/nr +EXT-0000001/);
  await screen.press("esc").until(/^Enter choose the column {2}Esc list {2}/m);
  await screen.press("enter").until("Which column has the account numbers?");
  screen.press("j");
  await screen.press("enter").until("All 1 row imported.");
});

test("a list that failed gives no result, and says what to do", async () => {
  const folders = await withSource();
  const service = await openService((_request, response) =>
    reply(response, 403, { detail: "not yours" }),
  );
  const { screen } = await openConsoleAt({ service, places: reconcile, folders });
  await screen.waitFor("Which accounts do you expect at ACME?");
  await screen.send("~/wave3.csv").until("~/wave3.csv");
  await screen.press("enter").until("Nothing is compared with the accounts of ACME yet.");
  await screen.waitFor("Listing the accounts of ACME");
  expect(screen.text()).not.toContain("of 6 imported");
  expect(screen.text()).toContain("r tries again; e chooses another list.");
});

test("a damaged store of observations does not stop a comparison", async () => {
  const folders = await withSource();
  await mkdir(folders.state, { recursive: true });
  await writeFile(join(folders.state, "observations.sqlite"), "no database".repeat(500), {
    mode: 0o600,
  });
  const opened = await compared(folders);
  await opened.screen.waitFor("Ages are not recorded");
});

test("Ctrl-C cancels a comparison whose list does not end, and the console goes on", async () => {
  const folders = await withSource();
  const service = await openService((_request, response) => response.write("["));
  const { screen } = await openConsoleAt({ service, places: reconcile, folders });
  await screen.waitFor("Which accounts do you expect at ACME?");
  await screen.send("~/wave3.csv").until("~/wave3.csv");
  await screen.press("enter").until("Comparing wave3.csv with the accounts of ACME…");
  await screen.press("ctrl-c").until("was canceled.");
  await screen.press("e").until("Which accounts do you expect at ACME?");
});

test.each([
  [200, 50],
  [60, 15],
])("the answer and all classes are seen at %d×%d", async (cols, rows) => {
  const folders = await withSource();
  const opened = await compared(folders, { cols, rows });
  const text = opened.screen.text();
  for (const words of ["imported", "pending", "not staged", "duplicate", "malformed", "extra"])
    expect(text).toMatch(new RegExp(`^.  ?[ ]*${words} `, "m"));
  expect(text).toContain("with the list of");
  expect(text).toContain("1 with a suggestion");
});

test("beside the rows of a class stands the account under the cursor", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders, { cols: 150, rows: 30 });
  await openImported(screen);
  await screen.waitFor(/│ EXT-0000001 +ACME/);
  await screen.waitFor(/│ . COMPLETED/);
  expect(screen.text()).toMatch(/│ Created +\S/);
});

test("at 60 columns a row shows the date of an account whole", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders, { cols: 60, rows: 15 });
  await openImported(screen);
  const row = screen.screen().find((line) => line.startsWith("▌"));
  expect(row).toMatch(/ \d{4}-\d\d-\d\d$/);
});

test("the compared list is stored as a cohort by its name alone, and then watched", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await screen.press("a").until("Store the list compared with ACME as a cohort");
  await screen.send("wave-3").until(/Name +wave-3/);
  await screen.press("enter").until("The cohort wave-3 has 4 accounts");
  await screen.waitFor("cohort wave-3 compared");
  await screen.press("w").until("Watching cohort wave-3 of ACME");
  const { cohort, source: stored } = await openCohorts(folders.state).read("wave-3", "ACME");
  expect([cohort.rows, cohort.layout, stored.numberOf(0)]).toEqual([6, "csv", "EXT-0000001"]);
});

test("a list that was changed after the comparison is not stored", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await writeFile(join(folders.home, "wave3.csv"), `${source}g,EXT-0000004\n`);
  await screen.press("a").until("Store the list compared with ACME as a cohort");
  await screen.send("wave-3").until(/Name +wave-3/);
  await screen.press("enter").until("has changed since it was compared");
  expect(await openCohorts(folders.state).names()).toEqual([]);
});

test("a suggestion is taken and taken back in place, the corrected list is written and compared", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await screen.waitFor(/^▌ +not staged/m);
  await screen.press("enter").until(/EXT-000059 +7 .*EXT-0000059/);
  await screen.press("G").until(/^▌ +EXT-000059/m);
  await screen.waitFor(". take suggestion");
  await screen.press(".").until(/^▌ +EXT-000059 .*✓ EXT-0000059/m);
  await screen.waitFor(". take it back");
  await screen.press(".").until(/^▌ +EXT-000059 +7 +EXT-0000059/m);
  await screen.press(".").until("✓ EXT-0000059");
  await screen.press("g").until(/^▌ +NOBODY-1/m);
  await screen.press(".").until("This row has no suggestion.");
  await screen.press("F").until("1 number replaced, 1 duplicate and 1 malformed row left out");
  screen.press("ctrl-u");
  await screen.send("~/fixed.csv").until("~/fixed.csv");
  await screen.press("enter").until("Corrected list written");
  expect(await readFile(join(folders.home, "fixed.csv"), "utf8")).toBe(
    source.replace("c,EXT-0000001\nd,\n", "").replace("EXT-000059", "EXT-0000059"),
  );
  expect(await readFile(join(folders.home, "wave3.csv"), "utf8")).toBe(source);
  await screen.press("r").until("1 not staged. On no list");
  await screen.press("esc").until("fixed.csv compared");
  await screen.press("F").until("there is nothing to correct");
});

test("the list is corrected from the rows of a class without a suggestion, too", async () => {
  const folders = await withSource();
  const { screen } = await compared(folders);
  await openImported(screen);
  await screen.press("F").until("1 number replaced, 1 duplicate and 1 malformed row left out");
});
