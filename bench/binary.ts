import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { programWords } from "../test/helpers/built-program.ts";
import { openFolders } from "../test/helpers/folders.ts";
import { runProgram } from "../test/helpers/process.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { now } from "./measure/clock.ts";
import { inTurn } from "./measure/rounds.ts";
import { startSandboxProcess } from "./measure/sandbox-process.ts";

const executable = resolve("release/supplyline");

/** `accounts status` with the single executable beside the bundle, each with its cache. */
export const binary: Benchmark = async ({ rounds }) => {
  await using sandbox = await startSandboxProcess(120);
  await using folders = await openFolders();
  const status = async (words: readonly string[]) => {
    const from = now();
    const args = ["accounts", "status", "ACME", "EXT-0000001", "--json"];
    const { code, stderr } = await runProgram(words, args, { env: sandbox.env, folders });
    if (code !== 0) throw new Error(stderr);
    return { ms: now() - from };
  };
  const reading = await inTurn(rounds, {
    ours: existsSync(executable)
      ? () => status([executable])
      : { skipped: "npm run package has not been run" },
    dist: () => status(programWords()),
  });
  return {
    "accounts status": { ours: reading("ours", "ms"), peers: { dist: reading("dist", "ms") } },
  };
};
