import type { Command } from "commander";
import type { Secrets } from "../settings/secrets.ts";
import { checkFormat, globalOptionsOf } from "./global-options.ts";
import { beginInvocation, type Invocation } from "./invocation.ts";
import type { Io } from "./io.ts";
import { refuseUndecodable } from "./undecodable.ts";

/** What a noun is given to declare its commands with. */
export interface Frame {
  /** Carries out a command's work; its exit code becomes the program's. */
  run(command: Command, work: (invocation: Invocation) => Promise<number>): Promise<void>;
}

/** A noun adds its commands to the program. Its work is imported when it is asked for. */
export type Noun = (program: Command, frame: Frame) => void;

export interface RunningFrame extends Frame {
  /** The exit code of the command that ran. */
  exitCode(): number;
}

/** A frame for one run of the program; the command that runs shows `zoneNotice` once. */
export function frameFor(io: Io, secrets: Secrets, zoneNotice: string | null): RunningFrame {
  let code = 0;
  return {
    exitCode: () => code,
    async run(command, work) {
      refuseUndecodable(command, io.env);
      const globals = globalOptionsOf(command);
      checkFormat(command.name(), globals);
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

/** The examples at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n");
}
