import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";

test("a list is filtered, sorted, marked and written to a file exactly as shown", async () => {
  await using folders = await openFolders();
  await using terminal = await openConsole(["--sandbox", "open", "ACME"], {
    folders,
    cols: 100,
    rows: 30,
  });
  await terminal.waitFor("of 120 imported");
  terminal.press("enter");
  await terminal.waitFor("1 of 120");

  terminal.press("tab");
  await terminal.waitFor("[Pending");
  await terminal.waitFor(/1 of 4\d/);
  terminal.press("tab");
  await terminal.waitFor("[Imported");
  await terminal.waitFor(/1 of 7\d/);
  terminal.press("shift-tab", "shift-tab");
  await terminal.waitFor("[All");

  terminal.press("/");
  await terminal.waitFor("keep filter");
  terminal.send("ext:EXT-00001 !pending");
  await terminal.waitFor(/1\d of 120 match/);
  terminal.press("enter");
  await terminal.waitForGone("keep filter");
  terminal.press(">");
  await terminal.waitFor("▲ External account");
  terminal.press("R");
  await terminal.waitFor("▼ External account");
  const rows = () =>
    terminal
      .screen()
      .map((line) => /EXT-00001\d\d/.exec(line)?.[0])
      .filter((number) => number !== undefined);
  const descending = () => {
    const numbers = rows();
    return numbers.length > 5 && numbers.join() === [...numbers].sort().reverse().join();
  };
  await terminal.waitFor(descending, { describe: "the rows from the highest number down" });
  const shown = rows();

  terminal.press("space");
  await terminal.waitFor("1 marked");
  terminal.press("+");
  await terminal.waitFor(`${shown.length} marked`);
  terminal.press("+");
  await terminal.waitForGone("marked");

  terminal.press("E");
  await terminal.waitFor("exactly as filtered and sorted");
  const file = join(folders.home, "shown.csv");
  terminal.press("ctrl-u");
  await terminal.waitForGone("ACME-all.csv");
  terminal.paste(file);
  await terminal.waitFor("shown.csv");
  terminal.press("enter");
  await terminal.waitFor(`${shown.length} rows written`);
  const lines = (await readFile(file, "utf8")).trim().split("\r\n");
  // With the ages, where they had been read by then.
  expect(lines[0]).toMatch(
    /^external_account_number,service_account_number,account_created_at(,pending_since)?$/,
  );
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(shown);
});

test("a reload highlights what changed and the cursor stays on its account", async () => {
  let now = Date.parse("2026-11-20T12:00:00Z");
  const service = await openSandbox({ speed: 1, now: () => now });
  try {
    await using terminal = await openConsole(["open", "ACME"], {
      env: service.env,
    });
    await terminal.waitFor("of 120 imported");
    terminal.press("enter");
    await terminal.waitFor("1 of 120");
    terminal.press("j", "j", "j");
    await terminal.waitFor(/▌ +EXT-0000004/);
    now += 60_000;
    terminal.press("r");
    await terminal.waitFor(/~\d+ changed/);
    expect(terminal.text()).toMatch(/▌ +EXT-0000004/);
    expect(terminal.text()).toMatch(/~ EXT-0000002 +✓ imported/);
    terminal.press("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  } finally {
    await service.close();
  }
});

test("the palette finds actions and places, and the help shows what works on the screen behind it", async () => {
  await using terminal = await openConsole(["--sandbox"], { cols: 120, rows: 44 });
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  terminal.press("?");
  const help = await terminal.waitFor("Keys on Suppliers");
  expect(help).toMatch(/a +add/);
  terminal.press("tab");
  await terminal.waitFor("IN_PROGRESS");
  terminal.press("/");
  await terminal.waitFor("All keys, from Suppliers");
  terminal.send("add one");
  await terminal.waitForGone("Ask the service");
  expect(terminal.text()).toMatch(/a +Add one to this list/);
  terminal.press("esc");
  await terminal.waitFor("Ask the service");
  terminal.press("?");
  await terminal.waitForGone("All keys");
  for (const [mistyped, meant] of [
    ["wtch", /No action or place is called wtch\.[^\n]*\n[^:]* watch list +W/],
    ["acmee", /No action or place is called acmee\.[^\n]*\n +ACME +import supplier/],
    ["quti", /No action or place is called quti\.[^\n]*\n +quit +q/],
  ] as const) {
    terminal.press(":");
    await terminal.waitFor("Go to a place");
    terminal.send(mistyped);
    await terminal.waitFor(meant);
    terminal.press("enter");
    await terminal.waitFor(/\n *No action or place is called/);
    terminal.press("esc");
    await terminal.waitForGone("Go to a place");
  }
  terminal.press(":");
  await terminal.waitFor("Go to a place");
  terminal.send("done");
  await terminal.waitFor(/DONE +import supplier/);
  terminal.press("enter");
  await terminal.waitFor("of 37 imported");
  expect(terminal.screen()[0]).toMatch(/^Suppliers › DONE/);
  terminal.press("esc");
  await terminal.waitFor(/DONE .*94\.6 +2/);
});

test("another profile drops every row of the one before", async () => {
  await using folders = await openFolders();
  const service = await openSandbox({ speed: 1 });
  try {
    await using terminal = await openConsole(["open", "ACME"], {
      folders,
      env: service.env,
    });
    await terminal.waitFor("of 120 imported");
    terminal.press("P");
    await terminal.waitFor("embedded, on this machine");
    terminal.press("G", "enter");
    await terminal.waitFor(/PAUSED .*60\.0 +16/);
    expect(terminal.screen()[0]).toMatch(/sandbox {2}UTC$/);
    // The board of the sandbox counts as many accounts, in another line.
    expect(terminal.text()).not.toMatch(/^\d+ of 120 imported/m);
  } finally {
    await service.close();
  }
});

test("a number pasted into the filter of a list finds its account", async () => {
  await using terminal = await openConsole(["--sandbox", "open", "ACME"]);
  await terminal.waitFor("of 120 imported");
  terminal.press("enter");
  await terminal.waitFor("1 of 120");
  terminal.press("/");
  await terminal.waitFor("keep filter");
  terminal.paste("EXT-0000017\n");
  await terminal.waitFor("1 of 120 match");
  terminal.press("enter");
  await terminal.waitForGone("keep filter");
  expect(terminal.text()).toContain("EXT-0000017");
});
