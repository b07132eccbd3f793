/** Reads and commits with the tables of the observations, in a file or in memory. */
import { throwIfLaterVersion } from "../../sqlite/check-file.ts";
import { logCommit } from "../../sqlite/commit-log.ts";
import { Damage, fileErrorOf } from "../../sqlite/file-error.ts";
import { type OpenFile, retryWhileBusy } from "../../sqlite/open-file.ts";
import { type Rows, rowsOf } from "../../sqlite/rows.ts";
import { observationsKind } from "./schema.ts";
import { SharedAccounts } from "./shared-accounts.ts";
import { SharedAges } from "./shared-ages.ts";

/** An open file, or tables in memory. */
export interface Tables {
  /** The accounts and ages of the lists in these tables. A list has the same ID in others. */
  readonly accounts: SharedAccounts;
  readonly ages: SharedAges;
  read<T>(work: (rows: Rows) => T): T;
  commit<T>(work: (rows: Rows) => T): Promise<T>;
  compact(): void;
  close(): void;
}

export function tablesIn({ database, path, check }: OpenFile): Tables {
  const rows = rowsOf(database);
  const inTransaction = <T>(begin: string, work: (rows: Rows) => T): T => {
    const course = begin === "BEGIN" ? null : logCommit(database);
    try {
      database.exec(begin);
      course?.locked();
      if (begin !== "BEGIN") check();
      throwIfLaterVersion(database, observationsKind);
      const result = work(rows);
      database.exec("COMMIT");
      course?.committed();
      return result;
    } catch (error) {
      course?.failed(error);
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };
  const retry = retryWhileBusy();
  const asFileError = (error: unknown) =>
    fileErrorOf(damageIn(error), path, observationsKind) ?? error;
  return {
    accounts: new SharedAccounts(),
    ages: new SharedAges(),
    read(work) {
      try {
        return inTransaction("BEGIN", work);
      } catch (error) {
        throw asFileError(error);
      }
    },
    commit: (work) =>
      retry(() => inTransaction("BEGIN IMMEDIATE", work)).catch((error: unknown) => {
        throw asFileError(error);
      }),
    compact() {
      try {
        database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
      } catch {
        // Another process reads; the space is free in the file all the same.
      }
    },
    close: () => database.close(),
  };
}

/** Returns the damage that an error about stored bytes means, or the error. */
export function damageIn(error: unknown): unknown {
  const isDamage = error instanceof RangeError || error instanceof SyntaxError;
  return isDamage ? new Damage(error.message, { cause: error }) : error;
}
