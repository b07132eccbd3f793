import { readRunRows } from "../../src/bulk/rows.ts";
import { listRuns, readRun } from "../../src/bulk/runs.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { countActivity, listActivity } from "../../src/writes/activity.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { ownerText } from "../../src/writes/owner.ts";
import { recover } from "../../src/writes/recover.ts";
import { planResend, resend } from "../../src/writes/resend.ts";
import { applyRetention, bodyRetentionMs, entryRetentionMs } from "../../src/writes/retention.ts";
import { accountLockOf } from "../../src/writes/send/account-lock.ts";
import { submit } from "../../src/writes/submit.ts";
import { journalFolder } from "../helpers/folders.ts";
import { hurried, journalIn, notes } from "../writes/writing.ts";
import {
  accounts,
  bulkFor,
  carryOut,
  noteRequests,
  recordedRun,
  sandboxWith,
  target,
} from "./bulking.ts";

const dayMs = 86_400_000;

describe("other writes beside a run", () => {
  test("an account that another process writes to is waited for; the other accounts go on", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const opened = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const { self } = opened.process;
    const other = { ...self, pid: 1, startedAt: "1" };
    const life = { self, lifeOf: () => "alive" as const };
    const context = { ...opened, process: life };
    const { journal } = context;
    const run = await recordedRun(context, "notes", noteRequests(16));
    const lane = accountLockOf(baseUrl, target(accounts[2]));
    await journal.commit((rows) =>
      rows.run("INSERT INTO claim VALUES (?, 999, ?, ?)", lane, ownerText(other), Date.now()),
    );
    const settled: (string | null)[] = [];
    const end = await carryOut(context, run, {
      onRow: ({ externalAccountNumber }) => {
        settled.push(externalAccountNumber);
        if (settled.length !== 14) return;
        void journal.commit((rows) => rows.run("DELETE FROM claim WHERE intent = 999"));
      },
    });
    expect(end).toEqual({ kind: "ended" });
    expect(settled.slice(0, 14)).not.toContain(accounts[2]);
    expect(settled.slice(14)).toEqual([accounts[2], accounts[2]]);
    const lines = sandbox
      .ledger()
      .filter(({ identifier }) => identifier === accounts[2])
      .map(({ key }) => key);
    expect(lines).toEqual(["note 2", "note 10"]);
  });

  test("single writes of the same program find their turn while a run is going", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const where = journalFolder();
    const context = await bulkFor({ folder: where, baseUrl, apiKey });
    const beside = await bulkFor({ folder: where, baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(200));
    const results: Promise<{ readonly outcome: string }>[] = [];
    const end = await carryOut(context, run, {
      onRow: ({ line }) => {
        if (line % 20 !== 0) return;
        const { options } = hurried();
        results.push(submit(beside, notes(`beside ${line}`), options));
      },
    });
    expect(end).toEqual({ kind: "ended" });
    const outcomes = (await Promise.all(results)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 10 }, () => "confirmed"));
  });

  test("the run does not send a row that an operator has resent", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const { journal } = context;
    const run = await recordedRun(context, "notes", noteRequests(4));
    const [first] = readRunRows(journal, run);
    const id = first?.journalId ?? 0;
    expect(planResend(context, id)).toEqual({ kind: "safe" });
    expect((await resend(context, id, hurried().options)).outcome).toBe("confirmed");
    expect(readRun(context, run).counts).toMatchObject({ confirmed: 1, waiting: 3 });
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(showActivity(journal, id).attempts).toHaveLength(1);
    expect(sandbox.ledger()).toHaveLength(4);
  });
});

