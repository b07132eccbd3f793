import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cohorts, openCohorts } from "../../../src/triage/cohorts/cohorts.ts";
import { type Folders, openFolders } from "../../helpers/folders.ts";
import { openSmallDisk } from "../../helpers/small-disk.ts";

const now = Date.parse("2026-11-22T18:00:00Z");

let folders: Folders;
let cohorts: Cohorts;
beforeEach(async () => {
  folders = await openFolders();
  cohorts = openCohorts(folders.state);
});
afterEach(() => folders[Symbol.asyncDispose]());

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
const fileOf = (name: string, file: string) => join(folders.state, "cohorts", name, file);

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
    expect(await readFile(fileOf("wave-3", "source"), "utf8")).toBe(text);
    expect(await cohorts.describe("wave-3")).toEqual(cohort);
    const read = await cohorts.read("wave-3", "ACME");
    expect(read.cohort).toEqual(cohort);
    expect([...read.numbers.numbers()]).toEqual(["A", "B"]);
    expect(read.source.rows).toBe(4);
    expect(await cohorts.list()).toEqual({ cohorts: [cohort], problems: [] });
  });

  test("is read in the same way without the name of its file", async () => {
    await add("csv", "external_account_number\nA\n", { from: "wave.csv" });
    await add("plain", "external\nA\n");
    expect([...(await cohorts.read("csv", "ACME")).numbers.numbers()]).toEqual(["A"]);
    expect([...(await cohorts.read("plain", "ACME")).numbers.numbers()]).toEqual(["external", "A"]);
  });

  test("and its files are its owner's alone", async () => {
    await add("one");
    const modes = await Promise.all(
      [
        folders.state,
        join(folders.state, "cohorts"),
        join(folders.state, "cohorts", "one"),
        fileOf("one", "source"),
        fileOf("one", "cohort.json"),
      ].map(async (path) => ((await stat(path)).mode & 0o777).toString(8)),
    );
    expect(modes).toEqual(["700", "700", "700", "600", "600"]);
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
    expect(await readdir(join(folders.state, "cohorts"))).toEqual(["one"]);
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
    ["", "holds no account number"],
    ["\n\n", "holds no account number"],
    ["external_account_number\n\n", "holds no account number"],
    ["[1, 2]", "holds no account number"],
    ["{", "holds no account number"],
  ])("of the list %j is refused", async (text, words) => {
    await expect(add("one", text)).rejects.toThrow(words);
    expect(await cohorts.names()).toEqual([]);
  });
});

describe("what is stored", () => {
  test("is compared with its SHA-256 at each use", async () => {
    await add("one");
    await cohorts.read("one", "ACME");
    await writeFile(fileOf("one", "source"), "A\nC\n");
    await expect(cohorts.read("one", "ACME")).rejects.toMatchObject({
      kind: "changed",
      facts: { remedy: expect.stringContaining("supplyline cohorts remove one") },
    });
  });

  test.each([
    ["not JSON", "{", "damaged"],
    ["another shape", "{}", "damaged"],
    ["another name", (text: string) => text.replace('"one"', '"two"'), "damaged"],
    ["no count of rows", (text: string) => text.replace('"rows":2', '"rows":-2'), "damaged"],
    ["an unknown format", (text: string) => text.replace('"text"', '"xlsx"'), "damaged"],
    ["no time", (text: string) => text.replace("2026-11-22T18", "never"), "damaged"],
    ["a later version", (text: string) => text.replace('"version":1', '"version":2'), "too-new"],
  ])(
    "with a description that is %s is reported, and the others are listed",
    async (_, to, kind) => {
      await add("one");
      const two = await add("zwei");
      const path = fileOf("one", "cohort.json");
      const before = await readFile(path, "utf8");
      await writeFile(path, typeof to === "string" ? to : to(before));
      await expect(cohorts.read("one", "ACME")).rejects.toMatchObject({ kind });
      const { cohorts: listed, problems } = await cohorts.list();
      expect(listed).toEqual([two]);
      expect(problems).toMatchObject([{ kind }]);
      await cohorts.remove("one");
      expect(await cohorts.names()).toEqual(["zwei"]);
    },
  );

  test.each(["source", "cohort.json"])("without the file %s is damaged", async (file) => {
    await add("one");
    await rm(fileOf("one", file));
    await expect(cohorts.read("one", "ACME")).rejects.toMatchObject({ kind: "damaged" });
  });

  test("and open to others is not used", async () => {
    await add("one");
    await chmod(fileOf("one", "source"), 0o644);
    await expect(cohorts.read("one", "ACME")).rejects.toMatchObject({
      kind: "exposed",
      facts: { fix: expect.stringMatching(/^chmod 600/) },
    });
  });

  test("is named in a hint where a name is mistyped", async () => {
    await add("wave-3");
    await expect(cohorts.describe("wave3")).rejects.toMatchObject({
      message: "there is no cohort wave3, did you mean wave-3",
    });
  });

  test("does not include what a killed process left, which is removed after an hour", async () => {
    await add("one");
    const [old, young] = ["old", "young"].map((name) =>
      join(folders.state, "cohorts", `.${name}.1.part`),
    ) as [string, string];
    for (const path of [old, young]) {
      await mkdir(path);
      await writeFile(join(path, "source"), "A\n");
    }
    await utimes(old, now / 1_000 - 7_200, now / 1_000 - 7_200);
    await utimes(young, now / 1_000, now / 1_000);
    expect(await cohorts.names()).toEqual(["one"]);
    await add("two");
    expect(await readdir(join(folders.state, "cohorts"))).toEqual([".young.1.part", "one", "two"]);
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
  expect(await readdir(join(small.path, "state", "cohorts"))).toEqual(["one"]);
  small.makeReadOnly();
  await expect(
    there.add({ ...cohort, name: "two", bytes: Buffer.from("A\n") }),
  ).rejects.toMatchObject({ kind: "unwritable", message: expect.stringContaining("read-only") });
  await expect(there.remove("one")).rejects.toMatchObject({ kind: "unwritable" });
  expect((await there.read("one", "ACME")).cohort.rows).toBe(1);
});
