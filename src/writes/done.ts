/** Adds up what the entries of the journal did: entries, rows and exact sums by outcome. */
import { setImmediate } from "node:timers/promises";
import { decimalPlaces, decimalProblem, ExactSum } from "../forms/decimals.ts";
import { isJsonNumber, memberOf } from "../json/exact.ts";
import type { TeamNames } from "../settings/team-access.ts";
import { maybeText, maybeWhole, type Row, text, whole } from "../sqlite/rows.ts";
import { fieldsOf } from "../text/fields.ts";
import { sharedFields } from "../text/shared-fields.ts";
import { type ActivityFilter, type ActivityOutcome, entryPages, outcomeOf } from "./activity.ts";
import { effectiveState } from "./item-keys.ts";
import type { State, TookEffect } from "./journal/entry.ts";
import type { Journal } from "./journal/open-journal.ts";
import type { BodyFacts } from "./kinds/kind.ts";
import { isOperation, kindOf } from "./kinds/kinds.ts";
import { amountsNamed } from "./kinds/read-response.ts";
import { bodyFacts } from "./prepare.ts";
import type { DoneOfPerson } from "./team/ledger-views.ts";

/** The outcome of a row. `exists` is a confirmed row that already existed. */
type DoneOutcome = ActivityOutcome | "exists";

const outcomes: readonly DoneOutcome[] = [
  "confirmed",
  "exists",
  "closed",
  "rejected",
  "unknown",
  "retryable",
  "sending",
  "unsent",
];
const answers: readonly TookEffect[] = ["yes", "no", "unknown"];

export interface Done {
  readonly operation: string;
  readonly importSupplier: string;
  readonly outcome: DoneOutcome;
  /** `yes` if the rows are at the service, `no` if not, `unknown` if they might be. */
  readonly tookEffect: TookEffect;
  readonly entries: number;
  readonly rows: number;
  /**
   * The exact sum of the amounts, as decimal text, or null if the operation moves no amounts or an
   * amount is no longer stored. An amount is that of the service's answer if it names one.
   */
  readonly sum: string | null;
}

/** The sums of one person of a team on one machine. */
export interface PersonDone extends Done {
  readonly by: string;
  readonly machine: string;
}

/** Returns the sums of this machine's person. */
export function doneHere(done: readonly Done[], { person: by, machine }: TeamNames) {
  return done.map((one): PersonDone => ({ ...one, by, machine }));
}

/** Returns the sums of colleagues. The ledger has no amounts. */
export function doneByColleagues(done: readonly DoneOfPerson[]) {
  return done.map(
    ({ person: by, machine, login: _, ...one }): PersonDone => ({ ...one, by, machine, sum: null }),
  );
}

const personField = fieldsOf<PersonDone>();

/** The fields that sums have with a team, before the others. */
export const personFields = {
  by: personField("by", "text", "The name of the person, as that machine says.", (of) => of.by),
  machine: personField(
    "machine",
    "text",
    "The name of the machine, as it says.",
    (of) => of.machine,
  ),
};

const field = fieldsOf<Done>();

export const doneFields = {
  operation: field(...sharedFields.operation, (of) => of.operation),
  supplier: field(...sharedFields.supplier, (of) => of.importSupplier),
  outcome: field(
    "outcome",
    "text",
    "`confirmed`, `exists` (it already existed), `closed`, `rejected`, `unknown`, `retryable`, `sending` or `unsent`.",
    (of) => of.outcome,
  ),
  tookEffect: field(
    "took_effect",
    "text",
    "`yes` if the rows are at the service, `no` if not, `unknown` if they might be.",
    (of) => of.tookEffect,
  ),
  entries: field(
    "entries",
    "number",
    "Journal entries with at least one of these rows.",
    (of) => of.entries,
  ),
  rows: field("rows", "number", "Items of these entries.", (of) => of.rows),
  sum: field(
    "sum",
    "text or null",
    "The exact sum of the amounts of transactions: of the amounts that the answer names, and where it names none, or where there is no answer, of those that were sent; null for other operations, and if an amount is no longer stored.",
    (of) => of.sum,
  ),
};

/**
 * SQL for the items of a page of entries. An item that a verification sent in a separate entry has
 * the outcome there.
 */
const itemsOf = (ids: readonly number[]) => `SELECT k.intent, k.position, i.state AS entry_state,
    ${effectiveState} AS effect, t.outcome, CASE WHEN t.outcome IS NULL OR t.outcome = 'unknown' THEN (
      SELECT found.outcome FROM intent c JOIN item_key ck ON ck.intent = c.id AND ck.key = k.key
      JOIN item found ON found.intent = c.id AND found.position = ck.position
      WHERE c.parent = i.id AND found.outcome IN ('created', 'exists') LIMIT 1) END AS verified
  FROM intent i LEFT JOIN item_key k ON k.intent = i.id
  LEFT JOIN item t ON t.intent = k.intent AND t.position = k.position
  WHERE i.id IN (${ids.join(", ")}) ORDER BY i.id, k.position`;

/** SQL for the answer that confirmed an item, of its entry or of one that verified it. */
const answerOf = `SELECT i.id, i.operation, i.body, a.response, own.position
  FROM item_key k JOIN item_key own ON own.key = k.key
  JOIN intent i ON i.id = own.intent AND k.intent IN (i.id, i.parent)
  JOIN attempt a ON a.intent = i.id AND a.outcome = 'confirmed'
  WHERE k.intent = ? AND k.position = ? ORDER BY i.id DESC, a.n DESC LIMIT 1`;

const columns = "id, operation, import_supplier, parent, body";

/**
 * Returns the sums of the matching entries, sorted by operation, supplier and outcome. An entry that
 * verifies an item of another entry counts there. Yields to other work between pages. Rejects with a
 * journal error, or with the reason of the signal.
 */
