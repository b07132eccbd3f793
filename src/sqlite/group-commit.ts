/**
 * Combines the commits of several callers. Work requested in one turn of the event loop shares a
 * transaction and one wait for the disk. Each caller gets its result only after the commit.
 */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { isBusy } from "./file-error.ts";
import type { Rows } from "./rows.ts";

type Settled = { readonly done: () => void } | { readonly failed: unknown };

interface Job {
  /** Runs inside the transaction. Returns the function that reports the result after the commit. */
  readonly run: (rows: Rows) => Settled;
  readonly reject: (error: unknown) => void;
}

/** Maximum wait for another process that locks the database during its commit. */
const longestWaitMs = 20_000;

/** Maximum number of jobs in a transaction, so that one commit stays short. */
const maxTogether = 256;

/**
 * Creates the functions that commit work. `check` runs in each transaction before the work and
 * throws if the file must not be used. `asFailure` converts an error of SQLite or of the disk to
 * the caller's error.
 */
export function groupCommit(
  database: DatabaseSync,
  rows: Rows,
  check: () => void,
  asFailure: (error: unknown) => unknown,
) {
  let waiting: Job[] = [];
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
    const giveUp = performance.now() + longestWaitMs;
    for (;;) {
      try {
        database.exec("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUp) throw error;
      }
      // The pause does not block the event loop. Its random part lets other processes in.
      await pause(5 + Math.random() * 25);
    }
  };

  const commitTogether = async (jobs: readonly Job[]): Promise<void> => {
    let settled: readonly Settled[];
    try {
      await begin();
      check();
      settled = jobs.map(runJob);
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      const failure = asFailure(error);
      for (const job of jobs) job.reject(failure);
      return;
    }
    for (const [index, outcome] of settled.entries()) {
      if ("done" in outcome) outcome.done();
      else jobs[index]?.reject(asFailure(outcome.failed));
    }
  };

  const run = async (): Promise<void> => {
    // Waits for the end of this turn of the event loop, so that all its requests share the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const jobs = waiting.slice(0, maxTogether);
      waiting = waiting.slice(maxTogether);
      await commitTogether(jobs);
    }
    running = null;
  };

  return {
    /**
     * Commits all of the work or none of it. Work that throws changes nothing and rejects with that
     * error.
     */
    commit: <T>(work: (rows: Rows) => T) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      waiting.push({
        run: (open) => {
          try {
            const value = work(open);
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
    /** Resolves when all work is committed or rejected. */
    drained: async () => {
      while (running !== null) await running;
    },
  };
}

export type GroupCommit = ReturnType<typeof groupCommit>;
