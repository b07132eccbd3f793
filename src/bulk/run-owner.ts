/** One process at a time owns a run, and renews its claim with a heartbeat. */

import { type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { isGone } from "../writes/journal/claims.ts";
import { ownerFrom, ownerText } from "../writes/owner.ts";
import type { WriteContext } from "../writes/submit.ts";
import type { RunEnd } from "./progress.ts";
import { RunError } from "./run-error.ts";

/** How often a process renews its claim. */
export const heartbeatMs = 10_000;

/** A run of this process without a heartbeat for this long was left behind by a fault. */
const leftAfterMs = 6 * heartbeatMs;

/** Claims a run, inside a commit, and returns its row. Throws RunError. */
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

/** The same for a run of any service, for work that needs no service. */
export function claimRun(
  rows: Rows,
  { process, clock }: Pick<WriteContext, "process" | "clock">,
  id: string,
): Row {
  const run = rowOfRun(rows, id);
  const owner = ownerFrom(text(run, "owner"));
  const renewedAt = whole(run, "renewed_at");
  const self = ownerText(process.self);
  const free =
    owner === null ||
    (ownerText(owner) === self
      ? clock.now() - renewedAt > leftAfterMs
      : isGone(process, owner, renewedAt, clock.now()));
  if (!free) throw new RunError("in-use", `Process ${owner.pid} is running run ${id}.`);
  rows.run("UPDATE run SET owner = ?, renewed_at = ? WHERE id = ?", self, clock.now(), id);
  return run;
}

/** Renews the claim; false when another process has taken over the run. */
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

/** Releases a run without changing its state. */
export function leaveRun(rows: Rows, writes: WriteContext, id: string): void {
  rows.run(
    "UPDATE run SET owner = NULL WHERE id = ? AND owner = ?",
    id,
    ownerText(writes.process.self),
  );
}

/** Releases a run and records its state. */
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
