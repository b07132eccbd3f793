/** The task of the driver. */
import type { RunCheckpoint } from "../src/bulk/run-record.ts";
import type { CommitPoint } from "../src/writes/send/events.ts";
import type { Form } from "./forms.ts";
import type { Accounts, WriteKind } from "./writes.ts";

export type Point = CommitPoint | RunCheckpoint;

export interface DriverInput {
  readonly folder: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The point at which the process stops itself, and the number of the visit (1 is the first). */
  readonly at?: Point;
  readonly time?: number;
  readonly signal?: "SIGKILL" | "SIGSTOP";
  readonly timeoutMs?: number;
  /** Milliseconds by which this process's clock is ahead of the machine's clock. */
  readonly clockAheadMs?: number;
  /** Sets the clock of this process back at the named point, instead of a signal. Milliseconds. */
  readonly setBackMs?: number;
  /** The config folder, in which the position of the journal is remembered. */
  readonly configDir: string;
  /** The address of the database of a team. Default: none. */
  readonly team?: string;
  /** The accounts to which writes go in turn. Default: all of the campaign's supplier. */
  readonly accounts?: Accounts | undefined;
  readonly task: Task;
}

/** The kinds that rows of a bulk run of the campaign are of. */
export type RunKind =
  | "notes"
  | "transactions"
  | "statements"
  | "payment-instructions"
  | "supply-points";

export type Task =
  | {
      readonly kind: "write";
      readonly mark: string;
      readonly kinds: readonly WriteKind[];
      /** The number of the first write. Default: 0. */
      readonly from?: number;
      readonly writes: number;
      /** The number of writes in flight. */
      readonly together: number;
    }
  | {
      readonly kind: "bulk";
      readonly of: RunKind;
      readonly mark: string;
      readonly rows: number;
      /** Overrides what the duplicate guard finds before the run. Default: false. */
      readonly again?: boolean;
    }
  /**
   * Asks the duplicate guard about a payment, as a console does before its question of the reason.
   * With `stop`, this process is stopped while the question is open. Then sends with the override.
   */
  | { readonly kind: "again"; readonly mark: string; readonly n: number; readonly stop: boolean }
  /** Resumes recording, from an input that may be another one, and then the run. */
  | {
      readonly kind: "resume";
      readonly run: string;
      readonly of: RunKind;
      readonly mark: string;
      readonly rows: number;
    }
  /** Only opens the journal, as every start does. */
  | { readonly kind: "open" }
  /** Reports back to the ledger of the team, as `team publish` does. */
  | { readonly kind: "publish" }
  /** Gives a state folder that was copied or restored another identity, as `team join --new` does. */
  | { readonly kind: "join as new" }
  | { readonly kind: "verify" }
  /** Reports how the journal's connection waits for the disk. */
  | { readonly kind: "synchronous" }
  /** The same refused payment recorded twice before either is sent, again and again. */
  | { readonly kind: "blocked twins"; readonly mark: string; readonly writes: number }
  /** Payments without an answer that an operator closes, and that are then sent as if new. */
  | { readonly kind: "closed"; readonly mark: string; readonly writes: number }
  /** Payments of a session whose profile is made read-only, moved or removed elsewhere meanwhile. */
  | { readonly kind: "changed profile"; readonly mark: string; readonly writes: number }
  /** Items that an earlier process may have sent, in requests of a form. */
  | { readonly kind: "forms"; readonly form: Form; readonly mark: string; readonly writes: number }
  /** Takes out of the journal what is too old in two years' time. */
  | { readonly kind: "retire" }
  | { readonly kind: "send"; readonly ids: readonly number[] };

export const writeKindOf: Readonly<Record<RunKind, WriteKind>> = {
  notes: "notes",
  transactions: "transactions",
  statements: "statements",
  "payment-instructions": "payment instructions",
  "supply-points": "supply points",
};
