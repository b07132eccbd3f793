/** The program's own files, beside the source or in the bundle. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** A thread of the program: its file in the source, seen from here, and in the bundle. */
const threads = {
  sandbox: { source: "sandbox/worker.ts", built: "sandbox-worker.js" },
  observations: { source: "triage/observations/worker.ts", built: "observations-worker.js" },
} as const;

/** From source this file is one folder below the package's; in the bundle it may be in a chunk. */
const folders = ["../", "../../"] as const;

/** Starts a thread without the user's environment. What it prints is for no one and is dropped. */
export function startThread(name: keyof typeof threads, options: WorkerOptions): Worker {
  const bare = { ...options, env: {}, execArgv: [], stdout: true, stderr: true };
  const { source, built } = threads[name];
  const worker = new Worker(builtOrSource(`src/${source}`, `dist/${built}`), bare);
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/** Returns the path of an example that the program brings, or null if it is installed without. */
export function examplePath(name: string): string | null {
  const paths = folders.map((folder) => pathOf(`${folder}examples/${name}`));
  return paths.find((path) => existsSync(path)) ?? null;
}

function builtOrSource(...names: readonly string[]): string {
  const paths = names.flatMap((name) => folders.map((folder) => pathOf(folder + name)));
  const isSource = import.meta.url.endsWith(".ts");
  const path = paths
    .filter((one) => one.endsWith(".ts") === isSource)
    .find((one) => existsSync(one));
  if (path === undefined) throw new Error("A file of the program is missing; install it again.");
  return path;
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
