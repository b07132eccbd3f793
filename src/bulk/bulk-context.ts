import type { Service } from "../api/service.ts";
import type { CommitPoint, WriteContext } from "../writes/submit.ts";

/** What INTERFACE 4.8 says of an account. */
export interface ReadStatus {
  readonly status: string;
  /** Empty while no account has been created. */
  readonly service_account_number: string;
}

/** What runs are made with. */
export interface BulkContext {
  readonly writes: WriteContext;
  /**
   * Reads an account's status once (INTERFACE 4.8), without resends of its own: the run sees to
   * those. Rejects with ServiceError.
   */
  readonly readStatus: (
    importSupplier: string,
    account: string,
    signal: AbortSignal,
  ) => Promise<ReadStatus>;
}

/** What runs of a service are made with; a look at a status is bounded by `timeoutMs`, 30 s by default. */
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
          // The run itself waits, as a whole.
          rateLimitWaitMs: 0,
          timeoutMs,
        })
      ).value,
  };
}

/** The moments of a run between which a process can be killed, besides those of each write. */
export type RunPoint =
  | "run-created"
  /** Some of the rows are on disk; reached again and again. */
  | "rows-recorded"
  /** All of them are. */
  | "recorded"
  | "run-claimed"
  /** A row came to its end, and that is on disk. */
  | "row-settled"
  | "run-ended";

export const runPoints: readonly RunPoint[] = [
  "run-created",
  "rows-recorded",
  "recorded",
  "run-claimed",
  "row-settled",
  "run-ended",
];

/** Called at each named moment, and waited for; lets a test stop a process there. */
export type AtPoint = (point: RunPoint | CommitPoint) => void | Promise<void>;
