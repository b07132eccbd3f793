import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fastClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { alterCohort } from "../helpers/state.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ accounts: 40 });
});

let folders: Folders;
beforeEach(async () => {
  folders = await openFolders();
});

const run = (words: readonly string[], input?: string) =>
  runCommand(words, {
    env: sandbox.env,
    folders,
    clock: fastClock(),
    ...(input === undefined ? {} : { input }),
  });
const add = (name: string, text: string, more: readonly string[] = []) =>
  run(["cohorts", "add", name, "ACME", "--source", "-", ...more], text);

test("a cohort named like a supplier, of a supplier that no profile lists, gets a notice", async () => {
  const setUp = ["profiles", "add", "live", "--base-url", sandbox.baseUrl];
  expect((await run(setUp)).code).toBe(0);
  expect((await run(["suppliers", "add", "ACME", "--profile", "live"])).code).toBe(0);
  const source = ["--source", "-"];
  const swapped = await run(["cohorts", "add", "ACME", "wave-3", ...source], "EXT-0000001\n");
  expect(swapped.code).toBe(0);
  expect(swapped.stderr).toContain("ACME is a supplier of your profiles, and wave-3 is not");
  expect(swapped.stderr).toContain("supplyline cohorts remove ACME --yes");
  expect(swapped.stderr).toContain("supplyline cohorts add wave-3 ACME --source -");
  const right = await run(["cohorts", "add", "wave-3", "ACME", ...source], "EXT-0000001\n");
  expect(right).toMatchObject({ code: 0, stderr: "" });
  const unlisted = await run(["cohorts", "add", "wave-3.other", "OTHER", ...source], "EXT-1\n");
  expect(unlisted).toMatchObject({ code: 0, stderr: "" });
});

