/** One process at a time is at a run; it says so, and says now and then that it still is. */
import { isGone } from "../writes/journal/claims.ts";
import { type Row, type Rows, text, whole } from "../writes/journal/rows.ts";
import { ownerFrom, ownerText } from "../writes/owner.ts";
import type { WriteContext } from "../writes/submit.ts";
import type { RunEnd } from "./progress.ts";
import { RunError } from "./run-error.ts";

/** How often a process says that it is still at its run. */
export const heartbeatMs = 10_000;

/** A run of this very process that gave no sign for so long was left by a fault. */
const leftAfterMs = 6 * heartbeatMs;

/** Takes a run, inside a commit, and returns its row. Throws RunError. */
export function takeRun(rows: Rows, writes: WriteContext, id: string): Row {
  const run = rowOfRun(rows, id);
  const baseUrl = text(run, "base_url");
  if (baseUrl !== writes.service.baseUrl) {
    const words = `Run ${id} is for ${baseUrl}; use the profile of that service.`;
    throw new RunError("wrong-service", words);
  }
  return claimRun(rows, writes, id);
}

function rowOfRun(rows: Rows, id: string): Row {
  const run = rows.get("SELECT * FROM run WHERE id = ?", id);
  if (run === undefined) throw new RunError("not-found", `The journal has no run ${id}.`);
  return run;
}

/** The same for a run of whichever service, to do something that no service is needed for. */
export function claimRun(
  rows: Rows,
  { process, clock }: Pick<WriteContext, "process" | "clock">,
  id: string,
): Row {
  const run = rowOfRun(rows, id);
  const owner = ownerFrom(text(run, "owner"));
  const lastSign = whole(run, "renewed_at");
  const self = ownerText(process.self);
  const free =
    owner === null ||
    (ownerText(owner) === self
      ? clock.now() - lastSign > leftAfterMs
      : isGone(process, owner, lastSign, clock.now()));
  if (!free) throw new RunError("in-use", `Process ${owner.pid} is at run ${id} just now.`);
  rows.run("UPDATE run SET owner = ?, renewed_at = ? WHERE id = ?", self, clock.now(), id);
  return run;
}

/** Says that this process is still at it; false when another one has taken the run over. */
export function renewRun(rows: Rows, writes: WriteContext, id: string): boolean {
  const { process, clock } = writes;
  return (
    rows.run(
      "UPDATE run SET renewed_at = ? WHERE id = ? AND owner = ?",
      clock.now(),
      id,
      ownerText(process.self),
    ).changes > 0
  );
}

/** Lets go of a run without saying more of it. */
export function leaveRun(rows: Rows, writes: WriteContext, id: string): void {
  rows.run(
    "UPDATE run SET owner = NULL WHERE id = ? AND owner = ?",
    id,
    ownerText(writes.process.self),
  );
}

/** Lets go of a run and says how it stands now. */
export function endRun(
  rows: Rows,
  writes: WriteContext,
  id: string,
  end: { readonly kind: RunEnd["kind"]; readonly because: string | null },
): void {
  const { process, clock } = writes;
  const over = end.kind === "ended";
  rows.run(
    `UPDATE run SET owner = NULL, state = ?, ended_at = ?, stopped_by = ?, stopped_because = ?
     WHERE id = ? AND owner = ?`,
    over ? "ended" : "stopped",
    over ? clock.now() : null,
    over ? null : end.kind,
    over ? null : end.because,
    id,
    ownerText(process.self),
  );
}
