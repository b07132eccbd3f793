/** A journal that was restored from a backup or copied: nothing that it shows as unsent is sent. */
import { cp } from "node:fs/promises";
import { landings } from "../evidence.ts";
import type { Invariant, Violation } from "../invariants/invariant.ts";
import { openStage, runIn, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

const few = 4;

/** A backup is made during a run, and put back after the run has ended; and the copy is used. */
export async function restoredJournal(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, ["latency=20ms@writes"]);
  const rows = Math.max(24, options.size);
  const mark = `j${options.seed}`;
  const input = { of: "statements", mark, rows } as const;
  const backup = `${stage.folder}-backup`;
  const killed = stage.drive({ task: { kind: "bulk", ...input }, at: "row-settled", time: 3 });
  await killed.ended;
  await stage.watch.quiet();
  const run = runIn(killed.lines) ?? "";
  await cp(stage.folder, backup, { recursive: true });
  const resume = { kind: "resume", run, ...input } as const;
  await stage.drive({ task: resume }).ended;
  await stage.watch.quiet();
  const violations: Violation[] = [...stage.check("running")];

  const sent = () => stage.sandbox.ledger().length;
  const inAll = sent();
  // Other files than before, and then the same files with their old content.
  const folders = [{ folder: backup, what: "a copy" }, { what: "a restored journal" }];
  for (const { what, ...place } of folders) {
    if (place.folder === undefined) await cp(backup, stage.folder, { recursive: true });
    await stage.drive({ task: resume, ...place }).ended;
    const kinds = ["statements"] as const;
    const again = {
      kind: "write",
      mark,
      kinds,
      from: rows - few,
      writes: few,
      together: 1,
    } as const;
    await stage.drive({ task: again, ...place }).ended;
    await stage.watch.quiet();
    const more = sent() - inAll;
    if (more > 0) {
      const words = `${what}: ${more} effects after its run had ended`;
      violations.push({ invariant: "nothing is sent from an older journal", what: words });
    }
  }
  // The summary is not compared: an older journal does not have what the ledger has from its run.
  violations.push(...stage.check("running", [once]));
  return {
    name: "a restored and a copied journal",
    writes: rows,
    injected: folders.length,
    violations,
    recoveryMs: [],
  };
}

const once: Invariant = {
  name: "one effect",
  promise: "every row takes effect at most once",
  broken: ({ effects }) =>
    [...landings(effects)].filter(([, n]) => n > 1).map(([key, n]) => `${key}: ${n} effects`),
};
