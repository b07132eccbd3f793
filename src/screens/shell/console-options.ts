import type { Clock } from "../../api/clock.ts";
import type { UsedKeys } from "../../session/key-registry.ts";
import type { CustomCommands } from "../../settings/custom/custom-program.ts";
import type { KillGroup } from "../../settings/custom/run-bounded.ts";
import type { ResolvedProfile } from "../../settings/resolve.ts";
import type { Secrets } from "../../settings/secrets.ts";
import type { Settings } from "../../settings/settings.ts";

/** Where the console opens. */
type Opening =
  | { readonly kind: "home" }
  | { readonly kind: "supplier"; readonly supplier: string }
  | { readonly kind: "cohort"; readonly supplier: string; readonly cohort: string }
  | { readonly kind: "account"; readonly supplier: string; readonly account: string }
  | { readonly kind: "supply-point"; readonly supplier: string; readonly identifier: string }
  | { readonly kind: "run"; readonly id: string }
  /** A file of rows; its path is absolute. */
  | { readonly kind: "bulk-file"; readonly path: string };

/** An embedded sandbox that runs for as long as the console wants it. */
interface RunningSandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** What the entry hands to the console; the console itself touches no `process`. */
export interface ConsoleOptions {
  readonly opening: Opening;
  readonly settings: Settings;
  /** The profile to start with; null shows the first-run screen. */
  readonly profile: ResolvedProfile | null;
  /** Environment without its secrets. */
  readonly env: Record<string, string | undefined>;
  readonly secrets: Secrets;
  /** Starts the embedded sandbox (in a worker thread), loaded only when asked for. */
  readonly openSandbox: () => Promise<RunningSandbox>;
  /** The user's keys; the usual ones where absent. */
  readonly keys?: UsedKeys;
  /** The user's commands and hooks; none where absent. */
  readonly custom?: CustomCommands;
  readonly killGroup: KillGroup;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly clock: Clock;
  readonly version: string;
  /** The folder of the journal. */
  readonly stateDir: string;
  /** This process's number. */
  readonly pid: number;
  /** Refuses every write, whatever the profile says. */
  readonly readOnly: boolean;
  readonly ascii: boolean;
  readonly color: boolean;
  /** Lines are only ever added: for a screen reader, or a terminal that cannot move its cursor. */
  readonly linear: boolean;
  /** The terminal is sent no control sequence but the bell. */
  readonly plain: boolean;
  /** Why times are in UTC although TZ asks for another zone; shown once. */
  readonly zoneNotice: string | null;
  /** Called once all screens are loaded: the console is drawn and waits for keys. */
  readonly onLoaded?: () => void;
  /** Suspends the process (Ctrl-Z) and resolves when it is continued. */
  readonly suspend: () => Promise<void>;
  /** While held, an interrupt from the terminal is for the program that has it, not for us. */
  readonly holdInterrupts: (held: boolean) => void;
  /** Aborted by a hang-up or a termination signal: the console restores the terminal and ends. */
  readonly end: AbortSignal;
}
