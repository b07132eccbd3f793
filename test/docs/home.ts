/** A user who follows the pages: a home with the shipped examples, and a shell in it. */

import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { programInShell } from "../helpers/built-program.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { runProcess } from "../helpers/process.ts";
import { project } from "./pages.ts";

const sleptFile = ".slept";

/** The time that pages have slept in a home, in ms: four minutes for `sleep 4m`. */
export function sleptMs(home: string): number {
  const file = join(home, sleptFile);
  if (home === "" || !existsSync(file)) return 0;
  const minutes = [...readFileSync(file, "utf8").matchAll(/^(\d+)m$/gm)].map(([, n]) => Number(n));
  return minutes.reduce((sum, n) => sum + n * 60_000, 0);
}

/** A home folder that holds the examples, the program, and the key of a service. */
export async function openHome(apiKey: string): Promise<Folders> {
  const folders = await openFolders();
  const { home } = folders;
  await cp(join(project, "examples"), home, { recursive: true });
  await mkdir(join(home, "bin"));
  const program = join(home, "bin/supplyline");
  await writeFile(program, `#!/bin/sh\nexec ${programInShell()} "$@"\n`);
  await chmod(program, 0o755);
  // No test waits for minutes: they pass for the service alone.
  const sleep = join(home, "bin/sleep");
  await writeFile(sleep, `#!/bin/sh\necho "$1" >> '${join(home, sleptFile)}'\n`);
  await chmod(sleep, 0o755);
  await writeFile(join(home, "key.txt"), `${apiKey}\n`, { mode: 0o600 });
  return folders;
}

/** The end of a statement, and its output on both streams. */
export interface Ended {
  readonly statement: string;
  readonly code: number;
  readonly output: string;
}

/** Runs statements one after another in one shell, with the program of the home. */
export async function runAll(
  statements: readonly string[],
  env: Readonly<Record<string, string>>,
  home: string,
): Promise<readonly Ended[]> {
  // The code is saved where `$?` of the next statement still sees it.
  const script = statements
    .map(
      (one, n) =>
        `{ ${one}\n} > .out-${n} 2>&1; code=$?; echo "$code" > .code-${n}; (exit "$code")`,
    )
    .join("\n");
  await runProcess(["bash", "-c", script], {
    cwd: home,
    env: { ...env, PATH: `${join(home, "bin")}:${env.PATH ?? ""}` },
  });
  const read = (name: string) => readFile(join(home, name), "utf8").catch(() => "-1");
  return Promise.all(
    statements.map(async (statement, n) => ({
      statement,
      code: Number(await read(`.code-${n}`)),
      output: await read(`.out-${n}`),
    })),
  );
}
