import type { State } from "../writes/journal/entry.ts";
import type { BulkKind } from "./kinds.ts";

/**
 * - `recording`: a process that lives is writing its rows down; nothing was sent
 * - `unrecorded`: its process has ended before all of them were written down; nothing was sent
 * - `running`: a process that lives is at it
 * - `stopped`: it can be resumed: told to stop, the service down, or its process has ended
 * - `ended`: every row has come to its end, whatever became of its process then
 */
export type RunState = "recording" | "unrecorded" | "running" | "stopped" | "ended";

/** Whether its rows are not all on record: nothing of it was sent, whatever else is known. */
export function isUnsent({ state }: Pick<RunRecord, "state">): boolean {
  return state === "recording" || state === "unrecorded";
}

/**
 * Whether another turn can be about the rows that are left. What the console composed is nowhere but
 * in the journal: where that does not have all of it, there is nothing to go on with.
 */
export function canGoOn({ state, source }: Pick<RunRecord, "state" | "source">): boolean {
  return state !== "unrecorded" || source !== "console";
}

/** Why a run stopped, as it is recorded and given to scripts. */
export const becauseTold = "it was told to stop";
export const becauseKilled = "its process ended before it did";

/** How many rows stand how; `exists` are confirmed rows that already existed. */
export interface RunCounts {
  /** Not sent yet, or never sent. */
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

/** One bulk run as the journal knows it. Instants are epoch milliseconds. */
export interface RunRecord {
  /** Told to people and given to `bulk resume`. */
  readonly id: string;
  readonly kind: BulkKind;
  readonly profile: string;
  readonly baseUrl: string;
  /** The absolute path of the input, `-` for standard input, `console` for what the console composed. */
  readonly source: string;
  /** Of the input's bytes, as hexadecimal; empty where there was no file. */
  readonly sha256: string;
  /** Where its results file is; null where none is written. */
  readonly results: string | null;
  /**
   * What the command was told of how to read the input and how to go, so that a resumed run does
   * both the same way.
   */
  readonly reading: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly state: RunState;
  /** Why it stopped, in words; null when it did not. */
  readonly stoppedBecause: string | null;
  /** Rows of the input, and the requests they make. */
  readonly rows: number;
  readonly requests: number;
  readonly counts: RunCounts;
}

/** One row of a run and what became of it; the line of a results file. */
export interface RunRow {
  readonly line: number;
  readonly importSupplier: string;
  /** Either this or the next. */
  readonly externalAccountNumber: string | null;
  readonly externalIdentifier: string | null;
  /** In the words of the journal; a row that was not sent yet is `unsent`. */
  readonly outcome: Exclude<State, "intent">;
  /** The service's own word, such as NOTE_ALREADY_EXISTS or COMPLETED; untrusted. */
  readonly status: string | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  /** What the service or the program says of it; untrusted. */
  readonly detail: string | null;
  /** Null for `status`, which writes nothing. */
  readonly journalId: number | null;
}
