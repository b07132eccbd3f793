/** Opens the log of a command or the console, and writes its first and last line. */

import { arch, release, type as systemName } from "node:os";
import { resolve } from "node:path";
import { logConnections } from "../api/connection-log.ts";
import { openLogFile } from "../files/log-file.ts";
import { hideFromLog, log } from "../log/log.ts";
import type { Secrets } from "../settings/secrets.ts";
import type { Io } from "./io.ts";

export interface ProgramLog {
  /** Ends the log. Returns a notice if the log is incomplete, or null. */
  close(exitCode: number): string | null;
}

interface LogOptions {
  readonly path: string;
  /** The command without its arguments, or `console`. */
  readonly command: string;
  readonly secrets: Secrets;
}

/** Opens the log. Throws a settings error if the file cannot be used. */
export function openProgramLog(io: Io, { path, command, secrets }: LogOptions): ProgramLog {
  const { env, clock, pid, version, nodeVersion } = io;
  const hasBodies = env.SUPPLYLINE_LOG_BODIES === "1";
  const began = clock.elapsed();
  const file = openLogFile({ path: resolve(path), pid, hasBodies, now: () => clock.now() });
  hideFromLog(secrets.apiKey, secrets.token);
  const endConnections = logConnections(clock);
  log({
    event: "start",
    version,
    node: nodeVersion,
    system: `${systemName()} ${release()} ${arch()}`,
    command,
    term: env.TERM ?? null,
    columns: io.stdout.columns ?? null,
    rows: io.stdout.rows ?? null,
    locale: env.LC_ALL || env.LC_CTYPE || env.LANG || null,
    timeZone: env.TZ ?? null,
    bodies: hasBodies,
  });
  return {
    close(exitCode) {
      log({ event: "end", exitCode, ms: clock.elapsed() - began });
      endConnections();
      const failure = file.close();
      return failure === null ? null : `The log ${path} is incomplete: ${failure}.`;
    },
  };
}
