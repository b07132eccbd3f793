import { expect, test } from "vitest";
import { type Console, openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";

async function beginTour(terminal: Console): Promise<void> {
  await terminal.waitFor("Tour of the sandbox");
  terminal.press("j", "j", "enter");
  await terminal.waitFor("Tour 1 of 12");
  await terminal.waitFor(/! NORTH[\s\S]* ACME/);
}

/** From the first run over the suppliers and the overview into the list. */
async function toThirdStep(terminal: Parameters<typeof beginTour>[0]) {
  await beginTour(terminal);
  terminal.press("home", "j");
  await terminal.waitFor(/▌ +ACME/);
  terminal.press("enter");
  await terminal.waitFor("Tour 2 of 12");
  const overview = await terminal.waitFor("of 120 imported");
  // No line is drawn over another one, however little room the tour leaves.
  expect(overview).toMatch(/^\d+ of \d+ imported +\S+ +[\d.]+ %$/m);
  expect(overview).toMatch(/^\S+(\/h| a day) last (hour|24 h)(?: {3}|$)/m);
  terminal.press("enter");
  await terminal.waitFor("Tour 3 of 12");
}

test.each([
  { cols: 200, rows: 50 },
  { cols: 60, rows: 15 },
])(
  "a newcomer is led through the real screens by doing what each step says, at $cols×$rows",
  async (size) => {
    await using terminal = await openConsole([], size);
    await toThirdStep(terminal);
    await terminal.waitFor("1 of 120");
    terminal.press("/");
    await terminal.waitFor("keep filter");
    terminal.send("0000007");
    await terminal.waitFor(/\b1 of \d+ match/);
    terminal.press("enter");
    await terminal.waitForGone("keep filter");
    terminal.press("enter");
    await terminal.waitFor("Tour 4 of 12");
    terminal.press("w");
    await terminal.waitFor("Tour 5 of 12");
    terminal.press(":");
    await terminal.waitFor("Go to a place");
    terminal.send("ACME/EXT-0000001");
    await terminal.waitFor(": ACME/EXT-0000001");
    terminal.press("enter");
    await terminal.waitFor("Tour 6 of 12");
    await terminal.waitFor("COMPLETED");
    terminal.press("n");
    await terminal.waitFor("Note 1");
    terminal.send("seen on the tour");
    await terminal.waitFor("seen on the tour");
    terminal.press("ctrl-g");
    await terminal.waitFor("Tour 7 of 12");
    await terminal.waitFor("s send now");
    terminal.press("s");
    await terminal.waitFor("Tour 8 of 12");
    await terminal.waitFor(/confirmed +entry 1, 201/);
    terminal.press("esc");
    await terminal.waitFor(/Accounts › EXT-0000001/);
    terminal.press("A");
    await terminal.waitFor("Tour 9 of 12");
    terminal.press(":");
    await terminal.waitFor("Go to a place");
    terminal.send("NORTH");
    await terminal.waitFor(": NORTH");
    terminal.press("enter");
    await terminal.waitFor("Tour 10 of 12");
    await terminal.waitFor(/of [\d,]+ imported/);
    terminal.press("X");
    await terminal.waitFor("Tour 11 of 12");
    await terminal.waitFor("migration-day.csv");
    terminal.press("enter");
    await terminal.waitFor("60 of 85 imported");
    await terminal.waitFor(/^▌ +(failed|not staged) /m);
    terminal.press("enter");
    await terminal.waitFor("Tour 12 of 12");
    await terminal.waitFor(/^▌ +\S+-\d+ /m);
    terminal.press("T");
    await terminal.waitFor("The tour has ended.");
    await terminal.waitForGone("Tour 12");
    terminal.press("T");
    await terminal.waitFor("Tour 1 of 12");
    await terminal.waitForGone("The tour has ended");
  },
);

test("the tour is paused at any step and resumes there, after a restart too", async () => {
  await using folders = await openFolders();
  {
    await using terminal = await openConsole([], { folders });
    await toThirdStep(terminal);
    terminal.press("T");
    await terminal.waitFor("Tour paused at step 3 of 12. T resumes it.");
    await terminal.waitForGone("Tour 3 of 12");
    terminal.press("T");
    await terminal.waitFor("Tour 3 of 12");
    await terminal.waitForGone("Tour paused");
    terminal.press("T");
    await terminal.waitFor("Tour paused at step 3 of 12");
    terminal.press("q");
    await terminal.exit;
  }
  await using terminal = await openConsole(["--sandbox"], { folders });
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  terminal.press("T");
  await terminal.waitFor("Tour 3 of 12");
  await terminal.waitFor("1 of 120");
});
