/** A process that is stopped by a signal, as by Ctrl-Z or a suspended machine. */
import { readFile } from "node:fs/promises";
import type { Invariant } from "../invariants/invariant.ts";
import { writeKinds } from "../writes.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

const timeoutMs = 400;

/** A machine with other work also sends and answers in this time, of which a stop must use up all. */
const answeredTimeoutMs = 1_500;

/** Longer than that time limit, and than the delay by which a timer shows a stop. */
const stopMs = 3_000;

const answered: Invariant = {
  name: "an answer that arrived is read",
  promise: "a stop does not use up the time limit of a request whose answer has arrived",
  broken: ({ entries }) =>
    entries
      .filter(({ state }) => state !== "confirmed")
      .filter(({ keys }) => keys.length !== 3)
      .map(({ id, operation, state }) => `entry ${id} (${operation}) is ${state}`),
};

/** The answers arrive while the process is stopped for longer than its time limit. */
export async function answeredWhileStopped(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, ["latency=100ms@writes"]);
  const kinds = writeKinds.filter((kind) => kind !== "transactions with one refused");
  const writes = Math.min(options.size, 2 * kinds.length);
  const task = { kind: "write", mark: "a", kinds, writes, together: writes } as const;
  const { child, ended } = stage.drive({ task, timeoutMs: answeredTimeoutMs });
  const isSent = () =>
    stage.watch.seen.some(({ endpoint }) => endpoint !== "token") && stage.watch.isBusy();
  while (!isSent()) await pause(2);
  child.kill("SIGSTOP");
  await stoppedState(child.pid ?? 0);
  await stage.watch.quiet();
  await pause(stopMs);
  child.kill("SIGCONT");
  await ended;
  await stage.watch.quiet();
  const violations = stage.check("running", [answered]);
  const { ms, violations: sent } = await stage.recover();
  return {
    name: "SIGSTOP until the answers have arrived",
    writes,
    injected: 1,
    violations: [...violations, ...sent, ...stage.check("recovered"), ...(await stage.summary())],
    recoveryMs: [ms],
  };
}

/** The client is stopped while its request is under way, for longer than it would have waited. */
export async function stoppedClient(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, []);
  const task = {
    kind: "write",
    mark: "z",
    kinds: writeKinds,
    writes: options.size,
    together: 2,
  } as const;
  const violations = [];
  let injected = 0;
  for (const at of ["attempt-committed", "headers-sent", "answered"] as const) {
    const mark = `z-${at}`;
    const { child, ended } = stage.drive({
      task: { ...task, mark },
      at,
      time: 2,
      signal: "SIGSTOP",
      timeoutMs,
    });
    await stoppedState(child.pid ?? 0);
    injected += 1;
    await pause(3 * timeoutMs);
    child.kill("SIGCONT");
    await ended;
    await stage.watch.quiet();
    violations.push(...stage.check("running"));
  }
  const { ms, violations: sent } = await stage.recover();
  return {
    name: "SIGSTOP for longer than a time limit",
    writes: options.size * injected,
    injected,
    violations: [...violations, ...sent, ...stage.check("recovered"), ...(await stage.summary())],
    recoveryMs: [ms],
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves when the system reports that a process is stopped or has ended. */
export async function stoppedState(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") T");
    if (/\) [TtZX]/.test(stat)) return;
    await pause(20);
  }
}
