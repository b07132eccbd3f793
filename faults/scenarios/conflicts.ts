/** Writes that are refused because another client has the same items under way (409, 423). */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { landings } from "../evidence.ts";
import type { Violation } from "../invariants/invariant.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/**
 * A client is refused, without effect and after it. Another client, with a journal of its own, carries
 * out what had no effect. Then the first client composes all of it again.
 */
export async function conflicts(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, ["409@writes%50", "423@writes"]);
  const task = { kind: "forms", form: "reordered", writes: options.size } as const;
  const violations: Violation[] = [];
  const send = async (mark: string, word: string, folder?: string) => {
    const own = folder === undefined ? {} : { folder };
    const { lines, ended } = stage.drive({ task: { ...task, mark }, ...own });
    await ended;
    const ends = lines.filter((line) => /^(?:barred|confirmed|rejected|unknown)/.test(line));
    const others = ends.filter((line) => !line.startsWith(word));
    if (ends.length === 0 || others.length > 0)
      violations.push({
        invariant: "a conflict leaves a doubt",
        what: `${others.length} of ${ends.length} writes are not ${word}: ${others[0]}`,
      });
    return ends.length;
  };
  let writes = await send("without effect", "rejected");
  stage.sandbox.setFaults(["409-after@writes%50", "423-after@writes"]);
  writes += await send("after it", "rejected");
  stage.sandbox.setFaults([]);
  const injected = writes;
  writes += await send("without effect", "confirmed", mkdtempSync(join(options.where, "other-")));
  await send("without effect", "barred");
  await send("after it", "barred");
  await stage.watch.quiet();
  const { ms, violations: sent } = await stage.recover();
  for (const [place, times] of landings(stage.sandbox.ledger()))
    if (times > 1)
      violations.push({ invariant: "one effect", what: `${place} took effect ${times} times` });
  return {
    name: "a second client with the same items",
    writes,
    injected,
    recoveryMs: [ms],
    violations: [...violations, ...sent, ...stage.check("recovered"), ...(await stage.summary())],
  };
}
