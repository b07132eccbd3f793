import type { AccountFacts } from "../../accounts/account-facts.ts";
import { batchFilter, type FilterQuery } from "../../accounts/filter.ts";
import { answerable, asksForAges } from "../../accounts/filter-facts.ts";
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
import { ageFacts } from "../../triage/age-facts.ts";
import {
  type Ages,
  type Observations,
  type Recorded,
  seenIn,
} from "../../triage/observations/observations.ts";
import { failedCall, usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { Observing } from "../observing.ts";
import type { Column } from "../rows/columns.ts";
import { type AgedItem, AgedRows, ageColumns, listColumns } from "./aged-rows.ts";

/** A list that is about to be asked for. */
export interface Listed {
  readonly invocation: Invocation;
  readonly observing: Observing;
  readonly supplier: string;
  readonly query: FilterQuery;
  /** The cohorts that the filter names. */
  readonly cohort: AccountFacts["cohort"];
}

/** How the rows of a list are chosen and what is written of them. */
export interface Listing<R> {
  readonly columns: readonly Column<R>[];
  /** When the list is asked for, epoch milliseconds. */
  readonly listedAt: number;
  /** The rows of a batch to print. */
  rows(batch: AccountBatch): R[];
  /** A row of a batch, where all of them are printed as they are listed; null where not. */
  readonly row: ((batch: AccountBatch, at: number) => R) | null;
  /** The rows behind a complete list; `recorded` ends its recording, and is null where there is none. */
  after(recorded: () => Promise<Recorded> | null): AsyncIterable<R[]>;
}

/** The wire's items, and nothing else. */
export async function plainListing(list: Listed): Promise<Listing<AccountListItem>> {
  const ages = asksForAges(list.query) ? ((await readAges(list)) ?? null) : null;
  const listedAt = list.invocation.io.clock.now();
  const chosen = chosenRows(list, { ages, listedAt });
  return {
    columns: listColumns,
    listedAt,
    rows:
      chosen === null
        ? (batch) => Array.from({ length: batch.count }, (_, at) => rowOfBatch(batch, at))
        : (batch) => chosen(batch).map((at) => rowOfBatch(batch, at)),
    row: chosen === null ? rowOfBatch : null,
    async *after() {},
  };
}

/** The items with their ages, and behind them the accounts that are gone. */
export async function agedListing(
  list: Listed & { readonly options: { readonly state: string } },
): Promise<Listing<AgedItem>> {
  const { observing, supplier, options, invocation } = list;
  const ages = await readAges(list);
  const listedAt = invocation.io.clock.now();
  const chosen = chosenRows(list, { ages: ages ?? null, listedAt }) ?? allRows;
  const aged = new AgedRows(ages, listedAt);
  return {
    columns: [...listColumns, ...ageColumns],
    listedAt,
    row: null,
    rows(batch) {
      aged.take(batch);
      return chosen(batch).map((at) => aged.item(batch, at));
    },
    async *after(recorded) {
      if (options.state !== "all") return;
      const isSeen = seenIn(await recorded())?.kind === "recorded";
      const after = isSeen ? await observing.read((known) => known.ages(supplier)) : null;
      for (const { batch, item } of aged.gone(after ?? null)) yield chosen(batch).map(item);
    },
  };
}

/**
 * What is known before the list; undefined if it cannot be read. A filter that asks for it is not
 * answered without.
 */
async function readAges({ invocation, observing, supplier, query }: Listed) {
  const { signal } = invocation.io;
  const read = (known: Observations) => known.ages(supplier, signal);
  const ages = await (asksForAges(query) ? read(observing.observations) : observing.read(read));
  if (ages === null)
    invocation.notice(`No list of ${supplier} was observed before this one: ages begin with it.`);
  return ages;
}

function allRows({ count }: AccountBatch): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

/** Which rows of a batch match; null where all do. Throws `usage` for a filter that cannot be answered. */
function chosenRows(
  { query, cohort }: Listed,
  { ages, listedAt }: { readonly ages: Ages | null; readonly listedAt: number },
): ((batch: AccountBatch) => number[]) | null {
  if (query.words.length === 0) return null;
  const facts: AccountFacts = {
    ages: { kind: "known", value: ageFacts(ages, listedAt) },
    cohort,
    withoutGone: null,
  };
  const { problem } = answerable(query, facts).query;
  if (problem !== null) throw usageError(`--filter: ${problem}`);
  const shown = (ms: number) => formatInstant(ms, { utc: true });
  return batchFilter(query, shown, { facts, now: listedAt });
}

/** Elements of a list that name no account. */
export function unreadableRowsOf(end: ListEnd | null): number {
  return end?.unreadableRows ?? 0;
}

/** A list with elements that name no account is not the whole list, and must not pass for it. */
export function checkComplete(end: ListEnd | null, context: ErrorContext): void {
  const unreadable = unreadableRowsOf(end);
  if (unreadable === 0) return;
  const many = plural(unreadable, "element");
  const message = `${many} of the list named no account; the others are printed.`;
  throw failedCall(new ServiceError("unreadable", message, { httpStatus: 200 }), context);
}
