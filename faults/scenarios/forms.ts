/** Items that earlier clients have sent, sent again in other requests, also when their entries are gone. */

import { landings } from "../evidence.ts";
import type { Form } from "../forms.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

export async function itemsInOtherForms(options: ScenarioOptions): Promise<ScenarioResult> {
  const faults = ["reset-after@statements%30", "reset-after@payment-instructions%30"];
  await using stage = await openStage(options, faults);
  let injected = 0;
  const send = async (form: Form) => {
    const driven = stage.drive({ task: { kind: "forms", form, mark: "i", writes: options.size } });
    await driven.ended;
    injected += driven.lines.filter((line) => line.startsWith("barred")).length;
  };
  await send("grouped");
  await send("reordered");
  await send("single");
  await stage.watch.quiet();
  const { ms, violations } = await stage.recover();
  // Not compared after the entries are gone: the summary does not have them, and the ledger does.
  const before = [...stage.check("recovered"), ...(await stage.summary())];
  await stage.drive({ task: { kind: "retire" } }).ended;
  await send("single");
  await stage.watch.quiet();
  const twice = [...landings(stage.sandbox.ledger())].filter(([, times]) => times > 1);
  return {
    name: "items in other requests",
    writes: options.size * 4,
    injected,
    violations: [
      ...violations,
      ...before,
      ...twice.map(([place, times]) => ({
        invariant: "one effect",
        what: `${place} took effect ${times} times`,
      })),
    ],
    recoveryMs: [ms],
  };
}
