import { spawn } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { programInShell } from "./built-program.ts";
import { type Folders, programEnvironment } from "./folders.ts";

/** How what was pasted into a shell ended. */
export interface Pasted {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a shell in which `supplyline` is the built program. */
export async function shellEnvironment(
  folders: Folders,
  extra: Record<string, string> = {},
): Promise<Record<string, string>> {
  const bin = join(folders.home, "bin");
  await mkdir(bin, { recursive: true });
  const file = join(bin, "supplyline");
  await writeFile(file, `#!/bin/sh\nexec ${programInShell()} "$@"\n`);
  await chmod(file, 0o755);
  const env = programEnvironment(folders, extra);
  return { ...env, PATH: `${bin}:${env.PATH}:/usr/bin:/bin` };
}

/** Runs a text in a POSIX shell, as if it had been pasted there. */
export function runPasted(text: string, env: Record<string, string>, cwd: string): Promise<Pasted> {
  const child = spawn("/bin/sh", ["-c", text], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
