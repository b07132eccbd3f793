/**
 * Promise: no text of the service, of a file or of an error reaches the terminal but through the
 * gate. Every screen is fed with attacks; the bytes that came are taken apart, the text behind each
 * attack has to be on the screen, and columns have to stand where they stand without attacks.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { type Console, openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { attacks, hostile, pathAttacks } from "./attacks.ts";
import {
  clipboard,
  columnsOf,
  everyPayload,
  everything,
  expectHarmless,
  leave,
  notice,
} from "./harmless.ts";
import { type HostileService, hostileService } from "./hostile-service.ts";
import { takeApart } from "./terminal-bytes.ts";

/** Lets the service say each payload in turn, refreshes, and waits for the text behind it. */
async function sayEach(
  service: HostileService,
  terminal: Console,
  behind: (n: number) => string | RegExp,
  refresh: () => void,
): Promise<void> {
  for (const [n, [what, payload]] of everyPayload.entries()) {
    // Half a surrogate pair makes an answer unreadable.
    if (service.reads === "answered" && !payload.isWellFormed()) continue;
    service.payload = `#${n}${payload}`;
    refresh();
    await terminal.waitFor(behind(n), { describe: `the text behind ${what}` });
  }
}

test.each([
  [200, 50],
  [60, 15],
])("a list at %i×%i: every row in line, filtered, sorted, marked and raw", async (cols, rows) => {
  const service = await hostileService();
  const terminal = await openConsole(["open", "ACME"], { env: service.env, cols, rows });
  await terminal.waitFor(`${service.rows.length} accounts  loaded`);
  await terminal
    .press("enter")
    .until(new RegExp(`ACME › Accounts[^]*\\b1 of ${service.rows.length}\\b`));
  // A small terminal has no room for the creation time.
  const inEachRow = cols < 80 ? "imported" : "2026-01-15";
  const aligned = () => {
    const columns = columnsOf(terminal, inEachRow);
    expect(columns.length).toBeGreaterThan(3);
    expect(new Set(columns).size).toBe(1);
    const listed = terminal.screen().map((line) => line.split("│")[0] ?? "");
    for (const line of listed.filter((line) => line.includes(inEachRow)))
      expect(line).toMatch(/~|…/);
  };
  await terminal.waitFor(inEachRow);
  aligned();
  for (const key of [">", ">", ">", "R", " "] as const) {
    terminal.send(key);
    terminal.press("down");
  }
  await terminal.waitFor("1 marked");
  await terminal.press("end").until(`${service.rows.length} of ${service.rows.length}`);
  aligned();
  await terminal.press("/").until("keep filter");
  await terminal.paste("\u001b]0;\u0007\u202esuch").until(/No account matches/);
  await terminal.press("ctrl-u").until(`${service.rows.length} of ${service.rows.length}`);
  await terminal.press("esc").untilGone("keep filter");
  await terminal.press("y").until("sent to the terminal");
  expectHarmless(terminal, [clipboard]);
  const copied = takeApart(terminal.bytes()).find(({ bytes }) => clipboard.test(bytes))?.bytes;
  const text = Buffer.from(copied?.slice(7, -1) ?? "", "base64").toString("utf8");
  // The clipboard gets the number as it is: what is pasted has to be found again.
  expect(service.rows.map((row) => row.external_account_number)).toContain(text);
  await leave(terminal);
});

