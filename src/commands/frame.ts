import type { Command } from "commander";
import type { Secrets } from "../settings/secrets.ts";
import { exitCode } from "./exit-codes.ts";
import { checkFormat, globalOptionsOf } from "./global-options.ts";
import { beginInvocation, type Invocation } from "./invocation.ts";
import type { Io } from "./io.ts";
import { chosenColumns } from "./rows/columns.ts";
import { refuseUndecodable } from "./undecodable.ts";
import { formatsOf, type Verb } from "./verb.ts";

/** Carries out what a command line asks for. */
export interface Frame {
  /** Does the work of a command, the console's without a verb; its exit code becomes the program's. */
  run(
    command: Command,
    work: (invocation: Invocation) => Promise<number | undefined>,
    verb?: Verb,
  ): Promise<void>;
}

interface RunningFrame extends Frame {
  exitCode(): number;
}

/** Its words after the program's name: `accounts list`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** A frame for one run of the program; the command that runs shows `zoneNotice` once. */
export function frameFor(io: Io, secrets: Secrets, zoneNotice: string | null): RunningFrame {
  let code: number = exitCode.done;
  return {
    exitCode: () => code,
    async run(command, work, verb) {
      refuseUndecodable(command, io.env);
      const allowed = verb === undefined ? undefined : formatsOf(verb);
      const globals = globalOptionsOf(command, allowed);
      if (verb !== undefined) {
        checkFormat(pathOf(command), globals, formatsOf(verb));
        const columns = verb.columnsWith?.(command.opts()) ?? verb.columns ?? [];
        chosenColumns(columns, globals.columns);
      }
      const invocation = beginInvocation(io, globals, secrets, zoneNotice);
      if (zoneNotice !== null) {
        const { narrate } = await import("./writes/progress.ts");
        narrate(invocation, zoneNotice);
      }
      code = (await work(invocation)) ?? exitCode.done;
      invocation.end();
    },
  };
}
