import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isNetworkFilesystem } from "../../src/sqlite/private-file.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import { submit } from "../../src/writes/submit.ts";
import { hurriedClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { openService } from "../helpers/service.ts";
import { contextFor, hurried, journalIn, notes } from "./writing.ts";

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("who can read it", () => {
  test("the folder is 0700 and every file of the journal 0600, whatever the umask", async () => {
    const where = join(journalFolder(), "state");
    const before = process.umask(0);
    try {
      const journal = await journalIn(where);
      await journal.commit((rows) => rows.run("DELETE FROM claim"));
      expect(mode(where)).toBe("700");
      expect(journal.mode).toBe("wal");
      for (const end of ["", "-wal", "-shm"]) expect(mode(journal.path + end)).toBe("600");
    } finally {
      process.umask(before);
    }
  });

  test.each([
    ["the folder", "", "chmod 700"],
    ["the file", "journal.sqlite", "chmod 600"],
  ])(
    "%s open to others is refused, with the command that fixes it",
    async (_what, name, remedy) => {
      const where = journalFolder();
      await (await openJournal({ folder: where })).close();
      chmodSync(join(where, name), 0o755);
      const opening = openJournal({ folder: where });
      await expect(opening).rejects.toMatchObject({
        kind: "exposed",
        facts: { fix: expect.stringMatching(remedy) },
      });
    },
  );
});

describe("what kind of disk it is on", () => {
  test("a network file system gets a rollback journal in the place of WAL", async () => {
    const where = journalFolder();
    const journal = await openJournal({ folder: where, filesystem: () => 0x6969 });
    expect(journal.mode).toBe("delete");
    await journal.commit((rows) => rows.run("DELETE FROM claim"));
    expect(existsSync(`${journal.path}-wal`)).toBe(false);
    await journal.close();
  });

  test("NFS, SMB and CIFS are network file systems, ext4 and tmpfs are not", () => {
    const types = [0x6969, 0x517b, 0xff534d42, 0xff534d42 | 0, 0xef53, 0x01021994, null];
    expect(types.map(isNetworkFilesystem)).toEqual([true, true, true, true, false, false, false]);
  });

  test("every commit waits for the disk", async () => {
    const journal = await journalIn(journalFolder());
    const row = journal.read((rows) => rows.get("PRAGMA synchronous"));
    expect(row?.synchronous).toBe(2);
  });
});

describe("a journal that cannot be used", () => {
  test("a damaged file is reported, with its path and how to begin a new one", async () => {
    const where = journalFolder();
    const journal = await openJournal({ folder: where });
    const { path } = journal;
    await journal.commit((rows) => {
      for (let n = 0; n < 500; n++) {
        rows.run(
          "INSERT INTO remark (intent, at, kind, text) SELECT 1, 1, 'x', 'x' WHERE 0 = ?",
          n + 1,
        );
      }
    });
    await journal.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096, bytes.length);
    writeFileSync(path, bytes);
    await expect(openJournal({ folder: where })).rejects.toMatchObject({
      kind: "corrupt",
      facts: { path, fix: `mv ${path} ${path}.damaged` },
    });
  });

  test("a file that is no database is reported", async () => {
    const where = journalFolder();
    writeFileSync(join(where, "journal.sqlite"), "x".repeat(5000), { mode: 0o600 });
    await expect(openJournal({ folder: where })).rejects.toMatchObject({ kind: "corrupt" });
  });

  test("another program's database is not touched", async () => {
    const where = journalFolder();
    const path = join(where, "journal.sqlite");
    writeFileSync(path, "", { mode: 0o600 });
    const other = new DatabaseSync(path);
    other.exec("PRAGMA application_id = 7; CREATE TABLE theirs (a)");
    other.close();
    await expect(openJournal({ folder: where })).rejects.toMatchObject({ kind: "corrupt" });
  });

  test("one of a later version is left alone", async () => {
    const where = journalFolder();
    const journal = await openJournal({ folder: where });
    await journal.commit((rows) => rows.run("PRAGMA user_version = 99"));
    await journal.close();
    await expect(openJournal({ folder: where })).rejects.toMatchObject({ kind: "too-new" });
  });

  test("a folder that cannot be made is reported", async () => {
    const where = join(journalFolder(), "file");
    writeFileSync(where, "");
    await expect(openJournal({ folder: join(where, "state") })).rejects.toMatchObject({
      about: "journal",
    });
  });
});

