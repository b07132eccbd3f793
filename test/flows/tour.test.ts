import { type Console, openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";

async function beginTour(terminal: Console): Promise<void> {
  await terminal.waitFor("Tour of the sandbox");
  await terminal.press("j", "j", "enter").until("Tour 1 of 12");
  await terminal.waitFor(/! NORTH[\s\S]* ACME/);
}

/** From the first run over the suppliers and the overview into the list. */
async function toThirdStep(terminal: Parameters<typeof beginTour>[0]) {
  await beginTour(terminal);
  await terminal.press("home", "j").until(/▌ +ACME/);
  await terminal.press("enter").until("Tour 2 of 12");
  const overview = await terminal.waitFor("of 120 imported");
  // No line is drawn over another one, however little room the tour leaves.
  expect(overview).toMatch(/^\d+ of \d+ imported +\S+ +[\d.]+ %$/m);
  expect(overview).toMatch(/^\S+(\/h| a day) last (hour|24 h)(?: {3}|$)/m);
  await terminal.press("enter").until("Tour 3 of 12");
}

test.each([
  { cols: 200, rows: 50 },
  { cols: 60, rows: 15 },
])(
  "a newcomer is led through the real screens by doing what each step says, at $cols×$rows",
  async (size) => {
    const terminal = await openConsole([], size);
    await toThirdStep(terminal);
    await terminal.waitFor("1 of 120");
    await terminal.press("/").until("keep filter");
    await terminal.send("0000007").until(/\b1 of \d+ match/);
    await terminal.press("enter").untilGone("keep filter");
    await terminal.press("enter").until("Tour 4 of 12");
    await terminal.press("w").until("Tour 5 of 12");
    await terminal.palette("ACME/EXT-0000001").until("Tour 6 of 12");
    await terminal.waitFor("COMPLETED");
    await terminal.press("n").until("Note 1");
    await terminal.send("seen on the tour").until("seen on the tour");
    await terminal.act("review").until("Tour 7 of 12");
    await terminal.sendReviewed().until("Tour 8 of 12");
    await terminal.waitFor(/confirmed +entry 1, 201/);
    await terminal.press("esc").until(/^(?:.*Accounts|ACME) › EXT-0000001 /m);
    await terminal.press("A").until("Tour 9 of 12");
    await terminal.palette("NORTH").until("Tour 10 of 12");
    await terminal.waitFor(/of [\d,]+ imported/);
    await terminal.press("X").until("Tour 11 of 12");
    await terminal.waitFor("migration-day.csv");
    await terminal.press("enter").until("60 of 85 imported");
    await terminal.waitFor(/^▌ +(failed|not staged) /m);
    await terminal.press("enter").until("Tour 12 of 12");
    await terminal.waitFor(/^▌ +\S+-\d+ /m);
    await terminal.press("T").until("The tour has ended.");
    await terminal.waitForGone("Tour 12");
    await terminal.press("T").until("Tour 1 of 12");
    await terminal.waitForGone("The tour has ended");
  },
);

test("a note and a watch from before the tour complete none of its steps", async () => {
  const terminal = await openConsole(["--sandbox"]);
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  const sendNote = async (step: string) => {
    await terminal.waitFor("COMPLETED");
    await terminal.press("n").until("Note 1");
    await terminal.send(`note ${step}`).until(`note ${step}`);
    await terminal.press("ctrl-g").until("s send now");
  };
  await terminal.palette("ACME/EXT-0000006").until("Accounts › EXT-0000006");
  await terminal.press("w").until("Watching EXT-0000006");
  await terminal.palette("ACME/EXT-0000001").until("Accounts › EXT-0000001");
  await sendNote("before");
  await terminal.press("s").until(/confirmed +entry 1, 201/);
  await terminal.press("T").until("Tour 1 of 12");
  await terminal.palette("ACME").until("Tour 2 of 12");
  await terminal.press("enter").until("Tour 3 of 12");
  await terminal.palette("ACME/EXT-0000007").until("Tour 4 of 12");
  await terminal.press("w").until("Tour 5 of 12");
  await terminal.palette("ACME/EXT-0000001").until("Tour 6 of 12");
  await sendNote("in the tour");
  await terminal.waitFor("Tour 7 of 12: This is the exact request.");
  await terminal.press("s").until("Tour 8 of 12: It is sent");
});

test("the tour is paused at any step and resumes there, after a restart too", async () => {
  const folders = await openFolders();
  {
    await using terminal = await openConsole([], { folders });
    await toThirdStep(terminal);
    await terminal.press("T").until("Tour paused at step 3 of 12. T resumes it.");
    await terminal.waitForGone("Tour 3 of 12");
    await terminal.press("T").until("Tour 3 of 12");
    await terminal.waitForGone("Tour paused");
    await terminal.press("T").until("Tour paused at step 3 of 12");
    terminal.press("q");
    await terminal.exit;
  }
  const terminal = await openConsole(["--sandbox"], { folders });
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  await terminal.press("T").until("Tour 3 of 12");
  await terminal.waitFor("1 of 120");
});
