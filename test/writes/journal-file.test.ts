/**
 * Promise: what was reported as recorded can be found again. A journal whose file was taken away or
 * replaced is not written on to, and what is moved away takes its newest entries with it.
 */

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import { submit } from "../../src/writes/submit.ts";
import { hurriedClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { openService } from "../helpers/service.ts";
import { contextFor, hurried, instruction, journalIn, notes } from "./writing.ts";

const files = ["", "-wal", "-shm"];

const takenAway: Readonly<Record<string, (path: string) => void>> = {
  deleted: (path) => {
    for (const end of files) rmSync(path + end, { force: true });
  },
  moved: (path) => {
    for (const end of files) renameSync(path + end, `${path}.elsewhere${end}`);
  },
  replaced: (path) => {
    rmSync(path);
    writeFileSync(path, "", { mode: 0o600 });
  },
};

describe.each(Object.entries(takenAway))(
  "a journal that is %s while it is in use",
  (_what, take) => {
    test("refuses a write before it is sent, and says why", async () => {
      const server = await openService({});
      const context = await contextFor(server.baseUrl);
      take(context.journal.path);
      await expect(submit(context, notes("one"), hurried().options)).rejects.toMatchObject({
        kind: "failing",
        message: expect.stringMatching(/deleted, moved or replaced while it was in use/),
      });
      expect(server.received).toEqual([]);
    });

    test("after a write was sent: its outcome is unknown, because no reader will find it confirmed", async () => {
      const body = { service_account_number: "A-1", reference: "R-1" };
      const server = await openService({ writes: [{ status: 201, body }] });
      const context = await contextFor(server.baseUrl, { clock: hurriedClock() });
      server.onRequest = () => take(context.journal.path);
      const result = await submit(context, instruction(), hurried().options);
      expect(result).toMatchObject({
        outcome: "unknown",
        reason: "not-recorded",
        journalError: { kind: "failing" },
      });
      expect(server.writes()).toHaveLength(1);
    });
  },
);

test("a later version that takes the journal over while it is in use ends the writing of this one", async () => {
  const server = await openService({});
  const context = await contextFor(server.baseUrl);
  const later = new DatabaseSync(context.journal.path);
  later.exec("PRAGMA user_version = 99");
  later.close();
  await expect(submit(context, notes("one"), hurried().options)).rejects.toMatchObject({
    kind: "too-new",
  });
  expect(server.received).toEqual([]);
});

test("what was sent before a later version took the journal over is still written down", async () => {
  const body = { service_account_number: "A-1", reference: "R-1" };
  const server = await openService({ writes: [{ status: 201, body }] });
  const context = await contextFor(server.baseUrl);
  server.onRequest = () => {
    const later = new DatabaseSync(context.journal.path);
    later.exec("PRAGMA user_version = 99");
    later.close();
  };
  const result = await submit(context, instruction(), hurried().options);
  expect(result).toMatchObject({ outcome: "confirmed", journalError: null });
});

test("the command that moves a damaged journal away takes its newest entries along", async () => {
  const killed = journalFolder();
  const where = journalFolder();
  await (await openJournal({ folder: where })).close();
  const journal = await journalIn(where);
  await journal.commit((rows) => rows.run("INSERT INTO claim VALUES ('newest', 1, '', 1)"));
  const path = join(killed, "journal.sqlite");
  // What a process that was killed leaves: the commit stands in the write-ahead log alone.
  for (const end of files) copyFileSync(journal.path + end, path + end);
  copyFileSync(path, `${path}.before`);
  truncateSync(path, 4096);
  const error = await openJournal({ folder: killed }).then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ kind: "corrupt" });
  execFileSync("sh", ["-ec", error.facts.fix]);
  for (const end of files) expect(existsSync(path + end)).toBe(false);
  await (await openJournal({ folder: killed })).close();
  renameSync(`${path}.before`, `${path}.damaged`);
  const kept = new DatabaseSync(`${path}.damaged`);
  expect(kept.prepare("SELECT lane FROM claim").all()).toMatchObject([{ lane: "newest" }]);
  kept.close();
});

test("the wait for a journal that another process does not let go of can be given up", async () => {
  const where = journalFolder();
  const journal = await journalIn(where);
  const other = new DatabaseSync(journal.path);
  other.exec("BEGIN IMMEDIATE");
  const stop = new AbortController();
  const opening = openJournal({ folder: where, signal: stop.signal });
  const reason = new Error("changed my mind");
  setImmediate(() => stop.abort(reason));
  await expect(opening).rejects.toBe(reason);
  other.exec("COMMIT");
  other.close();
});

describe("a journal with a second name", () => {
  test("is refused under either name, and used again after the remedy", async () => {
    const [one, other] = [journalFolder(), journalFolder()];
    const first = await openJournal({ folder: one });
    await first.commit((rows) => rows.run("INSERT INTO claim VALUES ('newest', 1, '', 1)"));
    await first.close();
    linkSync(join(one, "journal.sqlite"), join(other, "journal.sqlite"));
    for (const where of [one, other])
      await expect(openJournal({ folder: where })).rejects.toMatchObject({
        kind: "exposed",
        message: expect.stringContaining("second name elsewhere (a hard link)"),
      });
    const { facts } = await openJournal({ folder: one }).catch((error) => error);
    execFileSync("sh", ["-ec", facts.fix]);
    for (const where of [one, other]) {
      const journal = await openJournal({ folder: where });
      expect(journal.read((rows) => rows.all("SELECT lane FROM claim"))).toEqual([
        { lane: "newest" },
      ]);
      await journal.close();
    }
  });

  test("is refused where an empty file was planted", async () => {
    const [one, other] = [journalFolder(), journalFolder()];
    const planted = join(other, "planted");
    writeFileSync(planted, "", { mode: 0o600 });
    linkSync(planted, join(one, "journal.sqlite"));
    await expect(openJournal({ folder: one })).rejects.toMatchObject({ kind: "exposed" });
    expect(readFileSync(planted)).toHaveLength(0);
  });
});
