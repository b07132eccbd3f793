import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { world } from "../helpers/world.ts";

test("a list is filtered, sorted, marked and written to a file exactly as shown", async () => {
  const folders = await openFolders();
  const terminal = await openConsole(["--sandbox", "open", "ACME"], {
    folders,
    cols: 100,
    rows: 30,
  });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");

  await terminal.press("tab").until("[Pending");
  await terminal.waitFor(/1 of 4\d/);
  await terminal.press("tab").until("[Imported");
  await terminal.waitFor(/1 of 7\d/);
  await terminal.press("shift-tab", "shift-tab").until("[All");

  await terminal.press("/").until("keep filter");
  await terminal.send("ext:EXT-00001 !pending").until(/1\d of 120 match/);
  await terminal.press("enter").untilGone("keep filter");
  await terminal.press(">").until("▲ External account");
  await terminal.press("R").until("▼ External account");
  // The preview below the list has a number, too.
  const rows = () =>
    terminal
      .screen()
      .map((line) => /(EXT-00001\d\d) +✓/.exec(line)?.[1])
      .filter((number) => number !== undefined);
  const descending = () => {
    const numbers = rows();
    return numbers.length > 5 && numbers.join() === [...numbers].sort().reverse().join();
  };
  await terminal.waitFor(descending, { describe: "the rows from the highest number down" });
  const shown = rows();

  await terminal.press("space").until("1 marked");
  await terminal.press("+").until(`${shown.length} marked`);
  await terminal.press("+").untilGone("marked");

  await terminal.press("E").until("exactly as filtered and sorted");
  const file = join(folders.home, "shown.csv");
  await terminal.press("ctrl-u").untilGone("ACME-all.csv");
  await terminal.paste(file).until("shown.csv");
  await terminal.press("enter").until(`${shown.length} rows written`);
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  expect(lines[0]).toBe(
    "external_account_number,service_account_number,account_created_at,pending_since,first_seen_at,gone_at",
  );
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(shown);
});

test("a reload highlights what changed and the cursor stays on its account", async () => {
  let now = Date.parse("2026-11-20T12:00:00Z");
  const here = await world({ service: { speed: 1, now: () => now } });
  const terminal = await here.terminal("open ACME");
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal.press("j", "j", "j").until(/▌ +EXT-0000004/);
  now += 60_000;
  await terminal.press("r").until(/~\d+ changed/);
  expect(terminal.text()).toMatch(/▌ +EXT-0000004/);
  expect(terminal.text()).toMatch(/~ EXT-0000002 +✓ imported/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

/** Matches the number of lines that a page of the help has below the last drawn one. */
const moreBelow = /\d+ more below/;

test("the palette finds actions and places, and the help shows what works on the screen behind it", async () => {
  const terminal = await openConsole(["--sandbox"], { cols: 120, rows: 44 });
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  const help = await terminal.press("?").until("Keys on Suppliers");
  expect(help).toMatch(/a +add/);
  // The words of the board come first, so the statuses can be farther down.
  let words = await terminal.press("tab").until("Columns and signs of Suppliers");
  for (let left = moreBelow.exec(words); left !== null; left = moreBelow.exec(terminal.text()))
    words += await terminal.press("page-down").untilGone(left[0]);
  expect(words).toContain("IN_PROGRESS");
  await terminal.press("tab").until("Words of a filter, from Suppliers");
  await terminal.press("/").until("All keys, from Suppliers");
  await terminal.send("add one").untilGone("Ask the service");
  expect(terminal.text()).toMatch(/a +Add one to this list/);
  await terminal.press("esc").until("Ask the service");
  await terminal.press("?").untilGone("All keys");
  for (const [mistyped, meant] of [
    ["wtch", /No action or place is called wtch\.[^\n]*\n[^:]* watch list +W/],
    ["acmee", /No action or place is called acmee\.[^\n]*\n +ACME +import supplier/],
    ["quti", /No action or place is called quti\.[^\n]*\n +quit +q/],
  ] as const) {
    await terminal.openPalette(mistyped).until(meant);
    await terminal.press("enter").until(/\n *No action or place is called/);
    await terminal.press("esc").untilGone("Go to a place");
  }
  await terminal.palette("done", "import supplier").until("of 37 imported");
  expect(terminal.screen()[0]).toMatch(/^Suppliers › DONE/);
  await terminal.press("esc").until(/DONE .*94\.6 +2/);
});

test("the help explains the signs beside a pending account", async () => {
  const terminal = await openConsole(["--sandbox", "open", "NORTH", "--filter", "age:>2d"]);
  await terminal.waitFor(/○ pending ▁▂▃▅!/);
  await terminal.press("?").until("Keys on Accounts");
  await terminal.press("tab").until(/▁▂▃▅▇ +In a list: pending for at least a minute/);
  expect(terminal.text()).toMatch(/! +In a list: pending at least ten times as long/);
});

test("another profile drops every row of the one before", async () => {
  const here = await world({ service: { speed: 1 } });
  const terminal = await here.terminal("open ACME");
  await terminal.waitFor("of 120 imported");
  await terminal.press("P").until("embedded, on this machine");
  await terminal.press("G", "enter").until(/PAUSED .*60\.0 +16/);
  expect(terminal.screen()[0]).toMatch(/sandbox {2}UTC$/);
  // The board of the sandbox counts as many accounts, in another line.
  expect(terminal.text()).not.toMatch(/^\d+ of 120 imported/m);
});

test("a number pasted into the filter of a list finds its account", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"]);
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal.press("/").until("keep filter");
  await terminal.paste("EXT-0000017\n").until("1 of 120 match");
  await terminal.press("enter").untilGone("keep filter");
  expect(terminal.text()).toContain("EXT-0000017");
});
