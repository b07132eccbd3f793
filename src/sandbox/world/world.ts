/** The account import processes of one supplier, derived row by row from the seed. */
import type { Clock } from "./clock.ts";

export type AccountStatus = "UNKNOWN" | "IN_PROGRESS" | "COMPLETED";

/**
 * The accounts of a supplier by row. Rows count from 0, and nothing is stored for them. `at` is an
 * instant in epoch ms. Before the sandbox's start, the state is the past state at that instant.
 */
export interface AccountWorld {
  readonly size: number;
  externalNumber(row: number): string;
  /** Returns the row of a staged or imported account, or undefined for an account never staged. */
  rowOf(externalNumber: string): number | undefined;
  /** Returns the status, or undefined if no import process exists: 4.8 answers 404. */
  status(row: number, at: number): AccountStatus | undefined;
  /** Returns the raw creation time of the account, or undefined if it is pending. */
  createdAt(row: number, at: number): string | undefined;
  /** Returns the service number of an account, even before the account exists. */
  serviceNumber(row: number, at: number): string;
  /** Returns true if the lists have the row. Without this function, they have all rows. */
  readonly isListed?: (row: number, at: number) => boolean;
}

export interface WorldSettings {
  readonly seed: number;
  readonly clock: Clock;
  /** The first service account number of this supplier. Suppliers never share a number. */
  readonly firstNumber: number;
}
