/**
 * The command `accounts list`: prints the accounts of a supplier while the service sends them
 * (INTERFACE 4.9–4.11).
 */

import { agedFields, ageFields } from "../../accounts/account-fields.ts";
import { commandFilterWords } from "../../accounts/filter-words.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import type { ListEnd } from "../../accounts/ingest/read-list.ts";
import { readAccountList } from "../../accounts/ingest/read-list.ts";
import type { ListState } from "../../api/service.ts";
import type { LoadRecorder } from "../../triage/observations/observations.ts";
import { failedCall, usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { withObservations } from "../observing.ts";
import { choiceOption, supplierArgument, wholeNumberOption } from "../option-values.ts";
import { chosenColumns } from "../rows/columns.ts";
import { type RowWriter, rowWriter } from "../rows/row-writer.ts";
import type { Target } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { batchBytes } from "./batch-bytes.ts";
import {
  agedListing,
  checkComplete,
  type Listed,
  type Listing,
  listFilter,
  plainListing,
  unreadableRowsOf,
} from "./listing.ts";

const states: readonly ListState[] = ["all", "pending", "imported"];

export const verb: Verb = {
  description: "list the accounts of a supplier, printed while they arrive",
  declare: (command) =>
    command
      .argument(...supplierArgument)
      .option(
        "--state <state>",
        `the state of the accounts: ${states.join(", ")}`,
        choiceOption(states),
        "all",
      )
      .option(
        "--filter <text>",
        `print only matching rows, with the words of the console's filter: ${commandFilterWords}`,
      )
      .option("--limit <n>", "maximum number of rows", wholeNumberOption(1))
      .option(
        "--ages",
        "add pending_since, first_seen_at and gone_at (UTC), as observed from this machine, and the accounts that are gone",
      ),
  columns: agedFields,
  /**
   * Prints a list while it arrives, no faster than the reader of stdout accepts it. If the list is
   * cut off or has unreadable elements, the command prints the rows that arrived and ends with an
   * error. A JSON array then stays open. A complete list of all accounts is recorded as an
   * observation.
   */
  async run(invocation, supplier: string, options: Options) {
    const { filter: typed = "", state } = options;
    const goneError =
      options.ages && state === "all"
        ? null
        : "is:gone needs --ages, and all states: gone accounts are on no list of the service";
    const filter =
      typed === "" ? null : await listFilter(invocation, supplier, "--filter", typed, goneError);
    const ageColumn = Object.values(ageFields).find(({ name }) =>
      invocation.globals.columns?.includes(name),
    );
    if (ageColumn !== undefined && !options.ages)
      throw usageError(`--columns: ${ageColumn.name} needs --ages`);
    return withObservations(invocation, async (observing, target) => {
      const list = { invocation, target, observing, supplier, options, filter };
      await (options.ages
        ? printList(list, await agedListing(list))
        : printList(list, await plainListing(list)));
      return exitCode.done;
    });
  },
  exits: exits.read,
  examples: [
    "supplyline accounts list ACME --state pending --format csv > pending.csv",
    "supplyline accounts list ACME --filter 'created:2026-11 !EXT-00' --limit 20",
    "supplyline accounts list ACME --ages --filter 'age:>24h'",
    "supplyline accounts list ACME --format jsonl | head",
    "supplyline accounts list ACME --columns external_account_number --format tsv",
  ],
};

interface Options {
  readonly state: ListState;
  readonly filter?: string;
  /** Maximum number of printed rows. The transfer stops after them. */
  readonly limit?: number;
  readonly ages?: boolean;
}

interface ListToPrint extends Listed {
  readonly target: Target;
  readonly options: Options;
}

async function printList<R extends object>(list: ListToPrint, listing: Listing<R>): Promise<void> {
  const { invocation, target, supplier, options } = list;
  const { state, limit = Number.POSITIVE_INFINITY } = options;
  const { out, globals, io } = invocation;
  const columns = chosenColumns(listing.columns, globals.columns);
  const isChosen = globals.columns !== undefined;
  const writer = rowWriter(globals.format, columns, { isChosen, json: (row) => row });
  const doing = `listing the ${state === "all" ? "" : `${state} `}accounts of ${supplier}`;
  const context = target.context(doing, { kind: "supplier", supplier });
  const bytesOf = asBytes(list, listing, writer);
  let printed = 0;
  let end: ListEnd | null = null;
  let hasBegun = false;
  let isComplete = false;
  let recording: LoadRecorder | null = null;
  const print = async (rows: readonly R[]) => {
    const withinLimit = rows.slice(0, limit - printed);
    printed += withinLimit.length;
    await out.write(writer.rows(withinLimit));
  };
  try {
    const batches = batchesOf(list, (listEnd) => {
      end = listEnd;
    });
    // Sends the request before the observations are opened, so that opening them does not delay it.
    const first = batches.next();
    first.catch(() => {});
    recording = isObservation(list) ? recorderOf(list).begin(supplier, listing.listedAt) : null;
    for await (const batch of startingWith(first, batches)) {
      hasBegun = true;
      await recording?.take(batch);
      if (bytesOf === null || printed === 0) await print(listing.rows(batch));
      else {
        await out.write(bytesOf(batch));
        printed += batch.count;
      }
      if (printed >= limit) break;
    }
    const isReadable = unreadableRowsOf(end) === 0;
    if (end !== null && isReadable) {
      for await (const rows of listing.after(() => recording?.finish() ?? null)) {
        if (printed < limit) await print(rows);
      }
    }
    isComplete = isReadable;
    // A list with unreadable elements might have accounts, so it is not reported as empty.
    const unknown = isComplete ? listing.unknown() : null;
    if (unknown !== null) invocation.notice(unknown);
    else if (printed === 0 && isComplete) {
      const isFiltered = options.filter !== undefined;
      invocation.notice(
        isFiltered ? `No account of ${supplier} matches.` : `${supplier} has no account to list.`,
      );
    }
  } catch (error) {
    io.signal.throwIfAborted();
    throw failedCall(error, context);
  } finally {
    if (isComplete) out.close(writer.end());
    if (!isComplete && (hasBegun || end !== null)) out.close(writer.cutOff());
    if (!isComplete) recording?.discard();
  }
  checkComplete(end, context);
  await recording?.finish();
}

/**
 * Returns a function that formats a batch after the first rows as bytes, or null if some rows are
 * not printed as listed.
 */
function asBytes<R extends object>(
  { invocation: { globals }, options: { limit } }: ListToPrint,
  { row }: Listing<R>,
  writer: RowWriter<R>,
): ((batch: AccountBatch) => Uint8Array) | null {
  const printsWholeRows = limit === undefined && globals.columns === undefined;
  const bytesOf = printsWholeRows ? batchBytes(globals.format) : null;
  if (row === null || bytesOf === null) return null;
  return (batch) => bytesOf(batch, (index) => writer.rows([row(batch, index)]));
}

/**
 * Returns true if the list is recorded as an observation. Only a list of all accounts, without a
 * filter and a limit, shows which accounts are gone.
 */
function isObservation({ filter, options: { state, limit } }: ListToPrint): boolean {
  return state === "all" && limit === undefined && filter === null;
}

function recorderOf({ observing, options: { ages } }: ListToPrint) {
  return ages ? observing.observations : observing.recorder;
}

/** Yields the batches of the list. Leaving the loop early ends the transfer. */
async function* batchesOf(
  { invocation: { request }, target: { service }, supplier, options: { state } }: ListToPrint,
  onEnd: (end: ListEnd) => void,
): AsyncGenerator<AccountBatch, void, void> {
  onEnd(yield* readAccountList(service, supplier, state, request));
}

async function* startingWith(
  first: Promise<IteratorResult<AccountBatch, void>>,
  batches: AsyncGenerator<AccountBatch, void, void>,
): AsyncGenerator<AccountBatch, void, void> {
  try {
    const step = await first;
    if (step.done) return;
    yield step.value;
    yield* batches;
  } finally {
    await batches.return();
  }
}
