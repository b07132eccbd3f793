/** Closes an open entry with the operator's answer, for the console and the commands. */
import { maybeText, type Row, type Rows, text } from "../sqlite/rows.ts";
import { addRemark } from "./journal/changes.ts";
import {
  type Closing,
  entryError,
  noEntry,
  readEntryRow,
  type TookEffect,
} from "./journal/entry.ts";
import type { Journal } from "./journal/open-journal.ts";
import { isOpenOutcome } from "./open-entries.ts";
import { ownerFrom } from "./owner.ts";

/**
 * Closes an entry and stores the operator's reason and answer. Only an open entry can be closed.
 * Resolves with the profile of the entry, so that the caller can discard its draft. Rejects with a
 * write error or a journal error.
 */
export function close(
  journal: Journal,
  id: number,
  { reason, tookEffect }: Closing,
  at: number,
): Promise<string> {
  return journal.commit((rows) => {
    // A damaged entry can be closed, because the operator knows its outcome.
    const row = readEntryRow(rows, id);
    if (row === undefined) throw noEntry(id);
    const [state, owner] = [text(row, "state"), ownerFrom(text(row, "owner"))];
    if (reason.trim() === "") throw entryError(id, "invalid", "Closing needs a reason.");
    if (owner !== null) {
      throw entryError(id, "in-use", `Process ${owner.pid} is sending entry ${id}.`);
    }
    const run = maybeText(row, "run");
    if (state === "intent" && run !== null) {
      const words = `Entry ${id} is not sent yet: run ${run} sends it when it is resumed.`;
      throw entryError(id, "not-possible", words);
    }
    if (!isOpenOutcome(state)) {
      const words = `Entry ${id} is ${state}; only an unknown, rejected, retryable or unsent one is closed.`;
      throw entryError(id, "not-possible", words);
    }
    closeEntry(rows, id, { tookEffect, reason: reason.trim() }, at);
    return text(row, "profile");
  });
}

/** Closes an entry inside a commit. The caller has checked that it is open. */
export function closeEntry(
  rows: Rows,
  id: number,
  { reason, tookEffect }: Closing,
  at: number,
): void {
  const row = readEntryRow(rows, id);
  if (row === undefined) throw noEntry(id);
  stateDoubt(rows, id, row, tookEffect);
  const settled = { state: "closed", reason: "closed-by-operator", ended_at: at };
  rows.update("intent", { ...settled, took_effect: tookEffect }, "id = ?", id);
  addRemark(rows, id, { at, kind: "closed", text: reason });
}

/**
 * Stores what the state of an open entry implies about its effect, because the state changes. An
 * unknown outcome is a doubt. A rejection of the items does not stay if the operator saw the effect,
 * or if it was a conflict with another request, which proves nothing.
 */
function stateDoubt(rows: Rows, id: number, row: Row, tookEffect: TookEffect): void {
  const isInDoubt = text(row, "doubt") !== "none";
  const isConflict = text(row, "state") === "rejected" && isInDoubt;
  if (text(row, "state") === "unknown" && !isInDoubt)
    rows.update("intent", { doubt: "unknown" }, "id = ?", id);
  if (tookEffect === "yes" || isConflict) {
    const refused = "intent = ? AND outcome IN ('rejected', 'not-reached')";
    rows.update("item", { outcome: "unknown" }, refused, id);
  }
}
