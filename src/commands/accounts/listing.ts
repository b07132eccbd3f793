/**
 * Reads the filter of `accounts list`, and selects the rows that match it, with or without ages.
 */

import { type AgedItem, agedFields, listedFields } from "../../accounts/account-fields.ts";
import { batchFilter } from "../../accounts/filter.ts";
import { type AccountFacts, applicableFilter, usesAges } from "../../accounts/filter-facts.ts";
import { type FilterQuery, parseFilter } from "../../accounts/filter-query.ts";
import {
  type AccountBatch,
  type AccountListItem,
  rowOfBatch,
} from "../../accounts/ingest/batch.ts";
import type { ListEnd } from "../../accounts/ingest/read-list.ts";
import { ServiceError } from "../../api/errors.ts";
import type { ErrorContext } from "../../errors/app-error.ts";
import { formatInstant } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import type { NumberSet } from "../../triage/account-numbers.ts";
import { ageFacts } from "../../triage/age-facts.ts";
import {
  type Ages,
  comparisonIn,
  type Observations,
  type Recorded,
} from "../../triage/observations/observations.ts";
import { cohortsOf } from "../cohorts/cohort-entry.ts";
import { failedCall, usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { Observing } from "../observing.ts";
import type { Column } from "../rows/columns.ts";
import { AgedRows } from "./aged-rows.ts";

export interface Listed {
  readonly invocation: Invocation;
  readonly observing: Observing;
  readonly supplier: string;
  /** The filter, or null for all accounts. */
  readonly filter: ListFilter | null;
}

interface ListFilter {
  readonly query: FilterQuery;
  readonly cohort: AccountFacts["cohort"];
}

/**
 * Parses the filter of an option and reads the cohorts that it names, for the accounts of a
 * supplier. Returns null for a filter without words. `goneError` is the error for a filter with
 * `is:gone`, or null if the filter can have it. Throws `usage` for an invalid filter, or a cohort
 * error.
 */
export async function listFilter(
  invocation: Invocation,
  supplier: string,
  option: "--filter" | "--where",
  typed: string,
  goneError: string | null,
): Promise<ListFilter | null> {
  const query = parseFilter(typed, invocation.io.clock.now());
  if (query.problem !== null) throw usageError(`${option}: ${query.problem}`);
  if (goneError !== null && query.words.some(({ kind }) => kind === "gone"))
    throw usageError(`${option}: ${goneError}`);
  if (query.words.length === 0) return null;
  const members = new Map<string, NumberSet>();
  for (const word of query.words)
    if (word.kind === "cohort" && !members.has(word.name))
      members.set(word.name, (await cohortsOf(invocation).read(word.name, supplier)).numbers);
  const cohort: AccountFacts["cohort"] = (name) => {
    const numbers = members.get(name);
    if (numbers === undefined) return { kind: "unknown", why: `There is no cohort "${name}".` };
    const has = (bytes: Uint8Array, from: number, to: number) => numbers.find(bytes, from, to) >= 0;
    return { kind: "known", value: { has } };
  };
  return { query, cohort };
}

export interface Listing<R> {
  readonly columns: readonly Column<R>[];
  /** Time of the request in epoch milliseconds. */
  readonly listedAt: number;
  rows(batch: AccountBatch): R[];
  /** The function for one row of a batch, or null if some rows are not printed as listed. */
  readonly row: ((batch: AccountBatch, index: number) => R) | null;
  /**
   * Yields the rows to print after a complete list, such as gone accounts. `finishRecording` ends
   * the recording of the list, or returns null if the list is not recorded.
   */
  after(finishRecording: () => Promise<Recorded> | null): AsyncIterable<R[]>;
  /** Returns the rows that are not known after a complete list in words, or null if all are. */
  unknown(): string | null;
}

export async function plainListing(list: Listed): Promise<Listing<AccountListItem>> {
  const ages = needsAges(list) ? ((await readAges(list)) ?? null) : null;
  const listedAt = list.invocation.io.clock.now();
  const chosen = chosenRows(list, { ages, listedAt });
  return {
    columns: listedFields,
    listedAt,
    rows:
      chosen === null
        ? (batch) => Array.from({ length: batch.count }, (_, index) => rowOfBatch(batch, index))
        : (batch) => chosen(batch).map((index) => rowOfBatch(batch, index)),
    row: chosen === null ? rowOfBatch : null,
    async *after() {},
    unknown: () => null,
  };
}

export async function agedListing(
  list: Listed & { readonly options: { readonly state: string } },
): Promise<Listing<AgedItem>> {
  const { observing, supplier, options, invocation } = list;
  const ages = await readAges(list);
  const listedAt = invocation.io.clock.now();
  const chosen = chosenRows(list, { ages: ages ?? null, listedAt }) ?? allRows;
  const aged = new AgedRows(ages, listedAt);
  return {
    columns: agedFields,
    listedAt,
    row: null,
    rows(batch) {
      aged.take(batch);
      return chosen(batch).map((index) => aged.item(batch, index));
    },
    async *after(finishRecording) {
      if (options.state !== "all") return;
      const isRecorded = comparisonIn(await finishRecording())?.kind === "recorded";
      const newAges = isRecorded
        ? await observing.read((observations) => observations.ages(supplier))
        : null;
      for (const { batch, item } of aged.gone(newAges ?? null)) yield chosen(batch).map(item);
    },
    unknown: () =>
      aged.isHeldBack
        ? `${supplier} lists far fewer accounts than before: those that left with this list are not known.`
        : null,
  };
}

/**
 * Returns the ages stored before the list, null if none are stored, or undefined if they cannot be
 * read. Rejects if the filter needs ages that cannot be read.
 */
async function readAges(list: Listed) {
  const { invocation, observing, supplier } = list;
  const { signal } = invocation.io;
  const read = (observations: Observations) => observations.ages(supplier, signal);
  const ages = await (needsAges(list) ? read(observing.observations) : observing.read(read));
  if (ages === null)
    invocation.notice(`This is the first observed list of ${supplier}: ages start with it.`);
  return ages;
}

function needsAges({ filter }: Listed): boolean {
  return filter !== null && usesAges(filter.query);
}

function allRows({ count }: AccountBatch): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/**
 * Returns a function that selects the numbers of the matching rows, or null without a filter.
 * Throws `usage` if the filter cannot be applied.
 */
function chosenRows(
  { filter }: Listed,
  { ages, listedAt }: { readonly ages: Ages | null; readonly listedAt: number },
): ((batch: AccountBatch) => number[]) | null {
  if (filter === null) return null;
  const { query, cohort } = filter;
  const facts: AccountFacts = {
    ages: { kind: "known", value: ageFacts(ages, listedAt) },
    cohort,
    withoutGone: null,
  };
  const { problem } = applicableFilter(query, facts).query;
  if (problem !== null) throw usageError(`--filter: ${problem}`);
  const timeText = (ms: number) => formatInstant(ms, { utc: true });
  return batchFilter(query, timeText, { facts, now: listedAt });
}

export function unreadableRowsOf(end: ListEnd | null): number {
  return end?.unreadableRows ?? 0;
}

/** Throws if elements of a list have no account number, because the list is then incomplete. */
export function checkComplete(end: ListEnd | null, context: ErrorContext): void {
  const unreadable = unreadableRowsOf(end);
  if (unreadable === 0) return;
  const elements = plural(unreadable, "element");
  const message = `Skipped ${elements} of the list without a readable account number.`;
  throw failedCall(new ServiceError("unreadable", message, { httpStatus: 200 }), context);
}
