/**
 * No file may grow any further: what a full disk is to a journal, where no small disk can be had. Any
 * user may set such a limit, on any system with a POSIX shell.
 */
import type { Violation } from "../invariants/invariant.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/** Bytes; the journal's log reaches them long before it is folded into the journal. */
const soon = 400 * 1024;
/** Not even the first page of a log. */
const atOnce = 2 * 1024;

export async function fileLimit(options: ScenarioOptions): Promise<ScenarioResult> {
  const name = "no file may grow";
  await using stage = await openStage(options, ["reset-after@writes%20"]);
  const kinds = ["notes", "statements", "payment instructions", "transactions"] as const;
  const writes = 400;
  const task = { kind: "write", mark: "f", kinds, writes, together: 4 } as const;
  const driven = stage.drive({ task }, soon);
  await driven.ended;
  await stage.watch.quiet();
  const violations: Violation[] = [...stage.check("running")];
  if (!driven.lines.some((line) => refusal.test(line))) {
    violations.push({ invariant: "the campaign itself", what: "the limit was never reached" });
  }
  const before = stage.watch.seen.length;
  // What is refused for want of room is refused before it is sent.
  const other = stage.drive({ task: { ...task, mark: "g", writes: 1 } }, atOnce);
  await other.ended;
  const sent = stage.watch.seen.length - before;
  if (sent > 0) {
    violations.push({ invariant: "nothing unrecorded", what: `${sent} requests beyond the limit` });
  }
  if (!other.lines.some((line) => refusal.test(line))) {
    violations.push({ invariant: "the campaign itself", what: "a write passed the limit" });
  }
  const { ms, violations: resent } = await stage.recover();
  violations.push(...resent, ...stage.check("recovered"), ...(await stage.summary()));
  const injected = 1 + stage.watch.seen.filter(({ fault }) => fault !== null).length;
  return { name, writes, injected, violations, recoveryMs: [ms] };
}

/** SQLite distinguishes a file that may not grow from a full disk, and calls it a failing one. */
const refusal = /^thrown (?:full|failing)$/;
