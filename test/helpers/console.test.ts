import { fastClock } from "./clock.ts";
import { openConsole } from "./console.ts";
import { openFolders } from "./folders.ts";

/** The things that a console could leave in the process of the test. The test has timers as well. */
function leftovers() {
  const listeners = process
    .eventNames()
    .map((name) => `${String(name)} ${process.listenerCount(name)}`)
    .sort();
  const held = process.getActiveResourcesInfo().filter((name) => /TCP|Worker/.test(name));
  return { listeners, held, zone: process.env.TZ, log: console.log };
}

let before: ReturnType<typeof leftovers>;
beforeAll(async () => {
  // Some listeners come with the modules that the first console loads, and stay.
  await using terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"]);
  await terminal.waitFor("COMPLETED");
  terminal.press("q");
  await terminal.exit;
});
beforeEach(() => {
  before = leftovers();
});

afterEach(async () => {
  // A closed connection is reported in the next turns.
  await expect.poll(leftovers).toEqual(before);
});

test("a console that is left by its key ends with code 0, and leaves nothing behind", async () => {
  await using terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    env: { TZ: "Asia/Tokyo" },
  });
  await terminal.waitFor("COMPLETED");
  expect(terminal.altScreen()).toBe(true);
  expect(terminal.screen()[0]).toContain("UTC+9");
  terminal.press("q");
  expect(await terminal.exit).toEqual({ code: 0, signal: null });
  expect(terminal.altScreen()).toBe(false);
  expect(() => terminal.press("q")).toThrow("the program has ended");
});

test("a console that is still open is ended on dispose, whatever it is doing", async () => {
  await using terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    clock: fastClock(),
  });
  await terminal.waitFor("COMPLETED");
  terminal.press("n");
  await terminal.waitFor("Note 1");
  terminal.send("half a note");
  await terminal.waitFor("half a note");
});

test("a hang-up ends the program with code 129, and nothing is drawn any more", async () => {
  await using terminal = await openConsole([]);
  await terminal.waitFor("Connect to a service");
  terminal.hangUp();
  expect(await terminal.exit).toEqual({ code: 129, signal: null });
  expect(terminal.altScreen()).toBe(true);
  await expect(terminal.waitFor("nothing that comes")).rejects.toThrow("code 129");
});

test("two consoles share folders, and each has its own size", async () => {
  await using folders = await openFolders();
  await using one = await openConsole([], { folders });
  await using other = await openConsole([], { folders, cols: 60, rows: 15 });
  await one.waitFor("Connect to a service");
  await other.waitFor("Connect to a service");
  other.resize(40, 10);
  await other.waitFor("40×10 is too small");
  expect([one.cols, one.rows, other.cols, other.rows]).toEqual([80, 24, 40, 10]);
});

test("a command line that opens no console writes its error to the terminal", async () => {
  await using terminal = await openConsole(["no-such-command"]);
  expect(await terminal.exit).toEqual({ code: 2, signal: null });
  expect(terminal.text()).toContain("no-such-command");
});
