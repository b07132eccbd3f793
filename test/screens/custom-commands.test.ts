import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { eventually } from "../helpers/eventually.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { type StandIn, standIn } from "../settings/custom/programs.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

async function store(folders: Folders, content: object): Promise<void> {
  await mkdir(folders.config, { recursive: true, mode: 0o700 });
  await writeFile(join(folders.config, "commands.json"), JSON.stringify(content), { mode: 0o600 });
}

interface Size {
  readonly cols?: number;
  readonly rows?: number;
}

/** A console at an account, with these commands. */
async function open(
  folders: Folders,
  content: object,
  { env = {}, words = ["open", "ACME", "EXT-0000001"], ...size }: OpenOptions = {},
) {
  await store(folders, content);
  return openConsole(words, { folders, env: { ...sandbox.env, ...env }, ...size });
}

interface OpenOptions extends Size {
  readonly env?: Record<string, string>;
  readonly words?: readonly string[];
}

const ticketFor = (program: StandIn, more: object = {}) => ({
  commands: {
    ticket: {
      key: "N",
      screens: ["account", "accounts"],
      description: "Open a ticket for this account",
      run: [program.path, "--", "{import_supplier}", "{external_account_number}"],
      ...more,
    },
  },
});

describe("a command of the user's", () => {
  test("is in the footer, the help and the palette, and runs with whole values", async () => {
    const folders = await openFolders();
    const program = standIn("ticket", "echo 'https://tickets.example/7'");
    const terminal = await open(folders, ticketFor(program), { cols: 120, rows: 40 });
    await terminal.waitFor(/COMPLETED[\s\S]*N ticket/);
    await terminal.press("N").until("ticket: https://tickets.example/7");
    const [call] = program.calls();
    expect(call?.args).toEqual(["--", "ACME", "EXT-0000001"]);
    expect(JSON.parse(call?.stdin ?? "")).toMatchObject({
      screen: "account",
      import_supplier: "ACME",
      external_account_number: "EXT-0000001",
      status: "COMPLETED",
      environment: "test",
    });
    expect(Object.keys(call?.env ?? {})).not.toContain("SUPPLYLINE_API_KEY");
    await terminal.press("?").until(/Your commands[\s\S]*N +ticket/);
    await terminal.press("/").until(/N +ticket: Open a ticket for this account/);
    await terminal.press("esc").until(/Esc close {2}Tab keys/);
    await terminal.press("?").untilGone("Your commands");
    terminal.press(":");
    await terminal.send("tick").until(/ticket +N {2}Open a ticket/);
    terminal.press("enter");
    await eventually(() => program.calls().length === 2);
  });

  test("asks first where it wants that, and shows exactly what would run", async () => {
    const folders = await openFolders();
    const program = standIn();
    const confirm = "Open a ticket for {external_account_number}?";
    const terminal = await open(folders, ticketFor(program, { confirm }));
    await terminal.waitFor("COMPLETED");
    await terminal.press("N").until("Open a ticket for EXT-0000001?");
    await terminal.waitFor(/-- ACME EXT-0000001/);
    await terminal.press("n").untilGone("Open a ticket for");
    expect(program.calls()).toEqual([]);
    await terminal.press("N").until("Open a ticket for EXT-0000001?");
    await terminal.press("y").until("ticket has ended.");
    expect(program.calls()).toHaveLength(1);
  });

  test("is for marked rows where it says so, and the same key for one row while none is", async () => {
    const folders = await openFolders();
    const one = standIn("one");
    const all = standIn("all");
    const content = ticketFor(one);
    const marked = {
      ...content.commands.ticket,
      rows: "marked",
      screens: ["accounts"],
      writes: false,
      run: [all.path, "{external_account_numbers}"],
    };
    const terminal = await open(
      folders,
      { commands: { ...content.commands, tickets: marked } },
      { words: ["open", "ACME"], cols: 120, rows: 40 },
    );
    await terminal.waitFor("of 120 imported");
    await terminal.press("enter").until(/1 of 120[\s\S]*N ticket\b/);
    await terminal.press("N").until("ticket has ended.");
    expect(one.calls()[0]?.args.slice(1)).toEqual(["ACME", "EXT-0000001"]);
    await terminal.press("space", "space").until(/2 marked[\s\S]*N tickets/);
    await terminal.press("N").until("tickets has ended.");
    expect(all.calls()[0]?.args).toEqual(["EXT-0000001", "EXT-0000002"]);
    expect(one.calls()).toHaveLength(1);
    const rows = all
      .calls()[0]
      ?.stdin.split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toMatchObject([
      { import_supplier: "ACME", external_account_number: "EXT-0000001" },
      { import_supplier: "ACME", external_account_number: "EXT-0000002" },
    ]);
  });

  test("is not run while writes are locked, unless it says that it writes nothing", async () => {
    const folders = await openFolders();
    const writes = standIn("writes");
    const reads = standIn("reads");
    const look = { ...ticketFor(reads).commands.ticket, key: "I", writes: false };
    const content = { commands: { ...ticketFor(writes).commands, look } };
    const env = { SUPPLYLINE_ENVIRONMENT: "production" };
    const terminal = await open(folders, content, { env });
    await terminal.waitFor("COMPLETED");
    await terminal.press("N").until("Writes to production are locked: U unlocks them.");
    await terminal.press("I").until("look has ended.");
    expect([writes.calls().length, reads.calls().length]).toEqual([0, 1]);
  });

  test("never runs from a field or a form: its key is a letter there", async () => {
    const folders = await openFolders();
    const program = standIn();
    const terminal = await open(folders, ticketFor(program));
    await terminal.waitFor("COMPLETED");
    await terminal.press("n").until("Note 1");
    await terminal.send("Now N").until("Now N");
    expect(terminal.text()).not.toContain("N ticket");
    expect(program.calls()).toEqual([]);
  });

  test("that fails or hangs leaves the console at work, and Ctrl-C stops it", async () => {
    const folders = await openFolders();
    const failing = standIn("failing", "printf '\\033[2Jno such project\\n' >&2; exit 3");
    const hanging = standIn("hanging", "sleep 600");
    const wait = { ...ticketFor(hanging).commands.ticket, key: "I" };
    const content = { commands: { ...ticketFor(failing).commands, wait } };
    const terminal = await open(folders, content);
    await terminal.waitFor("COMPLETED");
    await terminal.press("N").until("ticket failed with status 3: ␛[2Jno such project");
    await terminal.press("I").until("wait is running; Ctrl-C stops it.");
    await terminal.press("I").until("wait is running already.");
    await terminal.press("v").until("Raw: ");
    await terminal.press("esc").untilGone("Raw: ");
    await terminal.press("ctrl-c").until("wait was stopped.");
  });

  test("shows what it prints in the pager, made safe", async () => {
    const folders = await openFolders();
    const program = standIn("program", "printf 'one\\n\\033]0;owned\\007two\\n'");
    const page = join(folders.home, "page");
    const pager = standIn("pager", "", folders.home);
    const content = ticketFor(program, { output: "pager" });
    const terminal = await open(folders, content, { env: { PAGER: pager.path } });
    await terminal.waitFor("COMPLETED");
    terminal.press("N");
    await eventually(() => pager.calls().length > 0);
    expect(pager.calls()[0]?.stdin).toBe("one\n␛]0;owned␇two");
    expect(existsSync(page)).toBe(false);
  });
});

