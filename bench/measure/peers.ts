import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { now } from "./clock.ts";
import type { Skipped } from "./rounds.ts";

/** A program of the system, or a notice that it is not there. */
export function installed(name: string): string | Skipped {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this one.
    }
  }
  return { skipped: `${name} is not installed` };
}

/** A measurement with a program of the system; skipped where one of those it needs is absent. */
export function withInstalled<Measured>(
  names: readonly string[],
  measure: () => Promise<Measured>,
): (() => Promise<Measured>) | Skipped {
  for (const name of names) {
    const found = installed(name);
    if (typeof found !== "string") return found;
  }
  return measure;
}

export interface ProgramResult {
  readonly ms: number;
  readonly stdout: string;
}

/** Runs a program to its end and gives the time of it all. Rejects when it fails. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly input?: string } = {},
): Promise<ProgramResult> {
  const from = now();
  const child = spawn(command, [...args], {
    env: { PATH: process.env.PATH ?? "", LANG: "C.UTF-8", ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const ms = now() - from;
      if (code === 0) resolve({ ms, stdout: Buffer.concat(out).toString() });
      else reject(new Error(`${command} ended with ${code}: ${Buffer.concat(err)}`));
    });
  });
}

/** The time of a program's whole run. */
export async function timed(...how: Parameters<typeof run>): Promise<{ ms: number }> {
  const { ms } = await run(...how);
  return { ms };
}
