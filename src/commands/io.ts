import type { Clock } from "../api/clock.ts";
import type { ConsoleSetup } from "../settings/console-setup.ts";
import type { CustomCommands } from "../settings/custom/custom-program.ts";
import type { KillGroup } from "../settings/custom/run-bounded.ts";
import { Ending, settleOnEndMs } from "../writes/send/request.ts";
import type { UserKeys } from "./open/user-keys.ts";

/** What a command says about the console it wants; the entry adds the terminal. */
interface ConsoleRequest extends ConsoleSetup {
  readonly keys: UserKeys;
  readonly custom: CustomCommands;
}

/** What a command has of the world. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** The environment; `main` takes the secrets out of it. */
  readonly env: Record<string, string | undefined>;
  /** The user's home folder. */
  readonly home: string;
  readonly clock: Clock;
  readonly version: string;
  /** This process's own number, by which the journal knows whose a write is. */
  readonly pid: number;
  /** Of Node, such as `v24.15.0`. */
  readonly nodeVersion: string;
  /** Aborted with an {@link Ended} when the program has to end. */
  readonly signal: AbortSignal;
  /**
   * Has Ctrl-C (SIGINT) call this instead of ending the program, until the function that comes back
   * is called. The last one asked for is the one that is called.
   */
  onInterrupt(handler: () => void): () => void;
  /** Calls when the process goes on after it was stopped (Ctrl-Z); gives the way to end that. */
  onContinued(listener: () => void): () => void;
  /** Ends what a program of the user's has started. */
  readonly killGroup: KillGroup;
  /** Opens the console and resolves with its exit code. */
  openConsole(request: ConsoleRequest): Promise<number>;
}

/**
 * - `interrupted`: SIGINT or SIGTERM
 * - `hang-up`: the terminal was closed
 * - `reader-gone`: whoever read the output has had enough (`| head`)
 */
export type EndedKind = "interrupted" | "hang-up" | "reader-gone";

/** Why a command stops before its end; the reason of {@link Io.signal}. */
export class Ended extends Ending {
  readonly kind: EndedKind;

  /** With `settles`, what is in flight may still be answered for a moment. */
  constructor(kind: EndedKind, { settles = false } = {}) {
    super(kind, settles ? settleOnEndMs : 0);
    this.name = "Ended";
    this.kind = kind;
  }
}

/** How the program is being ended, or null while it is not. */
export function endingOf(signal: AbortSignal): Ended | null {
  if (!signal.aborted) return null;
  return signal.reason instanceof Ended ? signal.reason : new Ended("interrupted");
}
