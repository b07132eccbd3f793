/** The one way a journalled write leaves this machine. */
import { releaseClaim } from "../journal/claims.ts";
import { type Entry, readAttempts, type State } from "../journal/entry.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { Rows } from "../journal/rows.ts";
import { prepareWrite } from "../prepare.ts";
import { WriteError } from "../write-error.ts";
import { beginInCommit } from "./attempt.ts";
import type { WriteResult } from "./events.ts";
import { waitForLane } from "./lane.ts";
import { limitsOf, type SendOptions, type WriteContext } from "./options.ts";
import { sendUntilOver } from "./resending.ts";
import { newRun, type Run, resultOf } from "./run.ts";
import { sendSupplyPoint } from "./supply-point.ts";

/**
 * Sends a journalled entry that is in one of the states `from`, and resolves with its outcome once
 * that is on disk. Rejects with WriteError or JournalError only when nothing was sent by this call.
 */
export function sendEntry(
  context: WriteContext,
  id: number,
  from: readonly State[],
  options: SendOptions,
): Promise<WriteResult> {
  const open = (rows: Rows, entry: Entry) => {
    const run = openRun(context, rows, entry, options);
    // One wait for the disk less where nothing comes between the claim and the sending.
    if (sendsAtOnce(run)) run.begun = beginInCommit(run, rows);
    return run;
  };
  return holding(context, id, from, options, open, (run) =>
    run.entry.operation === "supply-points create" ? sendSupplyPoint(run) : sendUntilOver(run),
  );
}

/** Does something with an entry while no other process, and no other write to its account, may. */
export function withClaim(
  context: WriteContext,
  id: number,
  from: readonly State[],
  options: SendOptions,
  work: (run: Run) => Promise<WriteResult>,
): Promise<WriteResult> {
  const open = (rows: Rows, entry: Entry) => openRun(context, rows, entry, options);
  return holding(context, id, from, options, open, work);
}

async function holding(
  context: WriteContext,
  id: number,
  from: readonly State[],
  options: SendOptions,
  open: (rows: Rows, entry: Entry) => Run,
  work: (run: Run) => Promise<WriteResult>,
): Promise<WriteResult> {
  const lane = await waitForLane(context, id, from, options, limitsOf(options), open);
  if (lane.kind === "ended") return lane.result;
  const { journal, process } = context;
  const run = lane.taken;
  try {
    return await work(run);
  } catch (error) {
    // Best effort: a claim that stays behind ends with this process.
    await journal.commit((rows) => releaseClaim(rows, id, process.self)).catch(() => {});
    // What an earlier attempt came to stands in the journal already.
    if (run.made > 0 && error instanceof JournalError) return resultOf(run, error);
    throw error;
  }
}

/** A supply point is looked up before, and what is in doubt is given time to settle. */
function sendsAtOnce({ entry, doubt }: Run): boolean {
  return entry.operation !== "supply-points create" && doubt !== "unknown";
}

function openRun(context: WriteContext, rows: Rows, entry: Entry, options: SendOptions): Run {
  if (entry.body === null) {
    throw new WriteError("purged", `The body of entry ${entry.id} is no longer kept.`, entry.id);
  }
  const { operation, query, body } = entry;
  const write = prepareWrite({ operation, query, body });
  if (write.sha256 !== entry.sha256) {
    const words = `Entry ${entry.id} of the journal does not hold the bytes that it was made with.`;
    throw new JournalError("corrupt", context.journal.path, words);
  }
  const last = readAttempts(rows, entry.id).at(-1);
  // A clock that was set back since must not have anybody wait for a time that is long past.
  const endedAt = Math.min(last?.endedAt ?? last?.startedAt ?? 0, context.clock.now());
  const limits = limitsOf(options);
  return newRun(context, options, limits, entry, write, { n: last?.n ?? 0, endedAt });
}
