/**
 * Joins a team with a state folder that has earlier entries: their outcomes are published once, so that
 * they bar colleagues, too.
 */
import { type Rows, whole } from "../../sqlite/rows.ts";
import { type Entry, readEntry } from "../journal/entry.ts";
import { isRecognized } from "../kinds/kinds.ts";
import { prepareWrite } from "../prepare.ts";
import type { WriteContext } from "../send/events.ts";
import { type AskedWrite, askTeam } from "./ask.ts";
import { barringEntries, publishAgain, renewFolder, storeClaim, storeJoin } from "./claims.ts";
import type { Team } from "./ledger.ts";

export interface Joinable {
  /** Number of entries with an item that bars a colleague. */
  readonly entries: number;
  /** Number of those with an item that an entry of a colleague has, too. */
  readonly known: number;
}

const pageSize = 200;

type JoinContext = WriteContext & { readonly team: Team };

/** Counts the entries that joining would publish. Rejects with a team error. */
export async function countJoinable(context: JoinContext): Promise<Joinable> {
  const { journal, team } = context;
  const ids = journal.read((rows) => barringEntries(rows, team.place));
  let known = 0;
  for (let at = 0; at < ids.length; at += pageSize) {
    const page = ids.slice(at, at + pageSize);
    const asked = journal.read((rows) => page.flatMap((id) => askedEntry(rows, id)));
    known += (await askTeam(context, asked)).filter((bar) => bar !== null).length;
  }
  return { entries: ids.length, known };
}

/**
 * Publishes the earlier entries, and joins when the ledger has all of them. Resolves with the number of
 * outcomes that it does not have yet. It can be repeated. Rejects with a team or a journal error.
 */
export async function join({ journal, team, clock }: JoinContext): Promise<number> {
  const ids = journal.read((rows) => barringEntries(rows, team.place));
  for (let at = 0; at < ids.length; at += pageSize)
    await journal.commit((rows) => {
      for (const id of ids.slice(at, at + pageSize)) claimEarlier(rows, team, id);
    });
  const left = await team.publish();
  if (left > 0) return left;
  // The publishing has reported an earlier leaving.
  await team.ledger.rejoin();
  await journal.commit((rows) => storeJoin(rows, team.place, clock.now()));
  return left;
}

/**
 * Gives the state folder an identity of its own, because it was copied: the ledger has its entries as
 * those of the other folder.
 */
export async function joinAsNew({ journal, team, clock }: JoinContext): Promise<void> {
  await journal.commit((rows) => {
    renewFolder(rows);
    storeJoin(rows, team.place, clock.now());
  });
}

function claimEarlier(rows: Rows, team: Team, id: number): void {
  const entry = readEntry(rows, id);
  if (entry === null) return;
  if (!publishAgain(rows, team.place, id)) {
    const claim = { token: crypto.randomUUID(), recognized: recognizedItems(rows, entry) };
    storeClaim(rows, team.place, id, claim);
    publishAgain(rows, team.place, id);
  }
}

/** Returns for each item true if the service recognizes it. Without the body, only the query shows it. */
function recognizedItems(rows: Rows, { id, operation, query, body }: Entry): readonly boolean[] {
  const items = body === null ? [] : prepareWrite({ operation, query, body }).facts.items;
  const positions = rows.all(
    "SELECT position FROM item_key WHERE intent = ? AND position >= 0 ORDER BY position",
    id,
  );
  return positions.map((row) => isRecognized(operation, query, [items[whole(row, "position")]]));
}

function askedEntry(rows: Rows, id: number): readonly AskedWrite[] {
  const entry = readEntry(rows, id);
  if (entry === null || entry.body === null) return [];
  const { operation, query, body } = entry;
  return [{ write: prepareWrite({ operation, query, body }), id }];
}
