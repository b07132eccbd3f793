import type { FormKind } from "../forms/forms.ts";
import type { State } from "../writes/journal/entry.ts";

/**
 * - `recording`: a running process records its rows; nothing was sent
 * - `unrecorded`: its process ended before all rows were recorded; nothing was sent
 * - `running`: a process is running it
 * - `stopped`: it can be resumed: stopped on request, the service down, or its process ended
 * - `ended`: every row has ended
 */
export type RunState = "recording" | "unrecorded" | "running" | "stopped" | "ended";

/** Returns true if not all rows of the run are recorded. Nothing was sent then. */
export function isUnsent({ state }: Pick<RunRecord, "state">): boolean {
  return state === "recording" || state === "unrecorded";
}

/**
 * Returns true if the run can be resumed. The rows of a run from the console are only in the
 * journal. If they are incomplete there, nothing can be resumed.
 */
export function isResumable({ state, source }: Pick<RunRecord, "state" | "source">): boolean {
  return state !== "unrecorded" || source !== "console";
}

/** Rows by state; `exists` are confirmed rows that already existed. */
export interface RunCounts {
  /** Rows that are not sent yet, or never sent. */
  readonly waiting: number;
  readonly sending: number;
  readonly confirmed: number;
  readonly exists: number;
  readonly rejected: number;
  readonly retryable: number;
  readonly unknown: number;
  /** Settled by an operator. */
  readonly closed: number;
}

/** One bulk run in the journal. Instants are epoch milliseconds. */
export interface RunRecord {
  /** Shown to people and passed to `bulk resume`. */
  readonly id: string;
  readonly kind: FormKind;
  readonly profile: string;
  readonly baseUrl: string;
  /**
   * The absolute path of the input, `-` for standard input, `console` for rows composed in the
   * console.
   */
  readonly source: string;
  /** SHA-256 of the input's bytes, as hexadecimal, or empty without a file. */
  readonly sha256: string;
  /** The path of the results file, or null if none is written. */
  readonly results: string | null;
  /** The texts of {@link ReadingOptions} and {@link SendSettings} (run-settings.ts). */
  readonly reading: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly state: RunState;
  /** The reason why the run stopped, or null if it did not stop. */
  readonly stoppedBecause: string | null;
  /** Rows of the input, and the requests they make. */
  readonly rows: number;
  readonly requests: number;
  readonly counts: RunCounts;
}

/** One row of a run and its outcome, as in a line of a results file. */
export interface RunRow {
  readonly line: number;
  readonly importSupplier: string;
  /** Either this or the next. */
  readonly externalAccountNumber: string | null;
  readonly externalIdentifier: string | null;
  /** The outcome in the words of the journal. A row that was not sent yet is `unsent`. */
  readonly outcome: Exclude<State, "intent">;
  /** A confirmed row that already existed. */
  readonly existed: boolean;
  /** The service's own word, such as NOTE_ALREADY_EXISTS; untrusted. */
  readonly status: string | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  /** The words of the service or the program; untrusted. */
  readonly detail: string | null;
  /** The codes of the errors that a refusal has for this row; untrusted. */
  readonly errorCodes: readonly string[];
  readonly journalId: number;
}
