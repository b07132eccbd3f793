/**
 * Combines the commits of several callers. Work requested in one turn of the event loop shares a
 * transaction and one wait for the disk. Each caller gets its result only after the commit.
 */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { logCommit } from "./commit-log.ts";
import { isBusy } from "./file-error.ts";
import type { Rows } from "./rows.ts";

type Settled = { readonly done: () => void } | { readonly failed: unknown };

interface Job {
  readonly run: (rows: Rows) => Settled;
  readonly reject: (error: unknown) => void;
}

/** Maximum wait for another process that locks the database during its commit. */
const maxWaitMs = 20_000;

/** Maximum number of jobs in a transaction, so that no commit takes long. */
const maxJobs = 256;

/**
 * Creates the functions that commit work. `check` runs in each transaction before the work and
 * throws if the file must not be used. `toCallerError` converts an error of SQLite or of the disk
 * to the caller's error. `afterCommit` runs after each commit, before the callers get their results.
 */
export function groupCommit(
  database: DatabaseSync,
  rows: Rows,
  check: () => void,
  toCallerError: (error: unknown) => unknown,
  afterCommit: () => void = () => {},
) {
  let queue: Job[] = [];
  let running: Promise<void> | null = null;

  const runJob = (job: Job): Settled => {
    database.exec("SAVEPOINT job");
    const settled = job.run(rows);
    // A full disk can end the whole transaction, including the savepoint.
    if (!database.isTransaction)
      throw "failed" in settled ? settled.failed : new Error("no commit");
    if ("failed" in settled) database.exec("ROLLBACK TO job");
    database.exec("RELEASE job");
    return settled;
  };

  const begin = async (): Promise<void> => {
    const deadline = performance.now() + maxWaitMs;
    for (;;) {
      try {
        database.exec("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      // The pause does not block the event loop. Its random part lets other processes in.
      await pause(5 + Math.random() * 25);
    }
  };

  const commitJobs = async (jobs: readonly Job[]): Promise<void> => {
    let settled: readonly Settled[];
    const course = logCommit(database, jobs.length);
    try {
      await begin();
      course.locked();
      check();
      settled = jobs.map(runJob);
      database.exec("COMMIT");
      course.committed();
    } catch (error) {
      course.failed(error);
      if (database.isTransaction) database.exec("ROLLBACK");
      const failure = toCallerError(error);
      for (const job of jobs) job.reject(failure);
      return;
    }
    afterCommit();
    for (const [index, outcome] of settled.entries()) {
      if ("done" in outcome) outcome.done();
      else jobs[index]?.reject(toCallerError(outcome.failed));
    }
  };

  const run = async (): Promise<void> => {
    // Waits for the end of this turn of the event loop, so that all its requests share the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const jobs = queue.slice(0, maxJobs);
      queue = queue.slice(maxJobs);
      await commitJobs(jobs);
    }
    running = null;
  };

  return {
    /** Commits all of the work or none. If the work throws, the promise rejects with its error. */
    commit: <T>(work: (rows: Rows) => T) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      queue.push({
        run: (transactionRows) => {
          try {
            const value = work(transactionRows);
            return { done: () => resolve(value) };
          } catch (failed) {
            return { failed };
          }
        },
        reject,
      });
      running ??= run();
      return promise;
    },
    drained: async () => {
      while (running !== null) await running;
    },
  };
}

export type GroupCommit = ReturnType<typeof groupCommit>;
