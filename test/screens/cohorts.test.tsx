import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../src/session/places.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { alterCohort } from "../helpers/state.ts";
import { TestMemory } from "../writes/team/memory-memory.ts";
import { type OpenedConsoleOptions, openConsoleAt } from "./opened-console.tsx";

const suppliers: Place = { kind: "suppliers" };
const cohorts: Place = { kind: "cohorts" };

async function openWith(
  stored: Readonly<Record<string, readonly string[]>>,
  options: {
    readonly cols?: number;
    readonly rows?: number;
    readonly places?: readonly Place[];
    readonly damage?: (folders: Folders) => Promise<void>;
    readonly team?: Pick<OpenedConsoleOptions, "env" | "loadMemory">;
  } = {},
) {
  const service = await openSandbox({ accounts: 400 });
  const folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  for (const [name, numbers] of Object.entries(stored)) {
    await openCohorts(folders.state).add({
      name,
      supplier: "ACME",
      from: `${name}.txt`,
      column: null,
      now: 0,
      bytes: Buffer.from(numbers.join("\n")),
    });
  }
  await options.damage?.(folders);
  const { places = [suppliers, cohorts], damage: _, team, ...size } = options;
  const opened = await openConsoleAt({ service, places, folders, ...team, ...size });
  return { screen: opened.screen, folders, service };
}

const mixed = ["EXT-0000001", "EXT 0000010", "EXT-0000004", "EXT-0000006", "NOPE-1"];

test.each([
  [200, 50],
  [80, 24],
  [60, 15],
])("each cohort has its figures as of the last list, at %i×%i", async (cols, rows) => {
  const { screen } = await openWith({ "wave-1": mixed, "wave-2": ["NOPE-2"] }, { cols, rows });
  await screen.waitFor("No complete list of ACME was observed yet");
  await screen.press("enter").until("of 5 imported");
  await screen.press("esc").until(/2 of 5 imported, 2 pending, 1 on no list; list .* old/);
  // A bar has what is imported, then after a gap what is on no list, and what is pending.
  const bar = (parts: string) => (cols < 80 ? "" : `${parts} +`);
  await screen.waitFor(new RegExp(`wave-1 +ACME +${bar("━+ ━+─+")}5 +2 +3`));
  await screen.waitFor(new RegExp(`wave-2 +ACME +${bar("━+")}1 +0 +1`));
});

test("60 columns show how old the figures of a large cohort are", async () => {
  const many = [...mixed, ...Array.from({ length: 120 }, (_, at) => `NOPE-${at + 2}`)];
  const { screen } = await openWith({ "wave-1": many }, { cols: 60, rows: 15 });
  await screen.waitFor("No complete list of ACME was observed yet");
  await screen.press("enter").until("of 125 imported");
  await screen
    .press("esc")
    .until(/2 of 125 imported, 2 pending, 121 on no list; list\s+[^…]*\sold/);
});

test("a cohort shows since when its oldest account is pending, and the state of its stored list", async () => {
  const { screen } = await openWith({ "wave-1": mixed }, { cols: 160 });
  await screen.waitFor("No complete list of ACME was observed yet");
  await screen.press("enter").until("of 5 imported");
  const shown = await screen.press("esc").until(/wave-1 .*(just seen|≥ \d+ min) .*as added/);
  expect(shown).toMatch(/Missing +Oldest .*Stored list/);
});

test("a list that was changed on the disk is reported, and the others are counted", async () => {
  const { screen } = await openWith(
    { broken: mixed, fine: mixed },
    { damage: ({ state }) => alterCohort(state, "broken", "X") },
  );
  await screen.waitFor(/broken .* changed/);
  await screen.waitFor(/fine .* as added/);
  await screen.waitFor(/The stored list of the cohort broken is not the one that was added/);
});

test("a adds a cohort from a file, with the column that is chosen, and d removes it", async () => {
  const { screen, folders } = await openWith({});
  await screen.waitFor("No cohort yet.");
  const file = join(folders.home, "crm.csv");
  await writeFile(file, "name,account_no\nZoe,EXT-0000001\nAnn,EXT-0000004\n");
  screen.press("a");
  for (const [title, typed] of [
    ["A new cohort", "wave-9"],
    ["The supplier of the cohort wave-9", "ACME"],
    ["The accounts of the cohort wave-9 of ACME", file],
  ] as const) {
    await screen.waitFor(title);
    await screen.send(typed).until(new RegExp(`^(Name|Supplier|File)  .*${typed.slice(-8)}`, "m"));
    screen.press("enter");
  }
  await screen.waitFor("Which column has the account numbers?");
  await screen.press("down").until(/[▌>] *2? *account_no/);
  await screen.press("enter").until("The cohort wave-9 has 2 accounts.");
  await screen.waitFor(/wave-9 +ACME +(\S+ +)?2/);
  await screen.press("d").until("Remove the cohort wave-9?");
  await screen.press("y").until("No cohort yet.");
});

