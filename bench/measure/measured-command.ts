import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtProgram } from "../../test/helpers/built-program.ts";
import { type Folders, programEnvironment } from "../../test/helpers/folders.ts";
import type { Lists } from "./lists.ts";
import { run } from "./peers.ts";
import type { Sample } from "./rounds.ts";

/** Writes what a process has used to a file when it exits. */
const usage = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from "node:fs";
  process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const mb = (maxRSS * 1024) / 1e6;
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ mb, cpu: (userCPUTime + systemCPUTime) / 1e3 }));
  });`)}`;

/** A command to its end, its output thrown away or in the file `to`: its time, processor time and most memory. */
export async function measured(
  lists: Lists,
  folders: Folders,
  args: readonly string[],
  expected: number,
  env: Readonly<Record<string, string>> = {},
  to = "/dev/null",
): Promise<Sample> {
  const file = join(folders.home, "usage.json");
  const command = [process.execPath, "--import", usage, builtProgram(), ...args];
  const script = `"$@" >"$BENCH_OUT"; code=$?; test $code -eq ${expected} || exit 1`;
  const { ms } = await run("sh", ["-c", script, "sh", ...command], {
    env: {
      ...programEnvironment(folders, lists.env),
      SUPPLYLINE_OBSERVE: "0",
      BENCH_USAGE: file,
      BENCH_OUT: to,
      ...env,
    },
  });
  return { ms, ...(JSON.parse(await readFile(file, "utf8")) as Sample) };
}
