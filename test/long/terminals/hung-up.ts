import { programWords } from "../../helpers/built-program.ts";
import { type Folders, programEnvironment } from "../../helpers/folders.ts";
import { openTerminal, type Terminal } from "../../helpers/terminal.ts";
import { layLifeline } from "./lifeline.ts";

/** A way in which a terminal is lost. */
export interface Loss {
  readonly name: string;
  /** True if the program has no controlling terminal, and so receives no signal. */
  readonly detached: boolean;
  readonly lose: (terminal: Terminal) => void;
}

const closed: Loss = {
  name: "its terminal is closed",
  detached: false,
  lose: (terminal) => terminal.hangUp(),
};
const signalled: Loss = {
  name: "it is sent SIGHUP",
  detached: false,
  lose: (terminal) => terminal.signal("SIGHUP"),
};
/** Reads and writes fail with EIO, and that is all there is to notice. */
const silent: Loss = {
  name: "its terminal closes and no signal comes",
  detached: true,
  lose: (terminal) => terminal.hangUp(),
};

export const losses: readonly Loss[] = [closed, signalled, silent];

/** A console whose end can be awaited, however it comes. */
export interface HeldConsole extends AsyncDisposable {
  readonly terminal: Terminal;
  /** Loses the terminal; resolves when the program has ended, with the milliseconds that took. */
  hangUp(): Promise<number>;
}

export interface HeldOptions {
  readonly folders: Folders;
  readonly env?: Record<string, string>;
  readonly cols?: number;
  readonly rows?: number;
  readonly loss?: Loss;
  /** The path of another terminal to read from. */
  readonly input?: string;
}

/** Each pseudo-terminal is opened with those before it, and would keep them from being closed. */
const ownFilesOnly = `for file in /proc/self/fd/*; do number=\${file##*/}; [ "$number" -gt 2 ] && eval "exec $number>&-"; done`;

/** Opens the console in a terminal that will be lost. */
export async function openHeld(
  args: readonly string[],
  { folders, env = {}, cols = 100, rows = 30, loss = closed, input }: HeldOptions,
): Promise<HeldConsole> {
  const lifeline = layLifeline(folders.home, `lifeline-${crypto.randomUUID()}`);
  const from = input === undefined ? "" : ` <'${input}'`;
  const script = `${ownFilesOnly}; exec 9>"$0"; exec "$@"${from}`;
  const program = ["/bin/bash", "-c", script, lifeline.path];
  const [command = "", ...words] = [
    ...(loss.detached ? ["/usr/bin/setsid", "--wait"] : []),
    ...program,
    ...[...programWords(), ...args],
  ];
  const terminal = await openTerminal(command, words, {
    cols,
    rows,
    cwd: folders.home,
    env: programEnvironment(folders, env),
  });
  return {
    terminal,
    async hangUp() {
      const from = performance.now();
      loss.lose(terminal);
      const took = (await lifeline.gone) - from;
      if (process.env.SUPPLYLINE_TELL_HANG_UPS) console.info(`gone after ${took.toFixed(0)} ms`);
      return took;
    },
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}
