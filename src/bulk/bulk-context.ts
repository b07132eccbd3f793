import type { Service } from "../api/service.ts";
import type { CommitPoint, WriteContext } from "../writes/submit.ts";

/** The status of an account (INTERFACE 4.8). */
interface ReadStatus {
  readonly status: string;
  /** Empty while no account has been created. */
  readonly service_account_number: string;
}

/** The dependencies of a run. */
export interface BulkContext {
  readonly writes: WriteContext;
  /**
   * Reads an account's status once (INTERFACE 4.8), without resends: the run makes those. Rejects
   * with ServiceError.
   */
  readonly readStatus: (
    importSupplier: string,
    account: string,
    signal: AbortSignal,
  ) => Promise<ReadStatus>;
}

/**
 * Returns the dependencies of the runs of a service. `timeoutMs` limits one read of a status.
 * Default: 30 s.
 */
export function bulkContextOf(
  writes: WriteContext,
  { accounts }: Pick<Service, "accounts">,
  timeoutMs?: number,
): BulkContext {
  return {
    writes,
    readStatus: async (importSupplier, account, signal) =>
      (
        await accounts.status(importSupplier, account, {
          signal,
          retries: 0,
          // The run as a whole waits instead.
          rateLimitWaitMs: 0,
          timeoutMs,
        })
      ).value,
  };
}

/** The points of a run at which a test can kill the process, besides those of each write. */
export const runPoints = [
  "run-created",
  /** Some of the rows are on disk; reached many times. */
  "rows-recorded",
  /** All of them are. */
  "recorded",
  "run-claimed",
  /** A row has ended, and that is on disk. */
  "row-settled",
  "run-ended",
] as const;

export type RunCheckpoint = (typeof runPoints)[number];

/** Called and awaited at each point; lets a test stop the process there. */
export type OnCheckpoint = (point: RunCheckpoint | CommitPoint) => void | Promise<void>;
