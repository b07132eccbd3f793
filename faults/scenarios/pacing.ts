/** A service that limits the rate, with Retry-After and without, for reads and writes at once. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { readJournal } from "../evidence.ts";
import { type Violation, violationsIn } from "../invariants/invariant.ts";
import { afterRecovery, invariants } from "../invariants/journal-and-ledger.ts";
import { type Paced, type PacingInput, stepMs } from "../pacing-driver.ts";
import { runDriver } from "./run-driver.ts";
import type { ScenarioOptions, ScenarioResult } from "./stage.ts";

/** One request in 400 ms is accepted. */
const limits = [
  { rate: "rate=400ms/1s", pauseMs: 1_000 },
  { rate: "rate=400ms", pauseMs: 0 },
] as const;

const mostRefusals = 2;

export async function pacedService(options: ScenarioOptions): Promise<ScenarioResult> {
  const { seed, size: calls } = options;
  const violations: Violation[] = [];
  const measured: string[] = [];
  let injected = 0;
  for (const { rate, pauseMs } of limits) {
    const folder = mkdtempSync(join(options.where, "pacing-"));
    const input: PacingInput = { folder, seed, rate, calls };
    const words = [JSON.stringify(input)];
    const { stdout, stderr } = await runDriver("pacing-driver.ts", words, options.client);
    if (stdout === "") throw new Error(stderr);
    const paced = JSON.parse(stdout) as Paced;
    const found = (invariant: string, what: string) =>
      violations.push({ invariant, what: `${what} (${rate})` });
    const refused = paced.seen.filter(({ answered }) => answered === 429);
    const inside = paced.seen.filter(({ at }) =>
      refused.some((one) => at > one.at + 2 * stepMs && at < one.at + pauseMs),
    );
    for (const { n, endpoint } of inside)
      found("no request inside a pause", `arrival ${n} at ${endpoint}`);
    const answered = calls * 2;
    const each = refused.length / answered;
    if (each > mostRefusals) found("refusals are few", `${each.toFixed(1)} for each answer`);
    const confirmed = paced.reported.filter(({ word }) => word === "confirmed").length;
    if (confirmed + paced.read < answered)
      found("no needless failure", `${confirmed} of ${calls} writes, ${paced.read} reads`);
    // The summary is not compared: the service is in the process of the driver, which counts requests.
    const evidence = { ...readJournal(join(folder, "journal.sqlite")), ...paced };
    violations.push(...violationsIn(evidence, [...invariants, ...afterRecovery]));
    measured.push(
      `${rate}: ${inside.length} requests inside a pause, ${each.toFixed(2)} refusals for each answer`,
    );
    injected += refused.length;
  }
  return {
    name: "a service that limits the rate",
    writes: calls * limits.length,
    injected,
    violations,
    recoveryMs: [],
    measured,
  };
}
