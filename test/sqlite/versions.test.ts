/** Promise: an older file is brought up to date with all its rows, a newer one is left as it is. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { currentVersion } from "../../src/sqlite/check-file.ts";
import type { FileKind } from "../../src/sqlite/file-error.ts";
import { openFile } from "../../src/sqlite/open-file.ts";
import { openFileToRead } from "../../src/sqlite/open-to-read.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { observationsKind } from "../../src/triage/observations/schema.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { rowTriggers } from "../../src/writes/journal/first-tables.ts";
import { openJournal, openJournalToRead } from "../../src/writes/journal/open-journal.ts";
import { journalKind } from "../../src/writes/journal/schema.ts";
import { submit } from "../../src/writes/submit.ts";
import { batchOf, type Row } from "../accounts/rows.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openService } from "../helpers/service.ts";
import { openSmallDisk } from "../helpers/small-disk.ts";
import { contextFor, hurried, notes } from "../writes/writing.ts";

const origin = "https://service.example";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-versions-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const nextVersion = (kind: FileKind): FileKind => ({
  ...kind,
  steps: [...kind.steps, "CREATE TABLE of_the_next_version (a TEXT) STRICT;"],
});

async function openProcess(folder: string, clock = fakeClock()) {
  const observations = await openObservations({ folder, origin, clock, recording: true });
  onTestFinished(() => observations.close());
  const observe = async (...rows: Row[]) => {
    await clock.advance(3_600_000);
    const recorder = observations.begin("ACME", clock.now());
    recorder.take(batchOf(rows));
    return recorder.finish();
  };
  const gone = async () => {
    const ages = await observations.ages("ACME");
    return ages === null ? null : [...ages.gone()].map(({ external }) => external);
  };
  return { clock, observations, observe, gone };
}

/** Takes a journal back to version 0.3.0. */
function downgrade(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`DROP TRIGGER attempt_raises_position; DROP TABLE identity; DROP TABLE repair;
    DROP TABLE override; DROP TABLE run_override; DROP INDEX intent_held;
    DROP TRIGGER team_claim_follows_intent; DROP TRIGGER team_claim_follows_new_item;
    DROP TRIGGER team_claim_follows_item; DROP TRIGGER team_claim_follows_block;
    DROP TABLE team_claim; DROP TABLE team_ledger; DROP TABLE team_self;
    DROP TABLE team_joined; DROP TABLE team_left; DROP TABLE team_bar;
    DROP TRIGGER item_key_outlives_intent;
    DROP TRIGGER run_row_follows_intent; DROP TRIGGER run_row_follows_new_item;
    DROP TRIGGER run_row_follows_item; ${rowTriggers(() => "'rejected'")}
    ALTER TABLE intent DROP COLUMN barred_by; ALTER TABLE intent DROP COLUMN took_effect;
    CREATE TRIGGER item_key_outlives_intent BEFORE DELETE ON intent BEGIN SELECT 1; END;
    PRAGMA user_version = ${journalKind.firstVersion}`);
  database.close();
}

/** Takes observations back to the version before: its lists had other tables. */
function asBefore(folder: string): void {
  const database = new DatabaseSync(join(folder, observationsKind.file));
  database.exec("DROP TABLE snapshot; CREATE TABLE part (list INTEGER, bytes BLOB) STRICT");
  database.exec(`PRAGMA user_version = ${currentVersion(observationsKind) - 1}`);
  database.close();
}