test.each([
  { cols: 200, rows: 50 },
  { cols: 80, rows: 24 },
  { cols: 60, rows: 15 },
])(
  "an entry that is wrong is reported at the start and by doctor, at $cols×$rows",
  async (size) => {
    const folders = await openFolders();
    const program = standIn();
    const clashing = ticketFor(program, { key: "n" });
    const terminal = await open(folders, clashing, size);
    await terminal.waitFor("commands.json: commands.ticket.key: n is the key of note");
    await terminal.waitFor("COMPLETED");
    await terminal.press("?").until("Entries of commands.json that do not work");
    expect(terminal.text().replace(/\s+/g, " ")).toContain(
      "commands.ticket.key: n is the key of note; choose another",
    );
    const doctor = await runCommand(["doctor"], { folders, env: sandbox.env });
    expect(doctor.stdout.replace(/\s+/g, " ")).toContain(
      "warn commands commands.json: commands.ticket.key: n is the key of note",
    );
  },
);

test("a file that others can read is reported with its remedy, at 80 columns", async () => {
  const folders = await openFolders();
  await store(folders, ticketFor(standIn()));
  await chmod(join(folders.config, "commands.json"), 0o644);
  const terminal = await openConsole(["--sandbox"], { folders, cols: 80, rows: 24 });
  await terminal.waitFor(/^Fix: chmod 600 \S/m);
});

test("doctor counts the commands that hold", async () => {
  const folders = await openFolders();
  await store(folders, ticketFor(standIn()));
  const { stdout } = await runCommand(["doctor"], { folders, env: sandbox.env });
  expect(stdout.replace(/\s+/g, " ")).toMatch(/ok commands \S+commands\.json: 1 command/);
});

test("the footer has a command's key at 60×15, and help and quit beside it", async () => {
  const folders = await openFolders();
  const content = ticketFor(standIn());
  const terminal = await open(folders, content, { cols: 60, rows: 15 });
  const text = await terminal.waitFor(/N ticket/);
  expect(text).toMatch(/N ticket.*\? help {2}q quit/);
});
