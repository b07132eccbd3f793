/**
 * The surroundings that the console receives from its caller: files, clock, terminal and process.
 */
import type { Clock } from "../api/clock.ts";
import type { FrameCount } from "../keys/key-stream.ts";
import type { CustomCommands } from "../settings/custom/custom-command.ts";
import type { KillGroup } from "../settings/custom/run-bounded.ts";
import type { Secrets } from "../settings/secrets.ts";
import type { Settings } from "../settings/settings.ts";
import type { State } from "../state/state.ts";
import type { PastList } from "../triage/observations/open-observations.ts";
import type { OpenLedger } from "../writes/team/ledger.ts";
import type { OpenMemory } from "../writes/team/memory.ts";

/** An embedded sandbox: a simulated service in this process that runs until it is closed. */
export interface RunningSandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Returns the lists that the sandbox had before it started, to record them as observations. */
  pastLists(): Promise<readonly PastList[]>;
  close(): Promise<void>;
}

/** The files, clock, terminal and process of the console. */
export interface Surroundings {
  readonly settings: Settings;
  /** The environment variables. */
  readonly env: Record<string, string | undefined>;
  /** The user's home folder. */
  readonly home: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Typed values that are not saved on disk, by key. They last as long as the console. */
  readonly drafts: Map<string, unknown>;
  /** The state file, in the state folder. */
  readonly state: State;
  readonly version: string;
  /** The folder of the journal. */
  readonly stateDir: string;
  /** The memory cap of an account list in bytes. Default: the limit of the account table. */
  readonly maxListBytes?: number;
  /** True if ages and countdowns change rarely. Default: false. */
  readonly reducedMotion?: boolean;
  /** True to draw with ASCII characters only. */
  readonly ascii: boolean;
  /** The ID of this process. */
  readonly pid: number;
  /** True if the console was started with --read-only, so that it sends nothing. */
  readonly readOnly: boolean;
  /** A notice for the first screen. Default: none. */
  readonly firstNotice?: string | null;
  /** Loads the driver of a team's database. */
  readonly loadLedger: () => Promise<OpenLedger>;
  /** Loads the same driver for the history of the lists and the cohorts of a team. */
  readonly loadMemory: () => Promise<OpenMemory>;
  readonly openSandbox: () => Promise<RunningSandbox>;
  /** The user's commands. Default: none. */
  readonly custom?: CustomCommands;
  /** Ends the processes that a program of the user has started. */
  readonly killGroup: KillGroup;
  /**
   * Writes a control sequence, such as one for the clipboard, to the terminal. The sequence must
   * not draw text.
   */
  readonly writeTerminal: (sequence: string) => void;
  /** Stops the process until the shell continues it. */
  readonly suspend: () => Promise<void>;
  /** Releases the terminal until `use` has ended, so that an external program can borrow it. */
  readonly borrowTerminal: (use: () => Promise<void>) => Promise<void>;
  /** The number of drawn frames, now and at the time of the current key. */
  readonly frames: FrameCount;
  /**
   * Buffers typed keys for a screen that is not open yet. Returns a function that releases them.
   */
  readonly holdKeys: () => () => void;
  /** Aborted by a hang-up or a termination signal. */
  readonly end: AbortSignal;
  /** Draws the whole screen again. */
  readonly redraw: () => void;
}
