/**
 * Finds the program's other files (thread code and examples), among the source or the built files.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

const threads = {
  sandbox: { source: "sandbox/worker.ts", built: "sandbox-worker.js" },
} as const;

/**
 * The possible paths from this file to the package's folder. A chunk of the bundle is one folder
 * further down than this file.
 */
const folders = ["../", "../../"] as const;

/** Starts a thread without the user's environment. Discards its output. */
export function startThread(name: keyof typeof threads, options: WorkerOptions): Worker {
  const threadOptions = { ...options, env: {}, execArgv: [], stdout: true, stderr: true };
  const { source, built } = threads[name];
  const worker = new Worker(existingPath(`src/${source}`, `dist/${built}`), threadOptions);
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

export function examplePath(name: string): string | null {
  const paths = folders.map((folder) => pathOf(`${folder}examples/${name}`));
  return paths.find((path) => existsSync(path)) ?? null;
}

/**
 * Returns the first existing path: a source file if the program runs from source, else a built
 * file.
 */
function existingPath(...names: readonly string[]): string {
  const paths = names.flatMap((name) => folders.map((folder) => pathOf(folder + name)));
  const isSource = import.meta.url.endsWith(".ts");
  const path = paths
    .filter((candidate) => candidate.endsWith(".ts") === isSource)
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error("A file of the program is missing; install it again.");
  return path;
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
