/** Files and disks on which nothing can be recorded stop no list, and what is stored can be read. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runCommand } from "../helpers/command.ts";
import { openLists, openObserver } from "../helpers/lists.ts";
import { openSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";

let service: Awaited<ReturnType<typeof openLists>>;
beforeAll(async () => {
  service = await openLists();
});

const states = [
  ["full", (disk: SmallDisk) => disk.fill(), "there is no space left on the disk"],
  ["read-only", (disk: SmallDisk) => disk.makeReadOnly(), "the disk is read-only"],
] as const;

describe.each(states)("on a disk that is %s", (_, make, words) => {
  test("lists are printed with one notice, and stored ages and changes can be read", async () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const folders = {
      home: disk.path,
      config: join(disk.path, "config"),
      state: join(disk.path, "state"),
      cache: null,
      [Symbol.asyncDispose]: async () => {},
    };
    const run = (...args: string[]) => runCommand(args, { folders, env: service.env });
    service.set("A", [["ONE"], ["LOST"]]);
    await run("accounts", "list", "A");
    service.set("A", [["ONE"]]);
    await run("accounts", "list", "A");
    make(disk);
    service.set("A", [["ONE"], ["TWO"]]);
    const list = await run("accounts", "list", "A", "--format", "jsonl");
    expect(list.code).toBe(0);
    expect(list.stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(list.stderr.match(/not recorded as an observation/g)).toHaveLength(1);
    expect(list.stderr).toContain(words);
    const aged = await run("accounts", "list", "A", "--ages", "--format", "jsonl");
    expect(aged.stderr).toContain(words);
    expect(aged.code).toBe(0);
    const rows = aged.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => [row.external_account_number, row.gone_at !== null])).toEqual([
      ["ONE", false],
      ["TWO", false],
      ["LOST", true],
    ]);
    const changes = await run("changes", "A", "--format", "csv");
    expect({ code: changes.code, stderr: changes.stderr }).toEqual({ code: 0, stderr: "" });
    expect(changes.stdout).toContain("LOST,gone,pending,gone,");
    expect((await run("observations", "list", "--json")).stdout).toContain('"A"');
    const purged = await run("observations", "purge", "A", "--yes");
    expect(purged.stdout).toBe("");
    expect(purged.code).not.toBe(0);
    expect(purged.stderr).toContain(words);
    const doctor = await run("doctor", "--format", "csv");
    expect(doctor.stdout).toMatch(/^observations,warn,not recorded: .*/m);
  });
});

/** Lists once, spoils the file, and lists again. */
async function spoiled(spoil: (path: string) => Promise<void>) {
  const machine = await openObserver(service);
  await machine.list("A", 0, [["ONE"]]);
  await spoil(machine.observations);
  const list = await machine.list("A", 1, [["ONE"], ["TWO"]]);
  return { machine, list };
}

test.each<[string, (path: string) => Promise<void>, RegExp, number]>([
  [
    "of a later version",
    async (path) => {
      const database = new DatabaseSync(path);
      database.exec("PRAGMA user_version = 999");
      database.close();
    },
    /was made by a later version of supplyline/,
    2,
  ],
  [
    "damaged",
    async (path) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0x7e, 0, 4096));
    },
    /damaged|is not an? observations file/,
    2,
  ],
  [
    "readable by others",
    async (path) => chmod(path, 0o644),
    /is open to other users.*chmod 600/,
    2,
  ],
])("a file that is %s stops no list; what is about it ends with its reason", async (...args) => {
  const [, spoil, words, code] = args;
  const { machine, list } = await spoiled(spoil);
  await using _ = machine;
  expect({ code: list.code, rows: JSON.parse(list.stdout).length }).toEqual({ code: 0, rows: 2 });
  expect(list.stderr.match(/not recorded as an observation/g)).toHaveLength(1);
  expect(list.stderr).toMatch(words);
  for (const command of [
    ["changes", "A"],
    ["observations", "list"],
    ["observations", "show", "A"],
    ["accounts", "list", "A", "--ages", "--filter", "age:>1h"],
  ]) {
    const result = await machine.run(...command);
    expect({ command, code: result.code, stdout: result.stdout }).toEqual({
      command,
      code,
      stdout: "",
    });
    expect(result.stderr).toMatch(words);
  }
  // What the list itself shows is printed, with the reason once.
  for (const command of [
    ["accounts", "list", "A", "--ages", "--format", "jsonl"],
    ["suppliers", "show", "A", "--json"],
    ["check", "A", "--gone", "--pending-older-than", "1h", "--json"],
  ]) {
    const { stdout, stderr } = await machine.run(...command);
    expect(stdout).toMatch(command[0] === "check" ? /"met": ?null/ : /ONE|"pending": ?2/);
    const reasons = stderr.split("\n").filter((line) => words.test(line));
    expect({ command, reasons: reasons.length }).toEqual({ command, reasons: 1 });
  }
});

test("preferences that cannot be read record nothing, and stop no list", async () => {
  await using machine = await openObserver(service);
  await mkdir(machine.folders.config, { mode: 0o700 });
  await writeFile(join(machine.folders.config, "preferences.json"), '{"recordObservations":7}', {
    mode: 0o600,
  });
  const { code, stderr } = await machine.list("A", 0, [["ONE"]]);
  expect(code).toBe(0);
  expect(stderr).toContain("preference recordObservations must be true or false");
  expect((await machine.run("observations", "list", "--json")).stdout).toBe("[]\n");
});

test("two profiles of one service share its observations", async () => {
  await using machine = await openObserver(service);
  const add = (name: string, url: string) =>
    runCommand(["profiles", "add", name, "--base-url", url], { folders: machine.folders });
  await add("one", service.baseUrl);
  await add("two", `${service.baseUrl}/`);
  const { clock, folders } = machine;
  const env = { SUPPLYLINE_API_KEY: "key-1" };
  service.set("A", [["ONE"]]);
  const list = (profile: string) =>
    runCommand(["accounts", "list", "A", "--ages", "--json", "--profile", profile], {
      folders,
      clock,
      env,
    });
  const first = await list("one");
  await clock.advance(3_600_000);
  expect((await list("two")).stdout).toBe(first.stdout);
});
