/** F writes the rows to fix wherever failures are shown, as they are in the file of their run. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../src/session/places.ts";
import type { Screen } from "../helpers/screen.tsx";
import type { TestSandbox } from "../helpers/service.ts";
import { type World, world } from "../helpers/world.ts";

/** The title of a file of notes. */
const columns = "import_supplier,external_account_number,body\n";
const head = "external_account_number;import_supplier;body\r\n";
const bad = 'NOPE-1;ACME;"No; such account"\r\n';

let here: World<TestSandbox>;
let run: string;

beforeAll(async () => {
  here = await world({ service: { accounts: 20 } });
  run = await sent("notes.csv", `${head}EXT-0000001;ACME;Fine\r\n${bad}`);
});

/** Sends the notes of a file, and returns the ID of the run. */
async function sent(name: string, content: string): Promise<string> {
  const { stderr } = await here.run([
    "bulk",
    "run",
    "notes",
    "--from",
    await here.file(name, content),
    "--yes",
  ]);
  return /run (\S+)/.exec(stderr)?.[1] ?? "";
}

const stay = async () => {};

async function showCauses(screen: Screen): Promise<void> {
  await screen.press("tab").until("[Causes");
  await screen.waitFor("1 of 1");
}

test.each<readonly [list: string, place: () => Place, open: (screen: Screen) => Promise<void>]>([
  ["runs", () => ({ kind: "runs" }), stay],
  ["rows of a run", () => ({ kind: "run", id: run }), stay],
  ["causes of a run", () => ({ kind: "run", id: run }), showCauses],
  [
    "rows of a cause",
    () => ({ kind: "run", id: run }),
    async (screen) => {
      await showCauses(screen);
      await screen.press("enter").until("1 failure");
    },
  ],
  ["entries", () => ({ kind: "activity", supplier: null, account: null }), stay],
])("F on %s writes the rejected rows of a CSV file as a CSV file", async (list, place, open) => {
  const { screen, home } = await here.at([{ kind: "suppliers" }, place()]);
  await screen.waitFor(/1 of \d/);
  await open(screen);
  await screen.press("F").until("to fix and run again");
  expect(screen.text()).toMatch(/\.csv\b/);
  const path = join(home, `${list.replaceAll(" ", "-")}.csv`);
  screen.press("ctrl-u");
  await screen.send(path).until(path.slice(-20));
  await screen.press("enter").until(/ written: \S*\//);
  expect(await readFile(path, "utf8")).toBe(head + bad);
});

test("keys typed right after F reach its question, and not the run", async () => {
  const { screen } = await here.at([
    { kind: "suppliers" },
    { kind: "runs" },
    { kind: "run", id: run },
  ]);
  await screen.waitFor(/1 of \d/);
  await screen.press("F", "ctrl-u", "a", "x").until(/^File +ax$/m);
  await screen.press("esc").untilGone("to fix and run again");
  expect(screen.text()).toContain(`Runs › ${run}`);
});

test("a file that has changed since it was run gives its rows as they were sent", async () => {
  await here.file("notes.csv", "changed");
  const opened = await here.at([{ kind: "suppliers" }, { kind: "run", id: run }]);
  await opened.screen.waitFor(/1 of \d/);
  await opened.screen.press("F").until(".rejected.jsonl");
});

test("e on a rejected row opens its entry as a new form, whose account can be corrected", async () => {
  const { screen } = await here.at([{ kind: "suppliers" }, { kind: "run", id: run }]);
  await screen.waitFor(/^▌.*NOPE-1/m);
  await screen.press("e").until("No; such account");
  expect(screen.text()).toContain("ACME has no imported account NOPE-1 (404)");
  await screen.press("ctrl-u").until(/External account number +\(required\)/);
  await screen.send("EXT-0000001").until("Notes for ACME/EXT-0000001");
  await screen.act("review").until("1 note for EXT-0000001 of ACME");
});

test.each([
  ["at another supplier", "NORTH,EXT-0000001,moved\n", "ACME/EXT-0000001"],
  ["almost the same", "ACME,EXT-000004,typo\n", "ACME/EXT-0000004"],
])("the account that is %s is offered first, and filled in", async (what, row, meant) => {
  const id = await sent(`${what.replaceAll(" ", "-")}.csv`, columns + row);
  const { screen, app } = await here.at([
    { kind: "suppliers" },
    { kind: "overview", supplier: "ACME" },
  ]);
  await screen.waitFor("of 20 imported");
  app.navigation.push({ kind: "run", id });
  await screen.waitFor(/^▌.*404/m);
  const asked = await screen.press("e").until("Which account is meant?");
  expect(asked).toMatch(new RegExp(`^.*▌ *${meant}`, "m"));
  await screen.press("enter").until(`Notes for ${meant}`);
  await screen.act("review").until(`1 note for ${meant.replace(/^(\w+)\/(.*)$/, "$2 of $1")}`);
});

test("a rejected row is closed when the form that corrects it is confirmed", async () => {
  const id = await sent("corrected.csv", `${columns}ACME,NOPE-6,to correct\n`);
  const { screen } = await here.at([{ kind: "suppliers" }, { kind: "run", id }]);
  await screen.waitFor(/^▌.*404/m);
  await screen.press("e").until("ACME has no imported account NOPE-6 (404)");
  await screen.press("ctrl-u").until(/External account number +\(required\)/);
  await screen.send("EXT-0000001").until("Notes for ACME/EXT-0000001");
  await screen.act("review").until("1 note for EXT-0000001 of ACME");
  await screen.press("s").until(/Entry \d+: closed/);
  const [corrected, closed] = await here.json("activity list");
  expect([corrected.outcome, closed.outcome, closed.took_effect]).toEqual([
    "confirmed",
    "closed",
    "no",
  ]);
  const reason = `Corrected, and confirmed as entry ${corrected.journal_id}.`;
  expect(closed.closing_reason).toBe(reason);
  await screen.press("esc").until(/^▌.*NOPE-6.*closed/m);
  expect(screen.text()).toMatch(/Closed 1 +\[All 1\]/);
  expect(screen.text()).toContain(`No effect: ${reason}`);
});

test("a rejected row stays open while the form that corrects it is not confirmed", async () => {
  const id = await sent("not-corrected.csv", `${columns}ACME,NOPE-7,wrong\n`);
  const { screen } = await here.at([{ kind: "suppliers" }, { kind: "run", id }]);
  await screen.waitFor(/^▌.*404/m);
  await screen.press("e").until("ACME has no imported account NOPE-7 (404)");
  await screen.act("review").until("1 note for NOPE-7 of ACME");
  await screen.press("s").until("ACME has no imported account NOPE-7 (404)");
  expect(await here.json(`activity list --run ${id}`)).toMatchObject([{ outcome: "rejected" }]);
});

test("an account that its supplier lists is the right one, so no other is offered", async () => {
  await here.run("accounts list ACME");
  const id = await sent("pending.csv", `${columns}ACME,EXT-0000003,early\n`);
  const { screen } = await here.at([{ kind: "suppliers" }, { kind: "run", id }]);
  await screen.waitFor(/^▌.*404/m);
  await screen.press("e").until("Notes for ACME/EXT-0000003");
});

test("the rows of a run show supplier, answer and reason, and u works only where it can", async () => {
  const { screen } = await here.at([{ kind: "suppliers" }, { kind: "run", id: run }], {
    cols: 130,
  });
  await screen.waitFor(/Line +Supplier +(?:For|Account or identifier) +Answer +Why/);
  await screen.waitFor(/^▌ +3 +ACME +NOPE-1 +✗ 404 not_found +No imported/m);
  expect(screen.text()).not.toMatch(/ u resend/);
  await screen
    .press("u")
    .until("Only a retryable, held-back, unapproved or now imported row is sent again.");
  await screen.press("tab", "tab").until(/✓ 201 NOTE_CREATION_SUCCESS/);
});
