/** Checks that can store nothing: what is gone is said, or that it is not known, never that all is well. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../src/api/clock.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import type { Violation } from "../invariants/invariant.ts";
import { listBatch } from "../observing-driver.ts";
import { accountName, supplier } from "../writes.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

const driver = join(import.meta.dirname, "../checking-driver.ts");

export async function unstoredChecks(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, []);
  const { folder, sandbox } = stage;
  const { baseUrl: origin, apiKey } = sandbox;
  const listed = Array.from({ length: supplier.imported }, (_, n) => accountName(n));
  const observations = await openObservations({
    ...{ folder, origin, clock: systemClock, recording: true },
  });
  const recorder = observations.begin(supplier.code, systemClock.now());
  const batch = listBatch(["GONE-1", ...listed], 0);
  if (batch !== null) await recorder.take(batch);
  await recorder.finish();
  await observations.close();
  const check = async () => {
    const { execArgv, env } = options.client;
    const args = [...execArgv, driver, folder, origin, apiKey, supplier.code];
    const ran = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, ...env },
    });
    return JSON.parse(ran.stdout);
  };
  const violations: Violation[] = [];
  const judge = (when: string, met: unknown, expected: true | null) => {
    if (met === expected) return;
    const what = `met is ${met} instead of ${expected}, ${when}`;
    violations.push({ invariant: "no false all-clear", what });
  };
  judge("recording is off", (await check()).met, true);
  writeFileSync(join(folder, "observations.sqlite"), "damaged ".repeat(4_096));
  judge("the file is damaged", (await check()).met, null);
  return { name: "checks that store nothing", writes: 2, injected: 2, violations, recoveryMs: [] };
}
