import type { Clock } from "../api/clock.ts";
import type { SavedDrafts } from "../settings/saved-drafts.ts";
import type { Secrets } from "../settings/secrets.ts";
import type { Settings } from "../settings/settings.ts";

/** What every part of the console may need and none of it makes. */
export interface ConsoleContextValue {
  readonly settings: Settings;
  readonly env: Record<string, string | undefined>;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Half-typed forms by place, for as long as the console runs: Esc loses nothing. */
  readonly drafts: Map<string, unknown>;
  /** Drafts of payloads, stored in the state folder. */
  readonly formDrafts: SavedDrafts;
  readonly version: string;
  /** Where the journal is kept. */
  readonly stateDir: string;
  /** Memory cap of one account list in bytes; the table's own where absent. */
  readonly maxListBytes?: number;
  /** Ages and countdowns move on seldom. */
  readonly reducedMotion?: boolean;
  /** This process's number. */
  readonly pid: number;
  readonly readOnly: boolean;
  /** Why times are in UTC although TZ asks for another zone; told once. */
  readonly zoneNotice?: string | null;
  readonly openSandbox: () => Promise<{
    readonly baseUrl: string;
    readonly apiKey: string;
    close(): Promise<void>;
  }>;
  /** Writes a control sequence to the terminal beside the frame (clipboard); not for text. */
  readonly writeTerminal: (sequence: string) => void;
  /** Stops the process until the shell continues it; the terminal must have been given back. */
  readonly suspend: () => Promise<void>;
  /** Lets another program have the terminal's input; the terminal must have been given back. */
  readonly borrowTerminal: (use: () => Promise<void>) => Promise<void>;
  /** Keeps typed keys for a screen that is not there yet; gives the way to let them go on. */
  readonly holdKeys: () => () => void;
  /** Aborted by a hang-up or a termination signal. */
  readonly end: AbortSignal;
  readonly redraw: () => void;
  /** Called with the end of a session when the console is left: the process waits for it. */
  readonly onClosing?: ((closing: Promise<void>) => void) | undefined;
}
