/**
 * Takes over what colleagues decided: an entry that a colleague closed in the ledger is closed in the
 * journal of its machine, too, unless the journal knows its outcome.
 */
import { type Rows, whole } from "../../sqlite/rows.ts";
import { safe } from "../../text/sanitize.ts";
import { isOpen } from "../activity.ts";
import { closeEntry } from "../close-entry.ts";
import type { Journal } from "../journal/open-journal.ts";
import { authorWords } from "../words/authors.ts";
import type { Ledger, TeamPlace } from "./ledger.ts";
import type { ColleagueClosing } from "./ledger-views.ts";

/** Maximum number of entries that are asked about at once. */
const pageSize = 500;

/** The journal and the ledger beside it. */
interface ClosingsOptions {
  readonly journal: Pick<Journal, "read" | "commit">;
  readonly ledger: Pick<Ledger, "closings">;
  readonly place: TeamPlace;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** SQL for the published entries of a service whose outcome is open and which no process is sending. */
const openOfTeam = `SELECT intent.id FROM intent JOIN team_claim ON team_claim.intent = intent.id
  WHERE ${isOpen} AND state IN ('unknown', 'retryable') AND owner IS NULL AND team_claim.service = ?
    AND team_claim.address = ? AND dirty = 0
  ORDER BY intent.id`;

/**
 * Closes the open entries of this state folder that a colleague has closed. Resolves with their number.
 * Without an open entry, the ledger is not asked. Rejects with a team error or a journal error.
 */
export async function adoptClosings(options: ClosingsOptions): Promise<number> {
  const { journal, place, at } = options;
  const closings = await readClosings(options);
  if (closings.length === 0) return 0;
  return journal.commit((rows) => {
    const open = new Set(openIds(rows, place));
    const due = closings.filter(({ localId }) => open.has(localId));
    for (const closing of due) {
      const { localId, tookEffect } = closing;
      closeEntry(rows, localId, { tookEffect, reason: closingReason(closing) }, at);
    }
    return due.length;
  });
}

/** Returns the closings by colleagues of entries that are open in the journal. */
async function readClosings({
  journal,
  ledger,
  place,
}: ClosingsOptions): Promise<readonly ColleagueClosing[]> {
  const ids = journal.read((rows) => openIds(rows, place));
  const closings: ColleagueClosing[] = [];
  for (let start = 0; start < ids.length; start += pageSize)
    closings.push(...(await ledger.closings(ids.slice(start, start + pageSize))));
  return closings;
}

function openIds(rows: Rows, { service, address }: TeamPlace): readonly number[] {
  return rows.all(openOfTeam, service, address).map((row) => whole(row, "id"));
}

/** Returns the reason that the journal stores, with the colleague who gave it. */
function closingReason({ reason, author }: Pick<ColleagueClosing, "reason" | "author">) {
  return `${safe(reason)} (${authorWords(author)})`;
}
