/**
 * Checks that each commit waits for the disk. A kill cannot show it, because written data stays in
 * the kernel. The check reads the journal's setting, and counts the calls with strace if that
 * exists.
 */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { DriverInput } from "../driver-input.ts";
import type { Violation } from "../invariants/invariant.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/** The intent, the attempt, the outcome. */
const commitsPerWrite = 3;

export async function durability(options: ScenarioOptions): Promise<ScenarioResult> {
  const name = "each commit waits for the disk";
  const violations: Violation[] = [];
  await using stage = await openStage(options, []);
  const asked = stage.drive({ task: { kind: "synchronous" } });
  const said = await asked.said("synchronous");
  await asked.ended;
  // 2 is FULL, 3 is EXTRA.
  if (!["synchronous 2", "synchronous 3"].includes(said)) {
    violations.push({ invariant: "commits are durable", what: `the journal is opened ${said}` });
  }
  if (spawnSync("strace", ["-V"]).error !== undefined) {
    const notice = "strace is not there: only the setting was looked at, no calls were counted";
    return { name, writes: 0, injected: 0, violations, recoveryMs: [], notice };
  }
  const writes = 20;
  const { folder, configDir, sandbox } = stage;
  const { baseUrl, apiKey } = sandbox;
  const task = { kind: "write", mark: "d", kinds: ["statements"], writes, together: 1 } as const;
  const input: DriverInput = { folder, configDir, baseUrl, apiKey, task };
  const calls = await syncCalls(input, options);
  if (calls < writes * commitsPerWrite) {
    const what = `${calls} calls to reach the disk for ${writes} writes of ${commitsPerWrite} commits`;
    violations.push({ invariant: "commits are durable", what });
  }
  return { name, writes, injected: 0, violations, recoveryMs: [] };
}

async function syncCalls(input: DriverInput, { client }: ScenarioOptions): Promise<number> {
  const driver = join(import.meta.dirname, "../driver.ts");
  const program = [process.execPath, ...client.execArgv, driver, JSON.stringify(input)];
  const child = spawn("strace", ["-f", "-qq", "-e", "trace=fsync,fdatasync", "--", ...program], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...client.env },
  });
  let trace = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    trace += text;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return trace.match(/\bf(data)?sync\(/g)?.length ?? 0;
}
