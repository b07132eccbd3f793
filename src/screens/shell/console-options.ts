import type { Clock } from "../../api/clock.ts";
import type { UsedKeys } from "../../session/key-registry.ts";
import type { RunningSandbox } from "../../session/surroundings.ts";
import type { ConsoleSetup } from "../../settings/console-setup.ts";
import type { CustomCommands } from "../../settings/custom/custom-program.ts";
import type { KillGroup } from "../../settings/custom/run-bounded.ts";

/** What the entry hands to the console; the console itself touches no `process`. */
export interface ConsoleOptions extends ConsoleSetup {
  /** Environment without its secrets. */
  readonly env: Record<string, string | undefined>;
  /** Starts the embedded sandbox (in a worker thread), loaded only when asked for. */
  readonly openSandbox: () => Promise<RunningSandbox>;
  /** The user's keys; the usual ones where absent. */
  readonly keys?: UsedKeys;
  /** The user's commands; none where absent. */
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
  /** Called once all screens are loaded: the console is drawn and waits for keys. */
  readonly onLoaded?: () => void;
  /** Suspends the process (Ctrl-Z) and resolves when it is continued. */
  readonly suspend: () => Promise<void>;
  /** While held, an interrupt from the terminal is for the program that has it, not for us. */
  readonly holdInterrupts: (held: boolean) => void;
  /** Aborted by a hang-up or a termination signal: the console restores the terminal and ends. */
  readonly end: AbortSignal;
}
