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
import type { PastList } from "../triage/observations/observation-files.ts";
import type { OpenLedger } from "../writes/team/ledger.ts";
import type { OpenMemory } from "../writes/team/memory.ts";

export interface RunningSandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  pastLists(): Promise<readonly PastList[]>;
  close(): Promise<void>;
}

export interface Surroundings {
  readonly settings: Settings;
  readonly env: Record<string, string | undefined>;
  readonly home: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Typed values that are not saved on disk, by key. They last as long as the console. */
  readonly drafts: Map<string, unknown>;
  readonly state: State;
  readonly version: string;
  readonly stateDir: string;
  readonly maxListBytes?: number;
  readonly reducedMotion?: boolean;
  readonly ascii: boolean;
  readonly pid: number;
  readonly readOnly: boolean;
  readonly firstNotice?: string | null;
  readonly loadLedger: () => Promise<OpenLedger>;
  /** Loads the same driver for the history of the lists and the cohorts of a team. */
  readonly loadMemory: () => Promise<OpenMemory>;
  readonly openSandbox: () => Promise<RunningSandbox>;
  readonly custom?: CustomCommands;
  readonly killGroup: KillGroup;
  /** Writes a control sequence, such as one for the clipboard. It must not draw text. */
  readonly writeTerminal: (sequence: string) => void;
  readonly suspend: () => Promise<void>;
  readonly borrowTerminal: (use: () => Promise<void>) => Promise<void>;
  readonly frames: FrameCount;
  /** Buffers typed keys for a screen yet to open. Returns a function that releases them. */
  readonly holdKeys: () => () => void;
  /** Aborted by a hang-up or a termination signal. */
  readonly end: AbortSignal;
  readonly redraw: () => void;
}
