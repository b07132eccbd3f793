import type { AgainOptions } from "../writes/write-options.ts";
import type { Expected } from "./gate.ts";

/** What every turn of a run can be told; a resumed one goes as the run was told unless told otherwise. */
export interface TurnOptions extends AgainOptions {
  readonly concurrency?: number;
  /** Milliseconds. */
  readonly settle?: number;
}

export interface BulkResumeOptions extends TurnOptions {
  readonly dryRun?: boolean;
}

export interface BulkRunOptions extends TurnOptions, Expected {
  /** A file, or `-` for standard input. */
  readonly from: string;
  readonly dryRun?: boolean;
  readonly results?: string;
  readonly allowMissing?: boolean;
  readonly groupByAccount?: boolean;
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}
