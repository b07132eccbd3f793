import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { programInShell } from "../../helpers/built-program.ts";
import { type Folders, programEnvironment } from "../../helpers/folders.ts";
import { runProcess } from "../../helpers/process.ts";

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
export function runPasted(text: string, env: Record<string, string>, cwd: string) {
  return runProcess(["/bin/sh", "-c", text], { env, cwd });
}
