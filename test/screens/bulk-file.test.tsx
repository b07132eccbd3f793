import { appendFileSync, chmodSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../src/session/places.ts";
import { fastClock, hurriedClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { type OpenedConsole, type OpenedConsoleOptions, openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox({ accounts: 60 });
  folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
});

const header = "import_supplier,external_account_number,body\n";

/** Notes for imported accounts. */
const good = `${header}ACME,EXT-0000001,one\nACME,EXT/0000011,two\n`;

async function file(name: string, text: string | Uint8Array): Promise<string> {
  const path = join(folders.home, name);
  await writeFile(path, text);
  return path;
}

type More = Partial<
  Pick<OpenedConsoleOptions, "cols" | "rows" | "env" | "environment" | "readOnly">
>;

function open(path: string | null, more: More = {}): Promise<OpenedConsole> {
  const places: readonly Place[] = [
    { kind: "suppliers" },
    { kind: "runs" },
    { kind: "bulk-file", path },
  ];
  return openConsoleAt({ service, folders, clock: fastClock(), places, ...more });
}

/** An editor made of shell commands; it is given `+LINE FILE`. */
function editor(commands: string): Record<string, string> {
  const path = join(folders.home, "edit.sh");
  writeFileSync(path, `#!/bin/sh\n${commands}\n`);
  chmodSync(path, 0o755);
  return { VISUAL: path, PATH: process.env.PATH ?? "" };
}

const landed = () => service.ledger().filter(({ cause }) => cause === "request");

test("Runs leads to the file, whose rows are checked, reviewed, sent and followed", async () => {
  await file("notes.csv", good);
  const { screen } = await openConsoleAt({
    service,
    folders,
    clock: fastClock(),
    places: [{ kind: "suppliers" }, { kind: "runs" }],
  });
  await screen.waitFor("a starts one from a CSV or JSONL file");
  await screen.press("a").until("Which file of rows");
  await screen.send("~/no").until("~/no");
  await screen.press("tab").until("~/notes.csv");
  await screen.press("enter").until("2 rows of notes: 2 ready.");
  expect(screen.text()).toContain("Runs › notes.csv");
  await screen.act("review").until("2 notes from notes.csv. Nothing has been sent.");
  expect(screen.text()).toMatch(/^2 +EXT-0000001 +"one"$/m);
  expect(screen.text()).toMatch(/^3 +EXT\/0000011 +"two"$/m);
  await screen.press("v").until('"body": "one"');
  expect(landed()).toHaveLength(0);
  await screen.act("send").until("Yes, send 2 rows");
  await screen.press("down", "enter").until("✓ 2 of 2 confirmed");
  expect(screen.text()).toContain("notes from notes.csv");
  expect(
    landed()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(["one", "two"]);
  await screen.press("esc").until("2 rows of notes: 2 ready.");
  await screen.press("a").until("Which file of rows");
});

test("issues are seen by cause and by row, fixed in the editor at their line, and checked again", async () => {
  const path = await file(
    "notes.csv",
    `${header}ACME,EXT-0000001,one\nACME,,two\nACME,,three\nACME,EXT-0000001,\n`,
  );
  const log = join(folders.home, "args");
  const env = editor(
    `echo "$@" > ${log}; printf '${header.trim()}\\nACME,EXT-0000001,fixed\\n' > "$2"`,
  );
  const { screen } = await open(path, { env, cols: 80, rows: 24 });
  await screen.waitFor("4 rows of notes: 1 ready, 3 with errors");
  await screen.waitFor(/▌.*✗ +2 +external_account_number/);
  await screen.press("enter").until(/▌ +✗ +3 [\s\S]*✗ +4 /);
  await screen.press("down").until("2 of 2");
  await screen.press("esc").until(/✗ +2 +external_account_number/);
  expect(screen.text()).toMatch(/\[Causes 2\] Rows 3/);
  await screen.press("tab").until("1 of 3");
  await screen.press("down").until("2 of 3");
  await screen.press("e").until("1 row of notes: 1 ready.");
  expect(await readFile(log, "utf8")).toBe(`+4 ${path}\n`);
});

test("a file that is replaced while it is open is reported, and nothing of it is sent", async () => {
  const path = await file("notes.csv", good);
  const { screen } = await open(path);
  await screen.waitFor("2 rows of notes: 2 ready.");
  await screen.act("review").until("s sends them");
  await writeFile(path, good.replace("one", "ONE"));
  await utimes(path, 1, 1);
  await screen.waitFor("notes.csv is not the file that was checked");
  screen.act("send");
  await screen.press("esc").until("notes.csv has changed since it was checked");
  expect(landed()).toHaveLength(0);
  await screen.press("r").until("Ctrl-G reviews what will be sent");
  await rm(path);
  await screen.waitFor("notes.csv was removed after the check");
});

test("a run that waits for the service says first when it tries again", async () => {
  const gone = await openSandbox({ accounts: 60 });
  const lines = Array.from({ length: 9 }, (_, at) => `ACME,EXT-0000001,${at}\n`);
  const path = await file("notes.csv", header + lines.join(""));
  const { screen } = await openConsoleAt({
    service: gone,
    folders,
    cols: 60,
    rows: 15,
    places: [{ kind: "suppliers" }, { kind: "runs" }, { kind: "bulk-file", path }],
  });
  await screen.waitFor("9 rows of notes: 9 ready.");
  await screen.act("review").until("s sends them");
  await gone.close();
  await screen.act("send").until("Yes, send 9 rows");
  await screen.press("down", "enter").until("waits for service");
  await screen.waitFor(/^Next try in (?:under )?\d+ s: the service cannot be reached/m);
  // The whole reason is there, and how long it has been so.
  await screen.waitFor(/Paused for (?:under )?\d+ s\./);
});

test("a file that is only touched stays the one that was checked", async () => {
  const path = await file("notes.csv", good);
  const { screen } = await open(path);
  await screen.waitFor("2 rows of notes: 2 ready.");
  await utimes(path, 1, 1);
  await screen.act("review").until("s sends them");
  await screen.act("send").until("Yes, send 2 rows");
  await screen.press("down", "enter").until("✓ 2 of 2 confirmed");
});

test("a file that changes between the review and its recording starts no run", async () => {
  const path = await file("notes.csv", good);
  const { screen } = await open(path);
  await screen.waitFor("2 rows of notes: 2 ready.");
  await screen.act("review").until("s sends them");
  await screen.act("send").until("Yes, send 2 rows");
  // The question is in front: the file is not looked at.
  appendFileSync(path, "ACME,EXT-0000001,late\n");
  await screen.press("down", "enter").until("has changed since it was checked; nothing was sent");
  expect(landed()).toHaveLength(0);
});

test.each([
  ["missing.csv", null, "does not exist"],
  ["folder", "folder", "is a folder"],
])("%s says why it cannot be read", async (name, what, words) => {
  if (what === "folder") await mkdir(join(folders.home, name));
  const opened = await open(join(folders.home, name));
  await opened.screen.waitFor(words);
  expect(opened.screen.text()).toContain("Nothing is checked, and nothing was sent.");
  await opened.screen.press("a").until("Which file of rows");
});

test("a byte order mark and semicolons are read, and another separator asks for the kind", async () => {
  const opened = await open(await file("a.csv", `\ufeff${good.replaceAll(",", ";")}`));
  await opened.screen.waitFor("2 rows of notes: 2 ready.");
  await opened.screen.press("a").until("Which file of rows");
  opened.screen.press("ctrl-u");
  const other = await file("b.csv", good.replaceAll(",", "|"));
  await opened.screen.send(other).until("b.csv");
  await opened.screen.press("enter").until("fits no kind of rows");
  await opened.screen.press("enter").until("The first row names the columns");
});

test("payments that were sent before are held back, and take a reason", async () => {
  const [one, two] = ["R-1", "R-2"].map((r) => `ACME,EXT-0000001,GOODPAY,${r},CARD\n`);
  const head = "import_supplier,external_account_number,vendor,reference,type\n";
  const path = await file("pay.csv", `${head}${one}`);
  const { screen } = await open(path);
  const send = async () => {
    await screen.act("review").until("Nothing has been sent.");
    screen.act("send");
  };
  await screen.waitFor("1 row of payments: 1 ready.");
  await send();
  await screen.waitFor("Yes, send 1 row");
  await screen.press("down", "enter").until("✓ 1 of 1 confirmed");
  await screen.press("esc").until("1 row of payments");
  await writeFile(path, `${head}${one}${two}`);
  await screen.press("r").until("2 rows of payments: 1 ready, 1 held back.");
  await screen.waitFor(/▌ += +1 +– +Held back\. The same payment instruction/);
  await screen.press("enter").until(/▌ += +2 +ACME +EXT-0000001/);
  await screen.press("enter").until("Entry 1");
  await screen.press("esc").until(/▌ += +2 +ACME +EXT-0000001/);
  const review = await screen.act("review").until("Nothing has been sent.");
  expect(review).toMatch(/Goes out +1 row in 1 request; with a reason 2/);
  expect(review).toContain("1 row was sent before (entry 1) and is left out.");
  await screen
    .press("G")
    .until("Line 2: The same payment instruction was sent before and confirmed, as entry 1.");
  await screen.act("send").until("Reason");
  await screen.press("enter").until("Type 1 to send it");
  screen.send("1");
  await screen.press("enter").until("1 of 2 held back");
  expect(landed()).toHaveLength(2);
});

test("a file of payments is checked again when its run has ended, and says which run sent it", async () => {
  const rows = ["R-1", "R-2"].map((r) => `ACME,EXT-0000001,GOODPAY,${r},CARD\n`);
  const head = "import_supplier,external_account_number,vendor,reference,type\n";
  const path = await file("pay.csv", head + rows.join(""));
  const { screen } = await open(path);
  await screen.waitFor("2 rows of payments: 2 ready.");
  await screen.act("review").until("Nothing has been sent.");
  await screen.act("send").until("Yes, send 2 rows");
  const text = await screen.press("down", "enter").until("✓ 2 of 2 confirmed");
  const [, run = ""] = /Runs › (r\w{5})/.exec(text) ?? [];
  const checked = await screen.press("esc").until("0 ready, 2 held back");
  expect(run).toHaveLength(6);
  expect(checked).toContain(`as run ${run}.`);
  // The review asks as for rows in doubt, and without a reason nothing is left to send.
  await screen.act("review").until(/Goes out +0 rows; with a reason 2/);
  expect(landed()).toHaveLength(2);
});

test("keys typed ahead of the review, and of its question, send no file", async () => {
  const path = await file("notes.csv", good);
  const { screen } = await open(path);
  await screen.waitFor("2 rows of notes: 2 ready.");
  await screen.send("\x07sy").until(/press it again|y works on/);
  await screen.send("sy").until("Yes, send 2 rows");
  await screen.waitFor("press it again");
  expect(landed()).toHaveLength(0);
  await screen.send("y").until("✓ 2 of 2 confirmed");
});

test("production asks for the rows and the sum", async () => {
  const head =
    "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason\n";
  const day = new Date().toISOString().slice(0, 10);
  const row = (id: string, amount: string) =>
    `ACME,EXT-0000001,${id},${day},${amount},CHARGE,IMPORTED_CHARGE\n`;
  const path = await file("t.csv", head + row("T-1", "12.50") + row("T-2", "0.10"));
  const { screen } = await open(path, { environment: "production" });
  await screen.waitFor("2 rows of transactions: 2 ready, 12.60 in all.");
  await screen.press("U").until("Profile's name");
  screen.send("ad-hoc");
  await screen.press("enter").untilGone("Profile's name");
  await screen.act("review").until("s sends them after you type 2 and 12.60");
  await screen.act("send").until("Number of rows");
  screen.send("2");
  await screen.press("enter").until("Type 12.60");
  screen.send("12.60");
  await screen.press("enter").until("✓ 2 of 2 confirmed");
  const effect = "Took effect: 2 transactions of 12.60 in all.";
  await screen.waitFor(effect);
  await screen.press("A").until(`Today. ${effect}`);
});

test("how the file is read can be changed, and shows as a command", async () => {
  const path = await file("notes.csv", good);
  const { screen } = await open(path);
  await screen.waitFor("2 rows of notes: 2 ready.");
  await screen.press("x").until("supplyline bulk run notes --dry-run --from");
  await screen.press("esc").untilGone("--dry-run --from");
  await screen.press(",").until("Another kind of rows");
  await screen.press("enter").until("Which kind of rows are these?");
  await screen
    .press("enter")
    .until(/rows? of transactions: \d+ ready, 5 errors before the first row/);
});

test("the check of a long file is canceled", async () => {
  const path = await file("long.csv", header + "ACME,EXT-0000001,one\n".repeat(400_000));
  const { screen } = await open(path);
  await screen.waitFor(/rows checked/);
  await screen.press("ctrl-c").until("was canceled");
});

test("the rows to fix are offered first for the next run, before a restart and after it", async () => {
  const source = await file("wave.csv", `${header}ACME,EXT-0000001,one\nACME,NOBODY,two\n`);
  const words = ["bulk", "run", "notes", "--from", source, "--yes"];
  const { stdout } = await runCommand(words, { folders, env: service.env, clock: hurriedClock() });
  const id = /^Run (\w+),/m.exec(stdout)?.[1] ?? "";
  const fixed = join(folders.home, "fix.csv");
  {
    await using opened = await openConsoleAt({
      service,
      folders,
      clock: fastClock(),
      places: [{ kind: "suppliers" }, { kind: "runs" }, { kind: "run", id }],
    });
    const { screen } = opened;
    await screen.waitFor("1 of 2 rejected");
    await screen.press("F").until(`${id}.rejected.csv`);
    screen.press("ctrl-u");
    screen.send(fixed);
    await screen.press("enter").until("1 rejected row written");
    await screen.press("L").until("1 of 1");
    await screen.press("a").until("Last files");
    expect(screen.text()).toMatch(/^File *$/m);
    screen.send("missing.csv");
    await screen.press("enter").until("Nothing is checked");
    await screen.press("a").until("Last files");
    screen.send(source);
    await screen.press("enter").until("2 ready");
  }
  const { screen } = await open(null);
  await screen.waitFor("Last files");
  expect(screen.text()).not.toContain("missing.csv");
  await screen.press("tab").until(/^File +\S+wave\.csv/m);
  await screen.press("down").until(/^File +\S+fix\.csv/m);
  await screen.press("enter").until("1 row of notes: 1 ready");
});

test("tabs count rows, whatever the number of their issues", async () => {
  const path = await file("notes.csv", `${header}ACME,,\nACME,EXT-0000001,fine\n`);
  const { screen } = await open(path);
  await screen.waitFor("2 rows of notes: 1 ready, 1 with errors");
  expect(screen.text()).toMatch(/\[Causes 2\] Rows 1/);
  await screen.press("tab").until(/✗ +2 +ACME +– +external_account_/);
  expect(screen.text()).toContain("1 of 1");
});

test("a file without an issue says what goes out to each supplier", async () => {
  const path = await file("notes.csv", `${good}NORTH,NORTH-0000001,three\n`);
  const { screen } = await open(path);
  await screen.waitFor("3 rows of notes: 3 ready");
  expect(screen.text()).toMatch(/ACME: 2 notes\nNORTH: 1 note\n/);
});

test("the failure rules of a review come into sight when they are unfolded", async () => {
  const rows = Array.from({ length: 9 }, (_, at) => `ACME,EXT-0000001,n${at}\n`);
  const { screen } = await open(await file("notes.csv", header + rows.join("")), { rows: 15 });
  await screen.waitFor("9 ready");
  await screen.act("review").until("Goes out");
  await screen.press("H").until("The service adds the same body once");
});

test("rows of accounts that are on no list are counted if a list is known", async () => {
  await runCommand(["accounts", "list", "ACME"], { folders, env: service.env });
  const path = await file("notes.csv", `${good}ACME,EXT-NONE,three\n`);
  const opened = await open(path);
  await opened.screen.waitFor("3 rows of notes: 3 ready, 1 for accounts on no list.");
  await opened.screen.waitFor(/▌ +! +1 +– +On no list of ACME \(stored list of /);
});

test("rows of accounts that are pending are a cause before they are sent, and open the account", async () => {
  await runCommand(["accounts", "list", "ACME"], { folders, env: service.env });
  const path = await file("notes.csv", `${good}ACME,EXT-0000003,three\n`);
  const { screen } = await open(path);
  await screen.waitFor("3 rows of notes: 3 ready, 1 for pending accounts.");
  await screen.waitFor(/▌ +! +1 +– +Pending at ACME \(stored list of /);
  await screen.press("enter").until(/▌ +! +4 +ACME +EXT-0000003/);
  await screen.press("y").until("EXT-0000003 was not sent");
  await screen.act("review").until(/Goes out +3 rows in 3 requests/);
  await screen.press("esc").until(/▌ +! +4 +ACME +EXT-0000003/);
  await screen.press("enter").until("Suppliers › ACME › Accounts › EXT-0000003");
});

test("the rows with an error are written with their reason, and the fixed file is checked as it is", async () => {
  const path = await file("notes.csv", `${header}ACME,EXT-0000001,one\nACME,,two\n`);
  const { screen } = await open(path);
  await screen.waitFor("2 rows of notes: 1 ready, 1 with errors");
  await screen.press("F").until("Write 1 row with an error to a file");
  screen.press("ctrl-u");
  await screen.send("~/fix.csv").until("~/fix.csv");
  await screen.press("enter").until("1 row with an error written");
  const written = await readFile(join(folders.home, "fix.csv"), "utf8");
  expect(written).toMatch(
    /^import_supplier,external_account_number,body,not_sent_because\nACME,,two,"[^\n]+"\n$/,
  );
  const fixed = await file("fixed.csv", written.replace("ACME,,", "ACME,EXT/0000011,"));
  const again = await open(fixed);
  await again.screen.waitFor("1 row of notes: 1 ready.");
});

test("a file without an error has no rows to write", async () => {
  const opened = await open(await file("notes.csv", good));
  await opened.screen.waitFor("2 rows of notes: 2 ready.");
  await opened.screen.press("F").until("No row of this file has an error.");
});

test("the good rows are sent alone, and the question and the review say how many are left out", async () => {
  const bad = "ACME,,two\nACME,EXT-0000001,\n";
  const path = await file("notes.csv", `${good}${bad}`);
  const { screen } = await open(path);
  await screen.waitFor("4 rows of notes: 2 ready, 2 with errors");
  await screen.press("x").until("--skip-bad-rows");
  await screen.press("esc").untilGone("--skip-bad-rows");
  const review = await screen.act("review").until("Nothing has been sent.");
  expect(review).toMatch(/Goes out +2 rows in 2 requests/);
  expect(review).toContain("2 rows with an error are left out.");
  const question = await screen.act("send").until("Yes, send 2 rows");
  expect(question).toMatch(/without 2\s+rows with an error/);
  await screen.press("down", "enter").until("✓ 2 of 2 confirmed");
  expect(
    landed()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(["one", "two"]);
  // The file stays as it is, and its bad rows can still be written.
  await screen.press("esc").until(/2 with errors.*Sent/);
});

test.each([
  ["an error before the first row", `${header.trim()},bdy\nACME,EXT-0000001,x,y\n`, "enter"],
  ["no good row", `${header}ACME,,x\nACME,,y\n`, null],
])("a file with %s cannot be sent", async (_, text, choice) => {
  const { screen } = await open(await file("notes.csv", text));
  if (choice !== null) {
    await screen.waitFor("fits no kind of rows");
    screen.press(choice);
  }
  await screen.waitFor("No row can be sent");
  // The reason is on the screen, so that the key adds no notice.
  screen.act("review");
  await screen.press("tab").until("[Rows");
  expect(screen.text()).toContain("No row can be sent");
});

test("the check of the rows to fix opens, they are fixed in the editor, and sent", async () => {
  const path = await file("notes.csv", `${header}ACME,EXT-0000001,one\nACME,,two\n`);
  const env = editor(`sed -i 's/^ACME,,/ACME,EXT-0000001,/' "$2"`);
  const { screen } = await open(path, { env });
  await screen.waitFor("2 rows of notes: 1 ready, 1 with errors");
  await screen.press("F").until("notes-to-fix.csv");
  await screen.press("ctrl-u").until(/^File *$/m);
  await screen.send("~/fix.csv").until("~/fix.csv");
  await screen.press("enter").until("› fix.csv");
  expect(screen.text()).toContain("1 row with an error written");
  await screen.waitFor("1 row of notes: 0 ready, 1 with errors");
  await screen.press("e").until("1 row of notes: 1 ready.");
  await screen.act("review").until("s sends them");
  await screen.act("send").until("Yes, send 1 row");
  await screen.press("down", "enter").until("✓ 1 of 1 confirmed");
  expect(landed().map(({ key }) => key)).toEqual(["two"]);
});

test("a row with an issue shows its supplier and its account at 60×15", async () => {
  const path = await file("notes.csv", `${header}ACNE,EXT-0000001,\n`);
  const { screen } = await open(path, { cols: 60, rows: 15 });
  await screen.waitFor("1 with errors");
  await screen.press("tab").until(/✗ +2 +ACNE +EXT-0000001/);
});
