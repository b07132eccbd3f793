/** The account import processes of one supplier, derived row by row from the seed. */
import type { Clock } from "./clock.ts";

export type AccountStatus = "UNKNOWN" | "IN_PROGRESS" | "COMPLETED";

/**
 * Rows are numbered from 0; nothing is stored for them. `at` is an instant in epoch ms, also one before
 * the sandbox started: then the world is as it was.
 */
export interface AccountWorld {
  readonly size: number;
  externalNumber(row: number): string;
  /** The row of a staged or imported account, undefined for one never staged. */
  rowOf(externalNumber: string): number | undefined;
  /** Undefined while no import process exists: 4.8 answers 404. */
  status(row: number, at: number): AccountStatus | undefined;
  /** When the account was created, as on the wire; undefined while it is pending. */
  createdAt(row: number, at: number): string | undefined;
  /** The number an imported account has, whether or not it exists yet. */
  serviceNumber(row: number, at: number): string;
  /** Whether the lists have the row; without this function they have all. */
  readonly isListed?: (row: number, at: number) => boolean;
}

export interface WorldSettings {
  readonly seed: number;
  readonly clock: Clock;
  /** Where this supplier's service account numbers begin, so that suppliers never share one. */
  readonly firstNumber: number;
}
