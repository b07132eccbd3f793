/** Defines the environment of a command: streams, variables, clock, signals and the console. */

import type { Clock } from "../api/clock.ts";
import type { ConsoleSetup } from "../settings/console-setup.ts";
import type { CustomCommands } from "../settings/custom/custom-command.ts";
import type { KillGroup } from "../settings/custom/run-bounded.ts";
import { Ending, shutdownGraceMs } from "../writes/send/events.ts";
import type { OpenLedger } from "../writes/team/ledger.ts";
import type { OpenMemory } from "../writes/team/memory.ts";
import type { UserKeys } from "./open/user-keys.ts";

/** The settings with which a command opens the console. The entry point adds the terminal. */
interface ConsoleRequest extends ConsoleSetup {
  readonly keys: UserKeys;
  readonly custom: CustomCommands;
}

export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** The environment variables. `main` removes the secrets. */
  readonly env: Record<string, string | undefined>;
  readonly home: string;
  readonly clock: Clock;
  readonly version: string;
  /** The ID of this process, which the journal stores as the owner of an entry. */
  readonly pid: number;
  readonly nodeVersion: string;
  /** Aborted with an {@link Ended} when the program has to end. */
  readonly signal: AbortSignal;
  /**
   * Sets a handler for Ctrl-C (SIGINT) instead of ending the program. Returns a function that
   * removes it. The newest handler is called.
   */
  onInterrupt(handler: () => void): () => void;
  readonly killGroup: KillGroup;
  loadLedger(): Promise<OpenLedger>;
  /** Loads the same driver for the history of the lists and the cohorts of a team. */
  loadMemory(): Promise<OpenMemory>;
  openConsole(request: ConsoleRequest): Promise<number>;
}

/**
 * The kind of an end before the command is done:
 * - `interrupted`: SIGINT or SIGTERM
 * - `hang-up`: the terminal was closed
 * - `reader-gone`: the reader of the output closed it (`| head`)
 */
export type EndedKind = "interrupted" | "hang-up" | "reader-gone";

export class Ended extends Ending {
  readonly kind: EndedKind;

  /** With `settles`, requests in flight can still get their responses for a short time. */
  constructor(kind: EndedKind, { settles = false } = {}) {
    super(kind, settles ? shutdownGraceMs : 0);
    this.name = "Ended";
    this.kind = kind;
  }
}

export function endingOf(signal: AbortSignal): Ended | null {
  if (!signal.aborted) return null;
  return signal.reason instanceof Ended ? signal.reason : new Ended("interrupted");
}