test.each([
  [120, 40],
  [80, 24],
])("an account at %i×%i: states, refusals, failures, the raw body, a write", async (cols, rows) => {
  const service = await hostileService();
  const at = ["open", "ACME", "EXT-1"];
  const terminal = await openConsole(at, { env: service.env, cols, rows });
  await terminal.waitFor("COMPLETED");
  const refresh = () => terminal.press("r");
  // The words are the same at both sizes; a large one shows them whole.
  if (cols === 120) {
    await sayEach(service, terminal, (n) => new RegExp(`state#${n}\\D.*~state`), refresh);
  } else {
    service.payload = `#all${everything}`;
    refresh();
    await terminal.waitFor(/state#all[\s\S]*… for/);
  }
  await terminal.press("v").until("service_account_number");
  await terminal.press("esc").until(/^Listed /m);
  if (cols === 120) {
    service.reads = "refused";
    await sayEach(service, terminal, (n) => new RegExp(`[Dd]etail#${n}\\D`), refresh);
    service.reads = "failing";
    service.payload = `#last${everything}`;
    refresh();
    await terminal.waitFor(/[Dd]etail#last/);
  }
  service.payload = "";
  service.reads = "answered";
  await terminal.press("r").until("COMPLETED");
  expectHarmless(terminal);
  await leave(terminal);
});

test("a supply point: its states, its error, its raw body", async () => {
  const service = await hostileService();
  const folders = await openFolders();
  const terminal = await openConsole(["open", "ACME", "--supply-point", "SP-1"], {
    env: service.env,
    folders,
    cols: 140,
    rows: 40,
  });
  await terminal.waitFor("~errordetail");
  await sayEach(
    service,
    terminal,
    (n) => new RegExp(`errordetail#${n}\\D`),
    () => terminal.press("r"),
  );
  await terminal.press("v").until("latest_error");
  await terminal.press("esc").until("Observed");
  expectHarmless(terminal);
  await leave(terminal);
});

test.each(Object.entries(pathAttacks))(
  "%s in a number that is watched: the bell's notice, the watch list and the command shown",
  async (what, payload) => {
    const service = await hostileService();
    service.payload = "x";
    const number = hostile(what, payload);
    const at = ["open", "ACME", "--", number];
    const terminal = await openConsole(at, { env: service.env, cols: 140, rows: 30 });
    await terminal.waitFor("statex~state");
    await terminal.press("w").until("w unwatch");
    await terminal.press("x").until("As command");
    await terminal.waitFor("curl");
    await terminal.press("esc").untilGone("As command");
    service.payload = "";
    await terminal.press("W").until(/^1 of 1$/m);
    await terminal.press("r").until(/Watch: ACME\/.*~tail COMPLETED/);
    expect(terminal.bytes()).toContain("\u001b]9;supplyline: Watch: ");
    expectHarmless(terminal, [notice]);
    await leave(terminal);
  },
);

test("a write: its refusal at the fields, its results, the journal", async () => {
  const service = await hostileService();
  const terminal = await openConsole(["open", "ACME", "EXT-1"], {
    env: service.env,
    cols: 140,
    rows: 45,
  });
  await terminal.waitFor("COMPLETED");
  await terminal.press("n").until("Notes for");
  await terminal.paste(`note ${everything}`).until(/Note 1 +note/);
  service.payload = everything;
  await terminal.press("page-down").until(/▌.*Review/);
  await terminal.press("enter").until("Nothing has been sent");
  await terminal.act("send").until(/rejected[^\n]* entry 1\b/);
  await terminal.waitFor("~");
  await terminal.press("enter").until("Notes for");
  service.writes = "accepted";
  await terminal.press("page-down").until(/▌.*Review/);
  await terminal.press("enter").until("Nothing has been sent");
  await terminal.act("send").until(/ entry 2\b/);
  await terminal.press("A").until("1 of 2 ");
  await terminal.press("enter").until(/Activity › Entry \d/);
  await terminal.waitFor("EXT-1");
  expectHarmless(terminal);
});

test("the runs: their list, their rows, the answer to each", async () => {
  const service = await hostileService();
  const folders = await openFolders();
  service.payload = everything;
  const row = { import_supplier: "ACME", external_account_number: "EXT-1", body: everything };
  // What a file is called is text of others, too.
  const name = `rows${attacks["right-to-left override"]}${attacks["zero width"]}~name.jsonl`;
  writeFileSync(join(folders.home, name), JSON.stringify(row));
  const run = ["bulk", "run", "notes", "--from", name, "--results", "results.csv", "--yes"];
  expect(await runCommand(run, { env: service.env, folders })).toMatchObject({ code: 4 });
  const terminal = await openConsole([], { env: service.env, folders, cols: 140, rows: 40 });
  await terminal.waitFor("This profile has no suppliers yet");
  await terminal.press("L").until("~name.jsonl");
  await terminal.press("enter").until("✗ 1 of 1 rejected");
  await terminal.press("down", "o").until(/Activity › Entry \d/);
  await terminal.waitFor("EXT-1");
  expectHarmless(terminal);
  await leave(terminal);
});