describe("a journal that cannot be written", () => {
  test("in the middle of a run: nothing more is sent, and a resumed run verifies the rest", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const where = journalFolder();
    const context = await bulkFor({ folder: where, baseUrl, apiKey });
    const { journal } = context;
    const run = await recordedRun(context, "notes", noteRequests(100));
    let full = false;
    const failing: typeof journal = {
      ...journal,
      commit: (work) =>
        full
          ? Promise.reject(
              new AppError("journal", "full", "the disk is full", { path: journal.path }),
            )
          : journal.commit(work),
    };
    const end = await carryOut({ ...context, journal: failing }, run, {
      onRow: ({ line }) => {
        full ||= line > 30;
      },
    });
    expect(end).toMatchObject({ kind: "journal", error: { kind: "full" } });
    expect(sandbox.ledger().length).toBeLessThan(60);
    // As a process that starts later finds it.
    const later = await bulkFor({ folder: where, baseUrl, apiKey });
    const dead = { ...later.process, lifeOf: () => "dead" as const };
    await journal.commit((rows) =>
      rows.run("UPDATE run SET renewed_at = 0, owner = ? WHERE owner IS NOT NULL", '[1,"1","",""]'),
    );
    await journal.commit((rows) =>
      rows.run("UPDATE intent SET owner = ? WHERE owner IS NOT NULL", '[1,"1","",""]'),
    );
    await journal.commit((rows) => rows.run("UPDATE claim SET owner = ?", '[1,"1","",""]'));
    const writes = { ...later, process: dead };
    expect(await carryOut(writes, run)).toEqual({ kind: "ended" });
    expect(readRun(writes, run).counts).toMatchObject({ waiting: 0, sending: 0, unknown: 0 });
    expect(new Set(sandbox.ledger().map(({ key }) => key)).size).toBe(100);
    expect(sandbox.ledger()).toHaveLength(100);
  });
});

describe("a journal with long runs in it", () => {
  test("waiting rows of a run are not recovered at the next start", async () => {
    const context = await bulkFor({ folder: journalFolder(), baseUrl: "http://127.0.0.1:9" });
    const { journal } = context;
    const run = await recordedRun(context, "notes", noteRequests(300));
    const dead = { ...context.process, lifeOf: () => "dead" as const };
    expect(await recover(journal, dead, Date.now())).toEqual({ unknown: [], unsent: [] });
    expect(readRun(context, run).counts.waiting).toBe(300);
    expect(listActivity(journal, { run, limit: 1 })).toMatchObject([{ outcome: "unsent", run }]);
    expect(countActivity(journal, { outcomes: ["unknown", "retryable"] })).toBe(0);
    expect(countActivity(journal, { outcomes: ["unsent"] })).toBe(300);
  });

  test("open entries are found by their index, however many rows wait", async () => {
    const journal = await journalIn(journalFolder());
    const asked: string[] = [];
    const watching: typeof journal = {
      ...journal,
      read: (work) =>
        journal.read((rows) =>
          work({
            ...rows,
            number: (sql, ...values) => {
              asked.push(
                ...rows
                  .all(`EXPLAIN QUERY PLAN ${sql}`, ...values)
                  .map(({ detail }) => String(detail)),
              );
              return rows.number(sql, ...values);
            },
          }),
        ),
    };
    countActivity(watching, { outcomes: ["unknown"] });
    countActivity(watching, { outcomes: ["unknown"], profile: "test" });
    expect(asked).toEqual([
      expect.stringMatching(/USING (COVERING )?INDEX intent_open/),
      expect.stringMatching(/USING (COVERING )?INDEX intent_open/),
    ]);
  });

  test("bodies of old runs are taken out, those of a run under way are not, and at last the run", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const { journal } = context;
    const run = await recordedRun(context, "notes", noteRequests(600));
    const late = Date.now() + bodyRetentionMs + dayMs;
    const self = ownerText(context.process.self);
    const own = (owner: string | null) =>
      journal.commit((rows) => rows.run("UPDATE run SET owner = ? WHERE id = ?", owner, run));
    await own(self);
    expect(await applyRetention(journal, late)).toEqual({ bodies: 0, entries: 0 });
    await own(null);
    expect(await applyRetention(journal, late)).toEqual({ bodies: 600, entries: 0 });
    // What can no longer be sent is reported, and does not block the run.
    expect(await carryOut(context, run)).toEqual({ kind: "unsent", rows: 600 });
    expect(readRun(context, run)).toMatchObject({
      stoppedBecause: "600 rows could not be sent",
    });
    expect(sandbox.ledger()).toEqual([]);
    const muchLater = Date.now() + entryRetentionMs + dayMs;
    expect(await applyRetention(journal, muchLater)).toEqual({ bodies: 0, entries: 600 });
    expect(listRuns(context)).toEqual([]);
    const left = journal.read((rows) => [
      ...rows.all("SELECT * FROM run_row"),
      ...rows.all("SELECT * FROM run_count"),
    ]);
    expect(left).toEqual([]);
  });
});