export async function doneBy(
  journal: Journal,
  filter: ActivityFilter,
  signal: AbortSignal,
): Promise<readonly Done[]> {
  const tallies = new Map<string, Tally>();
  for (const page of entryPages(journal, filter, { columns, order: "oldest" })) {
    const entries = page.filter((entry) => maybeWhole(entry, "parent") === null);
    const ids = entries.map((entry) => whole(entry, "id"));
    const items = journal.read((rows) => rows.all(itemsOf(ids)));
    const itemsByEntry = Map.groupBy(items, (item) => maybeWhole(item, "intent"));
    for (const entry of entries)
      addEntry(journal, tallies, entry, itemsByEntry.get(whole(entry, "id")) ?? []);
    await setImmediate();
    signal.throwIfAborted();
  }
  const order = ({ operation, importSupplier, outcome, tookEffect }: Done) =>
    [operation, importSupplier, outcomes.indexOf(outcome), answers.indexOf(tookEffect)] as const;
  return [...tallies.values()]
    .map((tally) => tally.done())
    .sort((one, other) => {
      const [a, b] = [order(one), order(other)];
      const at = a.findIndex((part, index) => part !== b[index]);
      return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
    });
}

function addEntry(
  journal: Journal,
  tallies: Map<string, Tally>,
  entry: Row,
  items: readonly Row[],
): void {
  const operation = text(entry, "operation");
  const importSupplier = text(entry, "import_supplier");
  const amounts = amountsOf(operation, entry);
  const answers = new Map<number, Amounts>();
  const amountOf = (item: Row, tookEffect: TookEffect) => {
    const sent = amounts?.[whole(item, "position")] ?? null;
    if (amounts === null || tookEffect !== "yes" || isStored(sent)) return sent;
    const at = [whole(item, "intent"), whole(item, "position")] as const;
    const answer = journal.read((rows) => rows.get(answerOf, ...at));
    if (answer === undefined) return sent;
    const id = whole(answer, "id");
    const answered = answers.get(id) ?? amountsIn(answer);
    answers.set(id, answered);
    return answered[whole(answer, "position")] ?? sent;
  };
  const counted = new Set<Tally>();
  for (const item of items) {
    const { outcome, tookEffect } = outcomeOfItem(item);
    const key = JSON.stringify([operation, importSupplier, outcome, tookEffect]);
    const tally = tallies.get(key) ?? new Tally({ operation, importSupplier, outcome, tookEffect });
    tallies.set(key, tally);
    counted.add(tally);
    tally.addRow(amountOf(item, tookEffect));
  }
  for (const tally of counted) tally.addEntry();
}

function outcomeOfItem(row: Row): Pick<Done, "outcome" | "tookEffect"> {
  const item = maybeText(row, "verified") ?? maybeText(row, "outcome");
  const effect = maybeText(row, "verified") === null ? maybeText(row, "effect") : "confirmed";
  const tookEffect = effect === "confirmed" ? "yes" : effect === null ? "no" : "unknown";
  const outcome = outcomeOf(text(row, "entry_state") as State);
  if (item === "exists" && tookEffect === "yes") return { outcome: "exists", tookEffect };
  if (item === "created" && tookEffect === "yes") return { outcome: "confirmed", tookEffect };
  if (item === "rejected" || item === "not-reached") return { outcome: "rejected", tookEffect };
  return { outcome, tookEffect };
}

/** Amounts in the order of an entry's items, null for each that is not known. */
type Amounts = readonly (string | null)[];

/** Returns the amounts of an entry's items in order, or null if they are not known. */
function amountsOf(operation: string, entry: Row): Amounts | null {
  if (!isOperation(operation) || !kindOf(operation).isSummed) return null;
  const { amount } = kindOf(operation).contents;
  const facts = factsOf(entry);
  if (amount === null || facts === null) return null;
  return facts.items.map((item) => {
    const value = memberOf(item, amount);
    return isJsonNumber(value) && decimalProblem(value.rawJSON) === null ? value.rawJSON : null;
  });
}

/** Returns the facts of an entry's body, or null if it was purged or is damaged. */
function factsOf(entry: Row): BodyFacts | null {
  const operation = text(entry, "operation");
  if (!isOperation(operation) || !(entry.body instanceof Uint8Array)) return null;
  try {
    return bodyFacts(operation, entry.body);
  } catch {
    // The body of a damaged entry is not JSON.
    return null;
  }
}

/** Returns true if the service stores this amount as it is: it stores two places. */
function isStored(amount: string | null): boolean {
  return amount !== null && decimalPlaces(amount) <= 2;
}

/** Returns the amounts that an answer names, in the order of the items of its entry. */
function amountsIn(answer: Row): Amounts {
  const operation = text(answer, "operation");
  const response = maybeText(answer, "response");
  const facts = factsOf(answer);
  if (!isOperation(operation) || response === null || facts === null) return [];
  return amountsNamed(kindOf(operation), facts, response);
}

class Tally {
  readonly #of: Pick<Done, "operation" | "importSupplier" | "outcome" | "tookEffect">;
  readonly #sum = new ExactSum();
  #entries = 0;
  #rows = 0;
  #isSumKnown = true;

  constructor(of: Pick<Done, "operation" | "importSupplier" | "outcome" | "tookEffect">) {
    this.#of = of;
  }

  addRow(amount: string | null): void {
    this.#rows += 1;
    if (amount === null) this.#isSumKnown = false;
    else this.#sum.add(amount);
  }

  addEntry(): void {
    this.#entries += 1;
  }

  done(): Done {
    return {
      ...this.#of,
      entries: this.#entries,
      rows: this.#rows,
      sum: this.#isSumKnown ? this.#sum.text() : null,
    };
  }
}
