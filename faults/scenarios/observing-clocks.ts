/** Lists that are loaded while the machine's clock is wrong: no history is deleted, and no age is untrue. */
import { join } from "node:path";
import { dayMs, hourMs } from "../../src/text/durations.ts";
import type { Violation } from "../invariants/invariant.ts";
import { openListsStage } from "./lists-stage.ts";
import type { ScenarioOptions, ScenarioResult } from "./stage.ts";

/** Days by which the clock of each start is ahead. */
const ahead: readonly number[] = [0, 800, 801, -800, 3_000];

/** Everything is over sooner. */
const longestMs = hourMs;

interface AgedRow {
  readonly external_account_number: string;
  readonly pending_since: string | null;
  readonly first_seen_at: string | null;
  readonly gone_at: string | null;
}

/**
 * With each start one more account is pending, and the one before it is missing every other time. Nothing is
 * pending for long, so any great age is untrue, and so is a time before the first start.
 */
export async function observingClocks(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openListsStage(options);
  const state = join(stage.folder, "state");
  const began = Date.now() - 1_000;
  const violations: Violation[] = [];
  let changes = 0;
  const read = async (words: readonly string[], days: number) => {
    const env = { CAMPAIGN_CLOCK_AHEAD_MS: String(days * dayMs) };
    const { stdout, stderr } = await stage.run(words, state, { env });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  };
  for (const [at, days] of ahead.entries()) {
    const when = `with a clock ${days} days ahead, start ${at + 1}`;
    stage.setPending(at % 2 === 0 ? 4 + at : 2 + at);
    const [condition] = await read(["check", "--pending-older-than", "24h"], days);
    const untrue = (what: string) =>
      violations.push({ invariant: "no age that is not so", what: `${what}, ${when}` });
    if (condition.met === true) untrue(`${condition.figure} accounts are pending for a day`);
    // The clock is put right in between.
    const rows: AgedRow[] = await read(["accounts", "list", "--ages"], 0);
    for (const row of rows)
      for (const time of [row.pending_since, row.first_seen_at, row.gone_at]) {
        const ms = time === null ? began : Date.parse(time);
        if (ms < began || ms > began + longestMs) untrue(`${row.external_account_number} ${time}`);
      }
    const listed = await read(["changes"], 0);
    if (listed.length < changes)
      violations.push({
        invariant: "no clock deletes history",
        what: `${listed.length} of ${changes} changes are left, ${when}`,
      });
    changes = listed.length;
  }
  return {
    name: "lists under wrong clocks",
    writes: 0,
    injected: ahead.length,
    violations,
    recoveryMs: [],
  };
}
