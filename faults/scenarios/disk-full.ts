/** The disk that holds the journal runs full; where no small one may be mounted, see file-limit.ts. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Violation } from "../invariants/invariant.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

const size = "600k";

export async function diskFull(options: ScenarioOptions): Promise<ScenarioResult> {
  const name = "disk full";
  const where = mkdtempSync(join(options.where, "small-"));
  const mounted = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${size},mode=0700`,
    "none",
    where,
  ]);
  if (mounted.error !== undefined || mounted.status !== 0) {
    rmSync(where, { recursive: true, force: true });
    const notice =
      "no small file system may be mounted here, it needs a user who may; a limit on files stands in for it";
    return { name, writes: 0, injected: 0, violations: [], recoveryMs: [], notice };
  }
  try {
    await using stage = await openStage({ ...options, where }, ["reset-after@writes%20"]);
    const kinds = ["notes", "statements", "payment instructions", "transactions"] as const;
    const writes = 400;
    const task = { kind: "write", mark: "f", kinds, writes, together: 4 } as const;
    const driven = stage.drive({ task });
    await driven.ended;
    await stage.watch.quiet();
    const refused = driven.lines.filter((line) => line === "thrown full").length;
    const violations: Violation[] = [...stage.check("running")];
    if (refused === 0) {
      violations.push({ invariant: "the campaign itself", what: "the disk never ran full" });
    }
    const before = stage.watch.seen.length;
    // What is refused for want of room is refused before it is sent.
    const other = stage.drive({ task: { ...task, mark: "g", writes: 1 } });
    await other.ended;
    const sent = stage.watch.seen.length - before;
    const queued = other.lines.some((line) => line.startsWith("queued"));
    if (sent > 0 && !queued) {
      violations.push({
        invariant: "nothing unrecorded",
        what: `${sent} requests with a full disk`,
      });
    }
    const more = spawnSync("mount", ["-o", "remount,size=20m", where]);
    if (more.status !== 0) return { name, writes, injected: 1, violations, recoveryMs: [] };
    const { ms, violations: resent } = await stage.recover();
    violations.push(...resent, ...stage.check("recovered"), ...(await stage.summary()));
    const injected = 1 + stage.watch.seen.filter(({ fault }) => fault !== null).length;
    return { name, writes, injected, violations, recoveryMs: [ms] };
  } finally {
    spawnSync("umount", [where]);
    rmSync(where, { recursive: true, force: true });
  }
}
