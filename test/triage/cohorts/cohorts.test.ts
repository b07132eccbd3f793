import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cohorts, openCohorts } from "../../../src/triage/cohorts/cohorts.ts";
import { type Folders, openFolders } from "../../helpers/folders.ts";
import { openSmallDisk } from "../../helpers/small-disk.ts";
import { alterCohort } from "../../helpers/state.ts";

const now = Date.parse("2026-11-22T18:00:00Z");

let folders: Folders;
let cohorts: Cohorts;
beforeEach(async () => {
  folders = await openFolders();
  cohorts = openCohorts(folders.state);
});

const add = (name: string, text = "A\nB\n", more: Partial<Parameters<Cohorts["add"]>[0]> = {}) =>
  cohorts.add({
    name,
    supplier: "ACME",
    bytes: Buffer.from(text),
    from: "list.txt",
    column: null,
    now,
    ...more,
  });

describe("a cohort", () => {
  test("is stored with the bytes of its list, and found by its name", async () => {
    const text = "\ufeffid;no\n1; A \n2;B\n3;A\n4;\n";
    const cohort = await add("wave-3", text, { column: "no" });
    expect(cohort).toEqual({
      name: "wave-3",
      supplier: "ACME",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      rows: 4,
      accounts: 2,
      column: "no",
      layout: "csv",
      createdAt: now,
    });
    expect(Buffer.from((await cohorts.read("wave-3", "ACME")).bytes).toString()).toBe(text);
    expect(await cohorts.describe("wave-3")).toEqual(cohort);
    const read = await cohorts.read("wave-3", "ACME");
    expect(read.cohort).toEqual(cohort);
    expect([...read.numbers.numbers()]).toEqual(["A", "B"]);
    expect(read.source.rows).toBe(4);
    expect(await cohorts.list()).toEqual([cohort]);
  });

  test("is read in the same way without the name of its file", async () => {
    await add("csv", "external_account_number\nA\n", { from: "wave.csv" });
    await add("plain", "external\nA\n");
    expect([...(await cohorts.read("csv", "ACME")).numbers.numbers()]).toEqual(["A"]);
    expect([...(await cohorts.read("plain", "ACME")).numbers.numbers()]).toEqual(["external", "A"]);
  });

  test("is never changed: its name is taken until it is removed", async () => {
    const before = await add("one");
    await expect(add("one", "C\n")).rejects.toMatchObject({ kind: "exists" });
    expect(await cohorts.describe("one")).toEqual(before);
    await cohorts.remove("one");
    await expect(cohorts.describe("one")).rejects.toMatchObject({ kind: "unknown" });
    await expect(cohorts.remove("one")).rejects.toMatchObject({ kind: "unknown" });
    expect((await add("one", "C\n")).rows).toBe(1);
  });

  test("that several processes add at once is added by one of them", async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        openCohorts(folders.state).add({
          name: "one",
          supplier: "ACME",
          bytes: Buffer.from(`A-${at}\n`),
          from: "list.txt",
          column: null,
          now,
        }),
      ),
    );
    const added = tries.filter((one) => one.status === "fulfilled").map(({ value }) => value);
    const failed = tries.filter((one) => one.status === "rejected").map(({ reason }) => reason);
    expect(added).toHaveLength(1);
    expect(failed).toHaveLength(7);
    for (const reason of failed) expect(reason).toMatchObject({ kind: "exists" });
    expect((await cohorts.read("one", "ACME")).cohort).toEqual(added[0]);
    expect(await cohorts.names()).toEqual(["one"]);
  });

  test("of another supplier is not used", async () => {
    await add("one");
    await expect(cohorts.read("one", "NORTH")).rejects.toMatchObject({
      kind: "supplier",
      message: "the cohort one is of supplier ACME, not of NORTH",
    });
  });

  test.each(["a", "Wave-3.1_b", "9", "x".repeat(64)])("can be called %s", async (name) => {
    expect((await add(name)).name).toBe(name);
  });

  test.each([
    "",
    ".",
    "..",
    ".one",
    "-one",
    "one.",
    "a b",
    "a/b",
    "a\\b",
    "a:b",
    "naïve",
    "a\n",
    "x".repeat(65),
  ])("cannot be called %j", async (name) => {
    await expect(add(name)).rejects.toMatchObject({ kind: "name" });
    await expect(cohorts.read(name, "ACME")).rejects.toMatchObject({ kind: "name" });
    await expect(cohorts.remove(name)).rejects.toMatchObject({ kind: "name" });
  });

  test.each([
    ["", "has no account number"],
    ["\n\n", "has no account number"],
    ["external_account_number\n\n", "has no account number"],
    ["[1, 2]", "has no account number"],
    ["{", "has no account number"],
  ])("of the list %j is refused", async (text, words) => {
    await expect(add("one", text)).rejects.toThrow(words);
    expect(await cohorts.names()).toEqual([]);
  });
});

describe("what is stored", () => {
  test("is compared with its SHA-256 at each use", async () => {
    await add("one");
    await cohorts.read("one", "ACME");
    await alterCohort(folders.state, "one", "A\nC\n");
    await expect(cohorts.read("one", "ACME")).rejects.toMatchObject({
      kind: "changed",
      facts: { remedy: expect.stringContaining("supplyline cohorts remove one") },
    });
  });

  test("and open to others is not used", async () => {
    await add("one");
    await chmod(join(folders.state, "state.sqlite"), 0o644);
    await expect(cohorts.read("one", "ACME")).rejects.toMatchObject({
      message: expect.stringContaining("state.sqlite"),
      facts: { fix: expect.stringMatching(/^chmod 600/) },
    });
    await expect(cohorts.list()).rejects.toThrow("state.sqlite");
  });

  test("leaves no account number on the disk when it is removed", async () => {
    await add("one", "EXT-0000001\n");
    await cohorts.remove("one");
    const left = await readFile(join(folders.state, "state.sqlite"));
    expect(left.includes("EXT-0000001")).toBe(false);
  });

  test("is named in a hint where a name is mistyped", async () => {
    await add("wave-3");
    await expect(cohorts.describe("wave3")).rejects.toMatchObject({
      message: "there is no cohort wave3, did you mean wave-3",
    });
  });
});

const disk = openSmallDisk();
test.skipIf(disk === null)("a full or read-only disk stores nothing, and says why", async () => {
  using small = disk as NonNullable<typeof disk>;
  const there = openCohorts(join(small.path, "state"));
  const cohort = { supplier: "ACME", from: "list", column: null, now };
  await there.add({ ...cohort, name: "one", bytes: Buffer.from("A\n") });
  const big = Buffer.from("EXT-0000001\n".repeat(200_000));
  await expect(there.add({ ...cohort, name: "big", bytes: big })).rejects.toMatchObject({
    kind: "unwritable",
    message: expect.stringContaining("no space left"),
  });
  expect(await there.names()).toEqual(["one"]);
  small.makeReadOnly();
  await expect(
    there.add({ ...cohort, name: "two", bytes: Buffer.from("A\n") }),
  ).rejects.toMatchObject({ kind: "unwritable", message: expect.stringContaining("read-only") });
  await expect(there.remove("one")).rejects.toMatchObject({ kind: "unwritable" });
  expect((await there.read("one", "ACME")).cohort.rows).toBe(1);
});
