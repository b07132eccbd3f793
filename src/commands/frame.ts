import type { Command } from "commander";
import type { Secrets } from "../settings/secrets.ts";
import { checkFormat, type Format, globalOptionsOf } from "./global-options.ts";
import { beginInvocation, type Invocation } from "./invocation.ts";
import type { Io } from "./io.ts";
import { refuseUndecodable } from "./undecodable.ts";

/** Carries out what a command line asks for. */
export interface Frame {
  /** Does the work of a command that prints these formats; its exit code becomes the program's. */
  run(
    command: Command,
    work: (invocation: Invocation) => Promise<number>,
    formats?: readonly Format[],
  ): Promise<void>;
}

interface RunningFrame extends Frame {
  /** The exit code of the command that ran. */
  exitCode(): number;
}

/** A frame for one run of the program; the command that runs shows `zoneNotice` once. */
export function frameFor(io: Io, secrets: Secrets, zoneNotice: string | null): RunningFrame {
  let code = 0;
  return {
    exitCode: () => code,
    async run(command, work, formats) {
      refuseUndecodable(command, io.env);
      const globals = globalOptionsOf(command);
      checkFormat(command.name(), globals, formats);
      const invocation = beginInvocation(io, globals, secrets, zoneNotice);
      if (zoneNotice !== null) {
        const { narrate } = await import("./writes/progress.ts");
        narrate(invocation, zoneNotice);
      }
      code = await work(invocation);
      invocation.end();
    },
  };
}
