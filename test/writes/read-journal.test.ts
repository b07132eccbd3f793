/** Promise: what was recorded can be read on a disk that takes nothing any more. */

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileError } from "../../src/sqlite/file-error.ts";
import { probeWriting } from "../../src/text/disk-words.ts";
import {
  type Journal,
  openJournal,
  openJournalToRead,
} from "../../src/writes/journal/open-journal.ts";
import { journalKind } from "../../src/writes/journal/schema.ts";
import { journalFolder } from "../helpers/folders.ts";
import { openSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";

/** The folder of the copies, which no other test uses. */
let copies = "";
const { TMPDIR: sharedFolder } = process.env;
beforeEach(() => {
  copies = mkdtempSync(join(tmpdir(), "supplyline-test-"));
  process.env.TMPDIR = copies;
});
afterEach(() => {
  rmSync(copies, { recursive: true, force: true });
  if (sharedFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = sharedFolder;
});

const copiesLeft = () =>
  readdirSync(copies).filter((name) => name.startsWith("supplyline-reading-"));

const lanes = "SELECT lane FROM claim ORDER BY lane";

/** A journal with one entry in its main file and, where asked for, one in its log alone. */
async function journalOn(disk: SmallDisk, inLog: boolean): Promise<string> {
  const made = journalFolder();
  const journal = await openJournal({ folder: made });
  await journal.commit((rows) => rows.run("INSERT INTO claim VALUES ('first', 1, '', 1)"));
  await journal.close();
  const again = await openJournal({ folder: made });
  if (inLog)
    await again.commit((rows) => rows.run("INSERT INTO claim VALUES ('newest', 1, '', 1)"));
  const state = join(disk.path, "state");
  mkdirSync(state, { mode: 0o700 });
  // What a process that was killed leaves, without the shared memory that the next one makes.
  for (const end of inLog ? ["", "-wal"] : [""])
    copyFileSync(`${again.path}${end}`, join(state, `journal.sqlite${end}`));
  await again.close();
  return state;
}

const states = [
  ["full", (disk: SmallDisk) => disk.fill(), "there is no space left on the disk"],
  ["read-only", (disk: SmallDisk) => disk.makeReadOnly(), "the disk is read-only"],
] as const;

describe.each(states)("on a disk that is %s", (kind, make, words) => {
  test.each([
    ["closed", false, ["first"]],
    ["left by a killed process", true, ["first", "newest"]],
  ])("a journal that was %s is read whole, and refuses to record", async (_, inLog, expected) => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const state = await journalOn(disk, inLog);
    make(disk);
    const { journal, onlyRead } = await openJournalToRead({ folder: state }, async () => {});
    expect(onlyRead).toMatchObject({ kind, facts: { remedy: "Nothing was sent." } });
    expect(onlyRead?.message).toBe(
      `Nothing can be recorded in ${join(state, "journal.sqlite")}: ${words}.`,
    );
    expect(journal.read((rows) => rows.all(lanes)).map(({ lane }) => lane)).toEqual(expected);
    await expect(journal.commit((rows) => rows.run("DELETE FROM claim"))).rejects.toMatchObject({
      kind,
    });
    await journal.close();
    expect(copiesLeft()).toEqual([]);
  });

  test("a journal whose entries can be settled nowhere is read and marked", async () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const state = await journalOn(disk, true);
    make(disk);
    const failing = (journal: Journal) =>
      journal.commit(() => {
        throw fileError(journalKind, "full", journal.path, "no space");
      });
    const { journal, isUnsettled } = await openJournalToRead({ folder: state }, failing);
    expect(isUnsettled).toBe(true);
    expect(journal.read((rows) => rows.all(lanes))).toHaveLength(2);
    await journal.close();
    expect(copiesLeft()).toEqual([]);
  });

  test("a journal to record in is refused by name, also where its folder does not exist", async () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const state = await journalOn(disk, true);
    make(disk);
    for (const where of [state, join(disk.path, "not", "there")])
      await expect(openJournal({ folder: where })).rejects.toMatchObject({
        kind,
        message: expect.stringMatching(new RegExp(`^Nothing can be recorded in .*: ${words}\\.$`)),
      });
  });

  test("a missing journal reads as empty and is not created", async () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    make(disk);
    const state = join(disk.path, "state");
    const { journal, onlyRead } = await openJournalToRead({ folder: state }, async () => {});
    expect(onlyRead).toMatchObject({ kind });
    expect(journal.read((rows) => rows.all(lanes))).toEqual([]);
    await journal.close();
    const made = statSync(join(state, "journal.sqlite"), { throwIfNoEntry: false });
    expect(made?.size ?? 0).toBe(0);
  });

  test("a small file cannot be written, and none is left behind", () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    make(disk);
    const before = readdirSync(disk.path);
    expect(probeWriting(disk.path)).toBe(kind === "full" ? "ENOSPC" : "EROFS");
    expect(readdirSync(disk.path)).toEqual(before);
  });
});

test("a journal that another version made is not read as if it were whole", async () => {
  const where = journalFolder();
  await (await openJournal({ folder: where })).close();
  const later = new DatabaseSync(join(where, "journal.sqlite"));
  later.exec("PRAGMA user_version = 99");
  later.close();
  await expect(openJournalToRead({ folder: where }, async () => {})).rejects.toMatchObject({
    kind: "too-new",
    facts: { remedy: null },
  });
});

test("a journal in memory records and reads, and leaves no file", async () => {
  const journal = await openJournal({ folder: null });
  await journal.commit((rows) => rows.run("INSERT INTO claim VALUES ('one', 1, '', 1)"));
  expect(journal.read((rows) => rows.all(lanes))).toEqual([{ lane: "one" }]);
  await journal.compact();
  await journal.close();
  const other = await openJournal({ folder: null });
  expect(other.read((rows) => rows.all(lanes))).toEqual([]);
  await other.close();
});