test.each([
  [80, 24],
  [60, 15],
])(
  "a cohort's prompt stays open with the text and the whole reason, at %i×%i",
  async (cols, rows) => {
    const { screen, folders } = await openWith({ "wave-1": mixed }, { cols, rows });
    await screen.waitFor(/wave-1 +ACME/);
    await screen.press("a").until("A new cohort");
    screen.send("wave 3");
    await screen.press("enter").until(/begin and end with a\s+letter or\s+digit/);
    expect(screen.text()).toMatch(/^Name {2}wave 3/m);
    await screen.press("ctrl-u").until(/^Name *$/m);
    screen.send("wave-1");
    await screen.press("enter").until(/already exists/);
    expect(screen.text()).toMatch(/^Name {2}wave-1/m);
    await screen.send("b").until(/^Name {2}wave-1b/m);
    await screen.press("enter").until("The supplier of the cohort wave-1b");
    await screen.send("A/B").until(/^Supplier {2}A\/B/m);
    await screen.press("enter").until("looks like a path");
    await screen.press("ctrl-u").until(/^Supplier *$/m);
    await screen.send("ACME").until(/^Supplier {2}ACME/m);
    await screen.press("enter").until("The accounts of the cohort wave-1b");
    screen.send(join(folders.home, "no"));
    await screen.press("enter").until(/\/no: its/);
    expect(screen.text()).toMatch(/^File .*no$/m);
    await screen.press("esc").untilGone("The accounts of the cohort");
  },
);

test("the palette opens the cohorts", async () => {
  const { screen } = await openWith({ "wave-1": mixed }, { places: [suppliers] });
  await screen.waitFor("This profile has no suppliers yet");
  await screen.palette("cohorts").until(/wave-1 +ACME/);
  expect(screen.text()).toContain("Suppliers › Cohorts");
});

test("w watches a cohort as one entry, which counts its accounts and opens them", async () => {
  const { screen } = await openWith({ "wave-1": mixed });
  await screen.waitFor(/wave-1 +ACME/);
  await screen.press("w").until("Watching cohort wave-1 of ACME");
  await screen.press("W").until(/cohort wave-1 of ACME +○ 3 open .*2 of 5 done/);
  await screen.waitFor(/^3 open.* 2 done/m);
  expect(screen.text().split("\n")[0]).toContain("watching 1, 3 open");
  await screen.press("enter").until(/EXT-0000004/);
  await screen.waitFor(/4 of 4 match/);
});

describe("with a team", () => {
  const address = { SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger", SUPPLYLINE_MACHINE: "m2" };

  async function openTeam(stored: Readonly<Record<string, readonly string[]>> = {}) {
    const memory = new TestMemory();
    const colleague = await openFolders();
    await openCohorts(colleague.state, {
      use: (work) => work(memory.as("m1").cohorts),
    }).add({
      ...{ name: "wave-1", supplier: "ACME", from: "wave-1.txt", column: null, now: 0 },
      ...{ bytes: Buffer.from(mixed.join("\n")), isShared: true },
    });
    const opened = await openWith(stored, {
      cols: 120,
      team: { env: address, loadMemory: async () => () => memory.as("m2") },
    });
    return { ...opened, memory };
  }

  test("a colleague's cohort is listed with who shared it, and Enter stores and opens it", async () => {
    const { screen } = await openTeam();
    await screen.waitFor(/wave-1 +ACME .*team only +person of m1/);
    await screen.waitFor("Shared by person of m1 on m1; Enter stores it here, and opens it.");
    await screen.press("enter").until("of 5 imported");
    await screen.press("esc").until(/wave-1 +ACME .*as added +person of m1/);
    await screen.press("d").until("and stays with the team");
    await screen.press("y").until(/wave-1 +ACME .*team only/);
  });

  test("a cohort of this machine is shared with a key, once", async () => {
    const { screen, memory } = await openTeam({ own: ["EXT-0000001"] });
    await screen.waitFor(/own +ACME .*as added/);
    await screen.waitFor(/wave-1 +ACME .*team only/);
    await screen.press("&").until("The cohort own is shared with the team.");
    await screen.waitFor(/own +ACME .*person of m2/);
    expect([...memory.cohorts.keys()]).toContain("own");
    expect(screen.text()).not.toContain("& share");
  });

  test("a list here hides the team's list with the same name", async () => {
    const { screen } = await openTeam({ "wave-1": ["EXT-0000001"] });
    await screen.waitFor(/wave-1 +ACME .*team only/);
    await screen.press("down").until("This machine has another list with this name");
    await screen.press("enter").until("Suppliers › Cohorts");
  });

  test("while the database is away, the cohorts of this machine are listed", async () => {
    const { screen, memory } = await openTeam({ own: ["EXT-0000001"] });
    await screen.waitFor(/wave-1 +ACME .*team only/);
    memory.isAway = true;
    await screen.press("r").until("The team's cohorts are missing.");
    expect(screen.text()).toMatch(/own +ACME/);
  });
});