describe("observations", () => {
  test("of the version before start again, and what was seen of accounts stays", async () => {
    const folder = temporaryFolder();
    const before = await openProcess(folder);
    await before.observe(["A"], ["LOST"]);
    const subject = { kind: "account", supplier: "ACME", number: "A" } as const;
    before.observations.saw(subject, "UNKNOWN", before.clock.now());
    await before.observations.close();
    asBefore(folder);
    const { observations, observe, gone } = await openProcess(folder, before.clock);
    expect(await gone()).toBeNull();
    expect(await observations.timeline(subject)).toHaveLength(1);
    await observe(["A"], ["LOST"]);
    expect(await observe(["A"])).toMatchObject({ kind: "recorded", changes: 1 });
    expect(await gone()).toEqual(["LOST"]);
  });

  test("of the version before, on a disk that cannot be written, are none", async (context) => {
    using disk = openSmallDisk();
    if (disk === null) return context.skip();
    const before = await openProcess(disk.path);
    await before.observe(["A"], ["LOST"]);
    await before.observations.close();
    asBefore(disk.path);
    disk.makeReadOnly();
    const { observations, observe, gone } = await openProcess(disk.path, before.clock);
    expect(await observe(["A"])).toMatchObject({ kind: "off", why: expect.any(String) });
    expect(await gone()).toBeNull();
    await observations.close();
  });

  test("that a later version takes over are not written any more, and lists go on", async () => {
    const folder = temporaryFolder();
    const { clock, observations, observe, gone } = await openProcess(folder);
    await observe(["A"], ["LOST"]);
    const later = await openFile(folder, nextVersion(observationsKind));
    const rows = () => later.database.prepare("SELECT count(*) AS n FROM observation").get();
    expect(rows()).toEqual({ n: 1 });
    const words = /was made by a later version of supplyline/;
    expect(await observe(["A"])).toMatchObject({ kind: "off", why: expect.stringMatching(words) });
    expect(rows()).toEqual({ n: 1 });
    observations.saw({ kind: "account", supplier: "ACME", number: "A" }, "UNKNOWN", clock.now());
    await expect(gone()).rejects.toThrow(words);
    await observe(["A"], ["B"]);
    expect(await gone()).toEqual([]);
    await observations.close();
    later.database.close();
  });
});

describe.each([
  ["observations", observationsKind],
  ["journal", journalKind],
])("a file of a later version: %s", (_, kind) => {
  test.each(["wal", "delete"])("in the journal mode %s is left as it is", async (mode) => {
    const folder = temporaryFolder();
    const { database, path } = await openFile(folder, nextVersion(kind));
    database.exec(`PRAGMA journal_mode = ${mode}`);
    database.close();
    const whole = readFileSync(path);
    const { mtimeMs } = statSync(path);
    await expect(openFile(folder, kind)).rejects.toThrow();
    await expect(openFileToRead(folder, kind)).rejects.toThrow();
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
  });
});

test("a file of a version that was never published is refused with a remedy, and left as it is", async () => {
  const folder = temporaryFolder();
  const { database, path } = await openFile(folder, journalKind);
  database.exec(`PRAGMA user_version = ${journalKind.firstVersion - 1}`);
  database.close();
  const whole = readFileSync(path);
  const refusal = { kind: "corrupt", facts: { fix: expect.stringContaining("mv ") } };
  for (const open of [openFile, openFileToRead])
    await expect(open(folder, journalKind)).rejects.toMatchObject(refusal);
  expect(readFileSync(path).equals(whole)).toBe(true);
});

describe("the journal", () => {
  const created = { status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] };

  test("of the version before keeps its entries, also where it can only be read", async () => {
    const server = await openService({ writes: [created] });
    const folder = temporaryFolder();
    const context = await contextFor(server.baseUrl, { folder });
    await submit(context, notes("one"), hurried().options);
    await context.journal.close();
    const path = join(folder, journalKind.file);
    downgrade(path);
    const whole = readFileSync(path);
    chmodSync(path, 0o400);
    const reading = await openJournalToRead({ folder }, async () => {});
    expect(listActivity(reading.journal)).toMatchObject([{ outcome: "confirmed" }]);
    await reading.journal.close();
    if (process.getuid?.() !== 0) expect(readFileSync(path).equals(whole)).toBe(true);
    chmodSync(path, 0o600);
    const journal = await openJournal({ folder });
    expect(listActivity(journal)).toMatchObject([{ outcome: "confirmed" }]);
    await journal.close();
  });
});
