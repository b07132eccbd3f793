/** Assigns a run to one process at a time. That process renews its claim regularly. */
import { isSameService } from "../api/url.ts";
import { AppError, otherStateFolderRemedy } from "../errors/app-error.ts";
import { type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { ownerFrom, ownerText } from "../writes/owner.ts";
import { isGone } from "../writes/send/account-lock.ts";
import type { WriteContext } from "../writes/send/events.ts";
import type { RunEnd } from "./run-record.ts";

export const claimRenewalMs = 10_000;

/**
 * Time without a renewal after which this process may claim its own run again, in milliseconds. The
 * earlier work of this process on the run has then failed.
 */
const claimExpiryMs = 6 * claimRenewalMs;

/** Claims a run of this service in a commit, and returns its row. Throws a run error. */
export function takeRun(rows: Rows, context: WriteContext, id: string): Row {
  const run = rowOfRun(rows, id);
  const baseUrl = text(run, "base_url");
  if (!isSameService(baseUrl, context.service.baseUrl)) {
    const words = `Run ${id} is for ${baseUrl}; use the profile of that service.`;
    throw new AppError("run", "wrong-service", words);
  }
  return claimRun(rows, context, id);
}

/** Reads the row of a run. Throws a run error `not-found`. */
export function rowOfRun(rows: Rows, id: string): Row {
  const run = rows.get("SELECT * FROM run WHERE id = ?", id);
  if (run !== undefined) return run;
  const remedy = `\`supplyline bulk list\` lists all runs. ${otherStateFolderRemedy}`;
  throw new AppError("run", "not-found", `The journal has no run ${id}.`, { remedy });
}

/** Claims a run of any service, for work that sends nothing. Throws a run error. */
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
      ? clock.now() - renewedAt > claimExpiryMs
      : isGone(process, owner, renewedAt, clock.now()));
  if (!free) throw new AppError("run", "in-use", `Process ${owner.pid} is running run ${id}.`);
  rows.update("run", { owner: self, renewed_at: clock.now() }, "id = ?", id);
  return run;
}

/** Renews the claim. Returns false if another process has claimed the run. */
export function renewRun(rows: Rows, context: WriteContext, id: string): boolean {
  return updateOwn(rows, context, id, { renewed_at: context.clock.now() }) > 0;
}

/** Releases a run without changing its state. */
export function releaseRun(rows: Rows, context: WriteContext, id: string): void {
  updateOwn(rows, context, id, { owner: null });
}

/** Changes a run that this process owns. Returns 0 if another process owns it. */
function updateOwn(
  rows: Rows,
  { process }: WriteContext,
  id: string,
  columns: Parameters<Rows["update"]>[1],
): number {
  return rows.update("run", columns, "id = ? AND owner = ?", id, ownerText(process.self));
}

export function endRun(
  rows: Rows,
  context: WriteContext,
  id: string,
  end: { readonly kind: RunEnd["kind"]; readonly because: string | null },
): void {
  const isEnded = end.kind === "ended";
  updateOwn(rows, context, id, {
    owner: null,
    state: isEnded ? "ended" : "stopped",
    ended_at: isEnded ? context.clock.now() : null,
    stopped_by: isEnded ? null : end.kind,
    stopped_because: isEnded ? null : end.because,
  });
}
