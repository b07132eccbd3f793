/**
 * Publishes a request for recorded entries, so that a second person can approve them. The ledger
 * computes the numbers from the rows, and a claim of an entry must have the hash of its row.
 */
import { setImmediate } from "node:timers/promises";
import { serviceKey } from "../../api/url.ts";
import { decimalProblem } from "../../forms/decimals.ts";
import { isJsonNumber, memberOf } from "../../json/exact.ts";
import { type Rows, whole } from "../../sqlite/rows.ts";
import { addRemark } from "../journal/changes.ts";
import { type Entry, entryError, readEntry } from "../journal/entry.ts";
import { readOverride } from "../journal/override.ts";
import { textAt } from "../kinds/bodies.ts";
import { numberOf, type Operation } from "../kinds/kind.ts";
import { kindOf } from "../kinds/kinds.ts";
import { bodyFacts, contentHash, nextLink, prepareWrite, type WriteRequest } from "../prepare.ts";
import type { WriteContext, WriteResult } from "../send/events.ts";
import { waitingWords } from "../words/approvals.ts";
import type { Approval, NewRequest, NewRow, Unapproved } from "./approvals.ts";
import { ledgerOverrideOf } from "./from-journal.ts";

/** The entries to ask about, in the order of their rows. */
export interface Asked extends Omit<NewRequest, "token" | "service" | "profile"> {
  readonly ids: readonly number[];
}

/** Number of entries that are read at once. */
const pageSize = 100;

/**
 * Publishes a request. Rejects with a team error, or with a write error if an entry cannot be sent.
 * Nothing is sent to the service.
 */
export async function requestApproval(
  { journal, team, service, profile }: WriteContext,
  { ids, ...asked }: Asked,
): Promise<Approval> {
  if (team === null) throw new Error("Without a team, no one can approve.");
  async function* pages() {
    let chain = "";
    let position = 0;
    for (let at = 0; at < ids.length; at += pageSize) {
      await setImmediate();
      const page = journal.read((rows) => ids.slice(at, at + pageSize).map((id) => read(rows, id)));
      const found: NewRow[] = [];
      for (const one of page) {
        chain = nextLink(chain, one);
        for (const row of one.rows) found.push({ ...row, position: position++, chain });
      }
      yield found;
    }
  }
  const facts = { token: crypto.randomUUID(), service: serviceKey(service.baseUrl), profile };
  return team.ledger.approvals.ask({ ...facts, ...asked }, pages());
}

/**
 * Publishes one request for entries of one operation that are not rows of a run, and notes it with each.
 * Rejects with a team error.
 */
async function requestForEntries(
  context: WriteContext,
  operation: Operation,
  ids: readonly number[],
): Promise<Approval> {
  const [first, ...others] = context.journal.read((rows) => ids.map((id) => readEntry(rows, id)));
  // No file has the bytes of several entries, so no reading of one is published.
  const reading = others.length === 0 ? (first?.query ?? {}) : null;
  const request = await requestApproval(context, {
    ...{ operation, ids, run: null, source: null },
    reading,
  });
  const at = context.clock.now();
  const text = waitingWords(request);
  await context.journal.commit((rows) => {
    for (const id of ids) addRemark(rows, id, { at, kind: "guarded", text });
  });
  return request;
}

/** Returns the reason for which a second person must still agree to a write, or null. */
export function unapprovedIn({ refusal }: Pick<WriteResult, "refusal">): Unapproved | null {
  if (refusal?.kind !== "barred" || refusal.why !== "unapproved") return null;
  return refusal.approval ?? { why: "none", request: null };
}

/** Returns true if a new request can help: none waits, and no person refused it. */
export function canAsk({ why }: Unapproved): boolean {
  return why !== "waits" && why !== "refused";
}

/**
 * Asks a second person about writes that the ledger let not through without one: with one request for
 * all of an operation. Returns the results in order, those with the request that waits now, and those
 * that no request can help as they are. Rejects with a team error.
 */
