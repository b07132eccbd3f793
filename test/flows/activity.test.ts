import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { type OpenConsoleOptions, openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { instruction, notes, statement } from "../writes/writing.ts";
import { sentBefore } from "./sent-before.ts";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox({ speed: 1 });
  folders = await openFolders();
});

function open(args: readonly string[], options: OpenConsoleOptions = {}) {
  const { env, ...rest } = options;
  return openConsole(args, {
    folders,
    ...rest,
    env: { ...service.env, ...env },
  });
}

/** The question, wherever its lines end. */
const typeTheNumber = /Type EXT-0000001 to\s+continue\./;

/** Returns the number of effects with a key. */
const landings = (key: string) => service.ledger().filter((entry) => entry.key === key).length;

test("keys typed before the journal opens act on the intended entry", async () => {
  await sentBefore(service, folders, [{ write: notes("typed ahead") }]);
  const terminal = await open([]);
  await terminal.waitFor("This profile has no suppliers yet");
  await terminal.send("A\r\t").until(/Activity › Entry \d+[\s\S]*\[Body\][\s\S]*typed ahead/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a note whose answer was lost is found on start, verified, and took effect once", async () => {
  const [first] = await sentBefore(service, folders, [
    { write: notes("who knows"), faults: ["reset-after"] },
  ]);
  expect(first?.outcome).toBe("unknown");
  expect(landings("who knows")).toBe(1);

  const terminal = await open([]);
  await terminal.waitFor(/^Suppliers.*1 unknown/);
  await terminal.press("A").until(/notes +ACME\/EXT-0000001 +\? unknown/);
  await terminal.waitFor("1 of 1  1 unknown");
  const record = await terminal.press("enter").until("V: Verifying sends the same request again");
  expect(record).toContain("It is unknown whether it took effect");

  terminal.press("V");
  const confirmed = /✓ confirmed[^\n]* entry 1\b/;
  const ended = await terminal.waitFor(
    (screen) => screen.includes("f continues now") || confirmed.test(screen),
    { describe: "a wait that f cuts short, or the end" },
  );
  if (ended.includes("f continues now")) terminal.press("f");
  const after = await terminal.waitFor(confirmed);
  // The outcome is said once: at the top of the record.
  expect(after).toContain("The service confirmed it.");
  expect(after).not.toContain("ended as");
  expect(landings("who knows")).toBe(1);

  await terminal.press("esc").until("1 of 1  none unknown");
  await terminal.press("tab").until("No unknown entries");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a statement that cannot be read back is closed with a reason", async () => {
  await sentBefore(service, folders, [{ write: statement(), faults: ["reset-after"] }]);
  const terminal = await open(["open", "ACME", "EXT-0000001"]);
  await terminal.waitFor(/Sent from here +1 entry, 1 unknown/);
  await terminal.press("A").until(/statements +ACME\/EXT-0000001 +\? unknown/);
  await terminal
    .press("V")
    .until("Look at the account's statements on the platform's support pages");
  await terminal.press("enter").until("[Record]");
  await terminal.waitFor("It cannot be read back: look at the account's statements");

  await terminal.press("c").until("did it take effect?");
  await terminal.press("down").until("It counts as confirmed");
  await terminal.press("enter").until("Close entry 1: took effect");
  await terminal.press("enter").until("Closing needs a reason");
  await terminal.send("seen on the support pages").until("Reason  seen on the support pages");
  await terminal.press("enter").until(/– closed[^\n]* entry 1\b/);
  await terminal.press("G").until("closed: seen on the support pages");
  await terminal.press("V").until("Its outcome is known");

  await terminal.press("esc").until("none unknown");
  await terminal.press("esc").until(/Sent from here +1 entry {2}/);
  expect(await terminal.waitFor("Observed")).toContain("– closed");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a write can be read whole: attempts, body, answer, and the command that shows it", async () => {
  await sentBefore(service, folders, [
    { write: notes("first"), faults: ["500-afterx1"] },
    { write: instruction("NO-SUCH-VENDOR") },
  ]);
  const terminal = await open(["open", "ACME", "EXT-0000001"], { cols: 100, rows: 40 });
  const account = await terminal.waitFor(/Sent from here +2 entries/);
  expect(account).toMatch(/✗ rejected +payment {2}R-1 {2}account_failed_validation$/m);
  expect(account).toMatch(/✓ confirmed +notes {4}"first"$/m);
  await terminal.press("A").until("1 of 2");
  await terminal.press("/").until("keep filter");
  await terminal.send("outcome:confirmed").until("row 1  1 of 2 match");
  await terminal.press("enter").untilGone("keep filter");
  const record = await terminal.press("enter").until("Attempts");
  expect(record).toMatch(/1 .* answered 500 \(error\) after \d+ ms/);
  expect(record).toMatch(/2 .* answered 201 after \d+ ms/);
  expect(record).toContain("POST http://127.0.0.1");
  await terminal.press("tab").until('"body": "first"');
  await terminal.press("v").until("Raw: body of entry 1");
  await terminal.press("esc").until("[Body]");
  await terminal.press("tab").until(/Attempt 2 {2}answered 201 after/);
  const command = await terminal.press("x").until("supplyline activity show 1");
  expect(command).toContain("curl keeps no journal");
  expect(command).not.toContain(service.apiKey);
});

test("what may take effect twice is sent again only with its number and a reason, and can be stopped in its countdown", async () => {
  await sentBefore(service, folders, [{ write: statement(), faults: ["reset-after"] }]);
  const terminal = await open([]);
  await terminal.waitFor(/^Suppliers.*1 unknown/);
  await terminal.press("A").until("1 of 1");
  await terminal.press("enter").until("[Record]");
  service.setFaults(["reset-after"]);
  await terminal.press("u").until(typeTheNumber);
  await terminal.press("esc").untilGone(typeTheNumber);
  terminal.press("G");
  expect(await terminal.waitFor("Attempts")).not.toMatch(/ 2 {2}20/);

  service.setFaults(["hang"]);
  await terminal.press("u").until(typeTheNumber);
  await terminal.send("EXT-0000001").until("Account number  EXT-0000001");
  await terminal.press("enter").until("Reason");
  await terminal.send("not at the vendor").until("Reason  not at the vendor");
  const under = await terminal.press("enter").until(/(f continues now|waiting for the response)/);
  if (under.includes("f continues now")) terminal.press("f");
  await terminal.waitFor(/stops waiting; its outcome is then/);
  const stopped = await terminal.press("ctrl-c").until("ended as unknown.");
  expect(stopped).toContain("It was canceled.");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("production stays locked, and a resend there takes the account's number and a reason", async () => {
  await sentBefore(service, folders, [{ write: statement(), faults: ["reset-after"] }]);
  const terminal = await open([], {
    cols: 100,
    rows: 30,
    env: { SUPPLYLINE_ENVIRONMENT: "production" },
  });
  await terminal.waitFor(/^Suppliers.*1 unknown/);
  await terminal.press("A").until("1 of 1");
  await terminal.press("u").until("Writes to production are locked: U unlocks them.");
  await terminal.press("U").until("Unlock writes");
  await terminal.send("ad-hoc").until("Profile's name  ad-hoc");
  await terminal.press("enter").until("1 of 1");
  await terminal.press("u").until(typeTheNumber);
  await terminal.send("EXT-1").until("Account number  EXT-1");
  await terminal.press("enter").until("nothing was sent");
  await terminal.press("ctrl-u").untilGone("EXT-1\n");
  await terminal.send("EXT-0000001").until("Account number  EXT-0000001");
  await terminal.press("enter").until("Reason");
  await terminal.send("not at the vendor").until("Reason  not at the vendor");
  await terminal.press("enter").until("1 of 1");
  terminal.press("enter");
  const confirmed = /✓ confirmed[^\n]* entry 1\b/;
  const under = await terminal.waitFor(
    (screen) => screen.includes("f continues now") || confirmed.test(screen),
    { describe: "a wait that f cuts short, or the end" },
  );
  if (under.includes("f continues now")) terminal.press("f");
  expect(await terminal.waitFor(confirmed)).not.toContain("ended as");
});

test("looking at the activity makes no journal, and a journal others can read is reported with its fix", async () => {
  {
    await using terminal = await open([]);
    await terminal.waitFor("This profile has no suppliers yet");
    await terminal.press("A").until("Nothing has been sent to this service from this machine yet.");
    terminal.press("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
    await expect(stat(join(folders.state, "journal.sqlite"))).rejects.toThrow();
  }
  await sentBefore(service, folders, [{ write: notes("one") }]);
  await chmod(folders.state, 0o755);
  const terminal = await open([], { cols: 120 });
  await terminal.waitFor("This profile has no suppliers yet");
  await terminal.press("A").until(`To fix it: chmod 700 ${folders.state}`);
  await chmod(folders.state, 0o700);
  await terminal.waitFor("1 of 1  none unknown");
});
