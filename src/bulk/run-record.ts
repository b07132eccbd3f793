/**
 * Defines the journal's records of a bulk run and its rows, the end of a run, and the points at
 * which a test can stop it.
 */
import type { AppError } from "../errors/app-error.ts";
import type { FormKind } from "../forms/forms.ts";
import type { State } from "../writes/journal/entry.ts";
import type { CommitPoint } from "../writes/send/events.ts";
import type { Approval } from "../writes/team/approvals.ts";

/**
 * The state of a run:
 * - `recording`: a running process records the rows; nothing was sent
 * - `unrecorded`: the process ended before all rows were recorded; nothing was sent
 * - `running`: a process is sending the rows
 * - `stopped`: the run can be resumed; the cause is a request, the service, or a process that ended
 * - `ended`: every row has ended or is held back, and nothing is left that a resume would handle
 */
export type RunState = "recording" | "unrecorded" | "running" | "stopped" | "ended";

/** Returns true if not all rows of the run are recorded. Nothing was sent in that case. */
export function isUnsent({ state }: Pick<RunRecord, "state">): boolean {
  return state === "recording" || state === "unrecorded";
}

/**
 * Returns true if the run can be resumed. A run from the console has its rows only in the journal,
 * so it cannot be resumed if they are incomplete.
 */
export function isResumable({ state, source }: Pick<RunRecord, "state" | "source">): boolean {
  return state !== "unrecorded" || source !== "console";
}

export type RunEnd =
  | { readonly kind: "ended" }
  /** The run was stopped on request, and the requests in flight have ended. */
  | { readonly kind: "stopped" }
  /**
   * Every row was tried, but `rows` rows could not be sent, such as a row without a stored body.
   */
  | { readonly kind: "unsent"; readonly rows: number }
  /** The service was down for longer than the run waits. */
  | { readonly kind: "service-down"; readonly why: string }
  /** The team's database was away for longer than the run waits, or cannot be used. */
  | { readonly kind: "team-away"; readonly error: AppError<"team"> }
  /** The rows that are left wait for the approval of a second person. */
  | { readonly kind: "waits"; readonly request: Approval }
  /** A second person refused the rows that are left. */
  | { readonly kind: "not-approved"; readonly error: AppError<"team"> }
  /** The service refused the credentials, which would fail every other row too. */
  | { readonly kind: "credentials"; readonly error: unknown }
  /** The journal cannot be written, so nothing more is sent. */
  | { readonly kind: "journal"; readonly error: unknown };

/** The number of rows by state. `exists` counts the confirmed rows that already existed. */
export interface RunCounts {
  /** Number of rows that are not sent yet or were never sent. */
  readonly waiting: number;
  readonly sending: number;
  readonly confirmed: number;
  readonly exists: number;
  readonly rejected: number;
  readonly retryable: number;
  readonly unknown: number;
  /** Number of rows that an operator closed. */
  readonly closed: number;
}

/** The numbers of rows without a good outcome that a resume neither sends nor verifies. */
export interface RowsLeftAlone {
  /** Number of rows that the duplicate guard holds back. They were never sent. */
  readonly heldBack: number;
  /** IDs of the entries that hold rows back, without repetitions. */
  readonly earlier: readonly number[];
  /** Number of retryable rows that might have taken effect. */
  readonly retryable: number;
  /** Number of unknown rows that cannot be verified. */
  readonly unknown: number;
}

/** One bulk run in the journal. Instants are epoch milliseconds. */
export interface RunRecord {
  readonly id: string;
  readonly kind: FormKind;
  readonly profile: string;
  readonly baseUrl: string;
  /** The absolute path of the input, `-` for standard input, or `console` for composed rows. */
  readonly source: string;
  /** SHA-256 of the input's bytes, as hexadecimal, or empty without a file. */
  readonly sha256: string;
  /** The path of the results file, or null if none is written. */
  readonly results: string | null;
  /** The stored texts of {@link ReadingOptions} and {@link SendSettings} (run-settings.ts). */
  readonly reading: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** The time of the last change by a process that recorded or sent rows. */
  readonly changedAt: number;
  readonly endedAt: number | null;
  readonly state: RunState;
  /** The ID of the process that records or sends the rows, or null if there is none. */
  readonly process: number | null;
  readonly stoppedBecause: string | null;
  readonly rows: number;
  readonly requests: number;
  readonly counts: RunCounts;
  readonly leftAlone: RowsLeftAlone;
}

export interface RunRow {
  readonly line: number;
  readonly importSupplier: string;
  /** The account's number, or null for a supply point. */
  readonly externalAccountNumber: string | null;
  /** The supply point's identifier, or null for an account. */
  readonly externalIdentifier: string | null;
  /** The outcome of the row. A row that is not sent yet is `unsent`. */
  readonly outcome: Exclude<State, "intent">;
  /** True if the run was to send it and did not, so that a resume sends it. */
  readonly isLeft: boolean;
  readonly existed: boolean;
  /** True if it was not sent because no second person had approved it. */
  readonly isUnapproved: boolean;
  /** The status in the response, such as NOTE_ALREADY_EXISTS (untrusted), or null. */
  readonly status: string | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  /** The message of the service or of supplyline (untrusted), or null if there is none. */
  readonly detail: string | null;
  /** The error codes of a refusal for this row (untrusted). */
  readonly errorCodes: readonly string[];
  readonly journalId: number;
  /** The position of its item in the journal entry, or null for all items of the entry. */
  readonly position: number | null;
}

/** The points of a run at which a test can kill the process. Each write has further points. */
export const runPoints = [
  "run-created",
  /** Some rows are on disk. This point is reached many times. */
  "rows-recorded",
  "recorded",
  "run-claimed",
  "row-settled",
  "run-ended",
] as const;

export type RunCheckpoint = (typeof runPoints)[number];

/** Called and awaited at each point. A test can stop the process there. */
export type OnCheckpoint = (point: RunCheckpoint | CommitPoint) => void | Promise<void>;
