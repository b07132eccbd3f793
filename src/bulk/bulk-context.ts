/** Defines the dependencies of a bulk run, and the points at which tests can stop it. */
import type { Service } from "../api/service.ts";
import type { CommitPoint, WriteContext } from "../writes/send/events.ts";

/** The status of an account (INTERFACE 4.8). */
interface ReadStatus {
  readonly status: string;
  /** The account number of the service. Empty while no account has been created. */
  readonly service_account_number: string;
}

/** The dependencies of a run. */
export interface BulkContext {
  readonly writes: WriteContext;
  /**
   * Reads an account's status once (INTERFACE 4.8). The run itself makes any retries. Rejects with
   * a ServiceError.
   */
  readonly readStatus: (
    importSupplier: string,
    account: string,
    signal: AbortSignal,
  ) => Promise<ReadStatus>;
}

/**
 * Returns the dependencies of a service's runs. `timeoutMs` is the time limit of reading one
 * status. Default: 30 s.
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
          // The run itself waits for the rate limit.
          rateLimitWaitMs: 0,
          timeoutMs,
        })
      ).value,
  };
}

/** The points of a run at which a test can kill the process. Each write has further points. */
export const runPoints = [
  "run-created",
  /** Some rows are on disk. This point is reached many times. */
  "rows-recorded",
  /** All rows are on disk. */
  "recorded",
  "run-claimed",
  /** A row has ended, and its outcome is on disk. */
  "row-settled",
  "run-ended",
] as const;

export type RunCheckpoint = (typeof runPoints)[number];

/** Called and awaited at each point. A test can stop the process there. */
export type OnCheckpoint = (point: RunCheckpoint | CommitPoint) => void | Promise<void>;