test("a cohort is added from a file or standard input, shown, listed and removed", async () => {
  const file = join(folders.home, "wave.csv");
  await writeFile(file, "no,name\nEXT-0000001,a\nEXT-0000002,b\nEXT-0000001,c\n");
  const words = ["cohorts", "add", "wave", "ACME", "--source", file, "--column", "no"];
  const added = await run([...words, "--json"]);
  expect(added.code).toBe(0);
  expect(added.stderr).toContain("1 row of the list repeats an account or has no number");
  const entry = JSON.parse(added.stdout);
  expect(entry).toEqual({
    name: "wave",
    import_supplier: "ACME",
    accounts: 2,
    rows: 3,
    format: "csv",
    column: "no",
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    created_at: expect.stringMatching(/Z$/),
  });
  expect(await run(words)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("The cohort wave already exists"),
  });
  expect((await add("other", "EXT-0000003\n")).code).toBe(0);
  expect(JSON.parse((await run(["cohorts", "show", "wave", "--json"])).stdout)).toEqual(entry);
  const listed = JSON.parse((await run(["cohorts", "list", "--json"])).stdout);
  expect(listed).toMatchObject([{ name: "other", rows: 1, format: "text", column: null }, entry]);
  expect((await run(["cohorts", "list", "--format", "csv"])).stdout).toContain(
    "name,import_supplier,accounts,rows,format,column,sha256,created_at\nother,ACME,1,1,text,,",
  );
  expect((await run(["cohorts", "list"])).stdout).not.toContain(entry.sha256);
  expect(await run(["cohorts", "remove", "wave"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("needs to be confirmed"),
  });
  expect(await run(["cohorts", "remove", "wave", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect((await run(["cohorts", "show", "wave"])).code).toBe(2);
});

test("on a terminal the name is typed before a cohort is removed", async () => {
  await add("wave", "EXT-0000001\n");
  const first = await openConsole(["cohorts", "remove", "wave"], { folders });
  await first.waitFor("To go ahead, type wave:");
  first.send("wav\n");
  expect((await first.exit).code).toBe(2);
  expect(first.text()).toContain("Nothing was removed");
  const second = await openConsole(["cohorts", "remove", "wave"], { folders });
  await second.waitFor("To go ahead, type wave:");
  second.send("wave\n");
  expect((await second.exit).code).toBe(0);
  expect((await run(["cohorts", "list", "--json"])).stdout.trim()).toBe("[]");
});

test.each([
  [["a/b"], "1 to 64 letters"],
  [
    ["ok", "--column", "nope"],
    "Its columns: external_account_number, name. Choose one with --column.",
  ],
])("a cohort that cannot be added: %j", async (words, message) => {
  const [name = "", ...more] = words;
  const { code, stdout, stderr } = await add(name, "external_account_number,name\nA,b\n", more);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("a cohort whose list was changed is refused wherever it is used", async () => {
  await add("wave", "EXT-0000001\nEXT-0000002\n");
  await alterCohort(folders.state, "wave", "EXT-0000001\n");
  const uses = [
    ["cohorts", "show", "wave"],
    ["accounts", "list", "ACME", "--filter", "cohort:wave"],
    ["accounts", "watch", "ACME", "--cohort", "wave"],
  ];
  for (const use of uses)
    expect(await run(use)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("its SHA-256 differs"),
    });
  const asJson = await run(["cohorts", "show", "wave", "--json"]);
  expect(JSON.parse(asJson.stderr).error).toMatchObject({ kind: "cohort-changed" });
});

test("accounts are filtered by the cohorts they are in", async () => {
  await add("one", "EXT-0000001\nEXT-Ωé-0000013\nNOPE\n");
  await add("two", '["EXT-0000001", "EXT-0000002"]');
  const list = async (filter: string) => {
    const words = ["accounts", "list", "ACME", "--json", "--filter", filter];
    const { code, stdout } = await run(words);
    expect(code).toBe(0);
    return JSON.parse(stdout).map(
      (row: { external_account_number: string }) => row.external_account_number,
    );
  };
  expect(await list("cohort:one")).toEqual(["EXT-0000001", "EXT-Ωé-0000013"]);
  expect(await list("cohort:two !cohort:one")).toEqual(["EXT-0000002"]);
  expect(await run(["accounts", "list", "ACME", "--filter", "cohort:onE"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("There is no cohort onE, did you mean one"),
  });
  expect(await run(["accounts", "list", "NORTH", "--filter", "cohort:one"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("The cohort one is of supplier ACME, not of NORTH"),
  });
});

test("a cohort is watched by lists, however small it is", async () => {
  await add("done", "EXT-0000001\nEXT/0000011\n");
  const watch = ["accounts", "watch", "ACME", "--json", "--cohort"];
  const { code, stdout, stderr } = await run([...watch, "done"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  await add("mixed", "EXT-0000001\n..\nNOPE\n");
  const mixed = await run([...watch, "mixed"]);
  expect(mixed.code).toBe(5);
  expect(mixed.stderr.trimEnd().split("\n")).toHaveLength(2);
  expect(await run([...watch, "done", "EXT-0000001"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--cohort names all the accounts"),
  });
  expect((await run([...watch, "nope"])).code).toBe(2);
});

test("each complete list of a watch is recorded as an observation", async () => {
  await add("done", "EXT-0000001\n");
  await run(["accounts", "watch", "ACME", "--cohort", "done"]);
  const words = ["accounts", "list", "ACME", "--ages", "--json", "--filter", "ext:EXT-0000004"];
  const [row] = JSON.parse((await run(words)).stdout);
  const second = JSON.parse((await run(words)).stdout)[0];
  expect(row.first_seen_at).toMatch(/Z$/);
  expect(second.first_seen_at).toBe(row.first_seen_at);
});

test("names of cohorts are completed", async () => {
  await add("wave-1", "A\n");
  await add("wave-2", "A\n");
  const offered = async (...words: string[]) =>
    (await run(["complete", "--", ...words])).stdout.trimEnd().split("\n");
  expect(await offered("cohorts", "show", "w")).toEqual(["wave-1", "wave-2"]);
  expect(await offered("accounts", "watch", "ACME", "--cohort", "")).toEqual(["wave-1", "wave-2"]);
  expect(await offered("cohorts", "add", "x", "ACME", "--source", "")).toEqual([":files"]);
});

test("reconcile compares a cohort as it does its file, and verifies it first", async () => {
  const text = "no\nEXT-0000001\nEXT-0000004\nEXT-0000001\n";
  await add("wave", text, ["--column", "no"]);
  const compared = await run(["reconcile", "ACME", "--cohort", "wave", "--json"]);
  const file = join(folders.home, "wave.csv");
  await writeFile(file, text);
  const { stdout } = await run(["reconcile", "ACME", "--source", file, "--column", "no", "--json"]);
  expect(compared.code).toBe(10);
  const rows = ({ rows }: { rows: { pending_since?: string }[] }) =>
    rows.map(({ pending_since, ...row }) => row);
  expect(rows(JSON.parse(compared.stdout))).toEqual(rows(JSON.parse(stdout)));
  expect(rows(JSON.parse(stdout))).toMatchObject([
    { line: 2, class: "imported" },
    { line: 3, class: "pending" },
    { line: 4, class: "duplicate", first_line: 2 },
  ]);
  await alterCohort(folders.state, "wave", "no\nEXT-0000002\n");
  const changed = await run(["reconcile", "ACME", "--cohort", "wave"]);
  expect([changed.code, changed.stdout]).toEqual([2, ""]);
});

test.each([
  [["--source", "wave.csv"], "--cohort and --source exclude each other"],
  [["--column", "no"], "--cohort and --column exclude each other"],
])("reconcile takes a cohort without %j", async (more, message) => {
  const { code, stderr } = await run(["reconcile", "ACME", "--cohort", "wave", ...more]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  [["open", "--cohort", "wave"], "--cohort needs the supplier before it"],
  [["open", "ACME", "EXT-1", "--cohort", "wave"], "exclude each other"],
  [["open", "ACME", "--supply-point", "SP-1", "--cohort", "wave"], "exclude each other"],
  [["open", "ACME", "--cohort", "nope"], "There is no cohort nope"],
  [["open", "DONE", "--cohort", "wave"], "of supplier ACME, not of DONE"],
])("%j ends with 2 before the console opens", async (words, message) => {
  await add("wave", "EXT-0000001\n");
  expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
