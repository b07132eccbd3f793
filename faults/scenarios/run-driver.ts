import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ScenarioOptions } from "./stage.ts";

/** Runs a driver to its end, and returns the JSON that it prints. */
export async function runDriver(
  file: string,
  args: readonly string[],
  { client: { execArgv, env } }: Pick<ScenarioOptions, "client">,
): Promise<unknown> {
  const all = [...execArgv, join(import.meta.dirname, "..", file), ...args];
  const limits = { env: { ...process.env, ...env }, maxBuffer: Number.POSITIVE_INFINITY };
  return JSON.parse((await promisify(execFile)(process.execPath, all, limits)).stdout);
}