export async function withRequests(
  context: WriteContext,
  results: readonly WriteResult[],
): Promise<readonly WriteResult[]> {
  const isAsked = (result: WriteResult) => {
    const unapproved = unapprovedIn(result);
    return unapproved !== null && canAsk(unapproved);
  };
  const asked = Map.groupBy(results.filter(isAsked), ({ operation }) => operation);
  const requests = new Map<Operation, Approval>();
  for (const [operation, of] of asked) {
    const ids = of.map(({ journalId }) => journalId);
    requests.set(operation, await requestForEntries(context, operation, ids));
  }
  return results.map((result) => {
    const request = requests.get(result.operation);
    const { refusal } = result;
    if (request === undefined || refusal?.kind !== "barred" || !isAsked(result)) return result;
    return { ...result, refusal: { ...refusal, approval: { why: "waits", request } } };
  });
}

/** Returns true if an entry was not sent because no second person had approved it. */
export function isWaiting({ state, reason }: Pick<Entry, "state" | "reason">): boolean {
  return state === "unsent" && reason === "not-approved";
}

/** SQL for the entries of which {@link isWaiting} is true. */
const waits = "state = 'unsent' AND reason = 'not-approved'";

/** Maximum number of entries of one form. */
const maxOfForm = 1_000;

/**
 * Returns the entries that wait for an approval among those that were recorded last up to an entry, oldest
 * first. The requests of one form are recorded one after another.
 */
export function waitingUpTo(
  { journal }: Pick<WriteContext, "journal">,
  last: number | null,
): readonly number[] {
  if (last === null) return [];
  const sql = `SELECT id FROM intent
    WHERE id > ? AND id <= ? AND ${waits} AND run IS NULL AND parent IS NULL ORDER BY id`;
  return journal
    .read((rows) => rows.all(sql, last - maxOfForm, last))
    .map((row) => whole(row, "id"));
}

/** Returns the entries for single items of an entry that wait for an approval, oldest first. */
export function waitingItems(
  { journal }: Pick<WriteContext, "journal">,
  id: number,
): readonly number[] {
  const sql = `SELECT id FROM intent WHERE parent = ? AND ${waits} ORDER BY id`;
  return journal.read((rows) => rows.all(sql, id)).map((row) => whole(row, "id"));
}

/**
 * Returns a function that finds the one of the entries of earlier tries that has the same request and
 * waits for its approval, or null. The approval is for this entry. No entry is found twice.
 */
export function waitingEntries(
  { journal }: Pick<WriteContext, "journal">,
  ids: readonly number[],
): (request: WriteRequest) => number | null {
  const read = (id: number) => journal.read((rows) => readEntry(rows, id));
  const byContent = Map.groupBy(ids, (id) => {
    const entry = read(id);
    return entry === null ? null : contentHash(entry);
  });
  return (request) => {
    if (ids.length === 0) return null;
    const same = byContent.get(contentHash(prepareWrite(request))) ?? [];
    const at = same.findIndex((id) => {
      // Another process can have sent it meanwhile.
      const entry = read(id);
      return entry !== null && isWaiting(entry);
    });
    return at === -1 ? null : (same.splice(at, 1)[0] ?? null);
  };
}

/** Reads an entry with the facts of its items. Throws a write error if its body is not stored. */
function read(rows: Rows, id: number) {
  const entry = readEntry(rows, id);
  if (entry === null || entry.body === null)
    throw entryError(id, "purged", `The body of entry ${id} is no longer stored.`);
  const { operation, query, body, target } = entry;
  const lines = rows
    .all("SELECT line FROM run_row WHERE intent = ? ORDER BY position", id)
    .map((row) => whole(row, "line"));
  const override = readOverride(rows, id);
  const again = override === null ? null : ledgerOverrideOf(override);
  const { items } = bodyFacts(operation, body);
  return {
    ...{ lines, target, write: { operation, query, body } },
    rows: items.map((item, at) => ({
      localId: id,
      line: lines[at] ?? null,
      content: contentHash(entry),
      ...itemFacts(entry, item),
      again,
    })),
  };
}

/** Returns the facts by which a person recognizes an item. */
function itemFacts({ operation, target }: Pick<Entry, "operation" | "target">, item: unknown) {
  const { contents, idField } = kindOf(operation);
  const { amount, date, reference } = contents;
  const fieldOf = (field: string | null) => (field === null ? null : textAt(item, field));
  const number = amount === null ? undefined : memberOf(item, amount);
  return {
    importSupplier: target.importSupplier,
    externalAccountNumber: numberOf(target),
    amount: isJsonNumber(number) && decimalProblem(number.rawJSON) === null ? number.rawJSON : null,
    reference: fieldOf(reference),
    day: fieldOf(date),
    itemId: fieldOf(idField),
  };
}
