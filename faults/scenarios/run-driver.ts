import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** Node's arguments and the environment of the program's processes, which can load a sabotaged one. */
export interface ClientBuild {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In the shell's own unit, and in the place of the shell: the process to be killed is the client. */
const limited = 'ulimit -f "$1" && shift && exec "$@"';
const limitUnit = 512;

/** Starts a driver with words; `limit`: no file may grow beyond this many bytes. */
export function startDriver(
  file: string,
  words: readonly string[],
  { execArgv, env }: ClientBuild,
  limit: number | null,
) {
  const client = [process.execPath, ...execArgv, join(import.meta.dirname, "..", file), ...words];
  const [command = "", ...args] =
    limit === null
      ? client
      : ["/bin/sh", "-c", limited, "sh", String(Math.floor(limit / limitUnit)), ...client];
  return spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
}

/** Runs a driver to its end. */
export async function runDriver(
  file: string,
  words: readonly string[],
  client: ClientBuild,
  limit: number | null = null,
): Promise<Ended> {
  const child = startDriver(file, words, client, limit);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = await ended;
  return { code, signal, stdout, stderr };
}