describe("a journal that cannot be written", () => {
  test("read-only: the write is refused before it is sent, in plain words", async () => {
    const server = await openService({});
    const context = await contextFor(server.baseUrl);
    context.journal.read((rows) => rows.get("PRAGMA query_only = ON"));
    await expect(submit(context, notes("one"), hurried().options)).rejects.toMatchObject({
      kind: "read-only",
      message: expect.stringMatching(/Nothing can be recorded in .*journal.sqlite: .*read-only/),
    });
    expect(server.received).toEqual([]);
  });

  test("full: the write is refused before it is sent, and the journal goes on when there is room", async () => {
    const created = { status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] };
    const server = await openService({ writes: [created] });
    const context = await contextFor(server.baseUrl);
    const limit = (pages: number) =>
      context.journal.read((rows) => rows.get(`PRAGMA max_page_count = ${pages}`));
    limit(1);
    const large = notes("x".repeat(100_000));
    await expect(submit(context, large, hurried().options)).rejects.toMatchObject({ kind: "full" });
    expect(server.received).toEqual([]);
    expect(listActivity(context.journal)).toEqual([]);
    limit(1_000_000);
    expect((await submit(context, notes("one"), hurried().options)).outcome).toBe("confirmed");
  });

  test("a full disk after the response leaves the outcome unknown, with the reason", async () => {
    const answer = [{ body: "one", status: "NOTE_CREATION_SUCCESS", padding: "x".repeat(60_000) }];
    const server = await openService({ writes: [{ status: 201, body: answer }] });
    const context = await contextFor(server.baseUrl, { clock: hurriedClock() });
    server.onRequest = () => context.journal.read((rows) => rows.get("PRAGMA max_page_count = 1"));
    const result = await submit(context, notes("one"), hurried().options);
    expect(result).toMatchObject({
      outcome: "unknown",
      reason: "not-recorded",
      httpStatus: 201,
      journalError: { kind: "full" },
    });
    expect(listActivity(context.journal)).toMatchObject([{ outcome: "sending" }]);
  });

  test("a process that may write no more bytes refuses in the same way", async () => {
    const where = journalFolder();
    mkdirSync(join(where, "state"), { mode: 0o700 });
    const driver = join(import.meta.dirname, "driver.ts");
    const input = {
      folder: join(where, "state"),
      baseUrl: "http://127.0.0.1:9",
      writes: 1,
      size: 400_000,
    };
    // The signal that comes with the limit is ignored, so that the write itself fails.
    const script = `trap '' XFSZ; ulimit -f 150; exec "$0" "$1" "$2"`;
    const child = spawnSync(
      "bash",
      ["-c", script, process.execPath, driver, JSON.stringify(input)],
      { encoding: "utf8" },
    );
    expect(child.stdout).toMatch(/AppError (full|failing)/);
  });
});

describe("many at once", () => {
  test("work of one turn shares a commit; work that throws changes nothing and disturbs no other", async () => {
    const journal = await journalIn(journalFolder());
    const add = (kind: string, fails = false) =>
      journal.commit((rows) => {
        rows.run("INSERT INTO claim VALUES (?, 1, '', 1)", kind);
        if (fails) throw new Error("changed my mind");
        return kind;
      });
    const results = await Promise.allSettled([add("a"), add("b", true), add("c"), add("a")]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
    ]);
    const lanes = journal.read((rows) => rows.all("SELECT lane FROM claim ORDER BY lane"));
    expect(lanes.map(({ lane }) => lane)).toEqual(["a", "c"]);
  });

  test("another process that holds the journal for a moment is waited for", async () => {
    const where = journalFolder();
    const journal = await journalIn(where);
    const other = new DatabaseSync(journal.path);
    other.exec("BEGIN IMMEDIATE");
    const committing = journal.commit((rows) => rows.run("DELETE FROM claim"));
    setImmediate(() => setImmediate(() => other.exec("COMMIT")));
    await expect(committing).resolves.toBe(0);
    other.close();
  });

  test("after close nothing is recorded", async () => {
    const journal = await openJournal({ folder: journalFolder() });
    await journal.close();
    await expect(journal.commit(() => 1)).rejects.toMatchObject({ about: "journal" });
  });
});

test("node:sqlite is loaded when a journal is opened, not before", () => {
  const path = (name: string) =>
    JSON.stringify(join(import.meta.dirname, "../../src/writes", name));
  const script = `
    const loaded = () => String(process.moduleLoadList.includes("NativeModule sqlite"));
    await import(${path("open-writes.ts")});
    await import(${path("submit.ts")});
    console.log(loaded());
    const { openJournal } = await import(${path("journal/open-journal.ts")});
    await (await openJournal({ folder: ${JSON.stringify(journalFolder())} })).close();
    console.log(loaded());`;
  const args = ["--input-type=module", "-e", script];
  const out = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(out.trim().split("\n")).toEqual(["false", "true"]);
});
