/** Logs the transactions of the database files, with the time that other processes blocked them. */
import { basename } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isLogged, log } from "../log/log.ts";
import { codeOf } from "../text/disk-words.ts";

interface CommitLog {
  locked(): void;
  committed(): void;
  failed(error: unknown): void;
}

const noLog: CommitLog = { locked() {}, committed() {}, failed() {} };

export function logCommit(database: DatabaseSync, jobs = 1): CommitLog {
  if (!isLogged()) return noLog;
  const path = database.location();
  // A commit in memory waits for no disk and no other process.
  if (path === null) return noLog;
  const file = basename(path);
  const began = performance.now();
  let lockedAt: number | null = null;
  const times = () => {
    const now = performance.now();
    return { lockMs: tenths((lockedAt ?? now) - began), ms: tenths(now - began) };
  };
  return {
    locked: () => {
      lockedAt = performance.now();
    },
    committed: () => log({ event: "commit", file, jobs, ...times() }),
    failed: (error) => {
      const code = sqliteCode(error) ?? codeOf(error);
      log({ event: "commit-failed", file, code, ...times() });
    },
  };
}

export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function sqliteCode(error: unknown): string | null {
  return error instanceof Error && "errcode" in error ? `SQLITE_${String(error.errcode)}` : null;
}
