import { type FilterQuery, parseFilter } from "../../accounts/filter.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import type { ListEnd } from "../../accounts/ingest/read-list.ts";
import { readAccountList } from "../../accounts/ingest/read-list.ts";
import type { ListState } from "../../api/service.ts";
import type { LoadRecorder } from "../../triage/observations/observations.ts";
import { filterCohorts } from "../cohorts/filter-cohorts.ts";
import { failedCall, usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { withObservations } from "../observing.ts";
import { choiceOption, identifierArgument, wholeNumberOption } from "../option-values.ts";
import { chosenColumns } from "../rows/columns.ts";
import { type RowWriter, rowWriter } from "../rows/row-writer.ts";
import type { Target } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { ageColumns, listColumns } from "./aged-rows.ts";
import { batchBytes } from "./batch-bytes.ts";
import {
  agedListing,
  checkComplete,
  type Listed,
  type Listing,
  plainListing,
  unreadableRowsOf,
} from "./listing.ts";

const states: readonly ListState[] = ["all", "pending", "imported"];

/** `accounts list`: INTERFACE 4.9–4.11. */
export const verb: Verb = {
  description: "list the accounts of a supplier, printed while they arrive",
  examples: [
    "supplyline accounts list ACME --state pending --format csv > pending.csv",
    "supplyline accounts list ACME --filter 'created:2026-11 !EXT-00' --limit 20",
    "supplyline accounts list ACME --ages --filter 'age:>24h'",
    "supplyline accounts list ACME --format jsonl | head",
    "supplyline accounts list ACME --columns external_account_number --format tsv",
  ],
  exits: exits.read,
  columns: [...listColumns, ...ageColumns],
  declare: (command) =>
    command
      .argument("<supplier>", "import supplier code", identifierArgument)
      .option(
        "--state <state>",
        `which accounts: ${states.join(", ")}`,
        choiceOption(states),
        "all",
      )
      .option(
        "--filter <text>",
        "keep rows that match, in the words of the console's filter: text, !text, ext:, svc:, created:, age:>24h, since:2026-11-20, is:new, is:gone, cohort:NAME",
      )
      .option("--limit <n>", "maximum number of rows", wholeNumberOption(1))
      .option(
        "--ages",
        "add pending_since, first_seen_at and gone_at (UTC), as observed from this machine, and the accounts that are gone",
      ),
  /**
   * Prints a list (INTERFACE 4.9–4.11) while it arrives, no faster than it is read. If the list is
   * cut off or has unreadable elements, the rows that arrived are printed and the command ends with
   * an error. As JSON, the array then stays open. The complete list of all accounts is recorded as
   * an observation.
   */
  async run(invocation, supplier: string, options: Options) {
    const query = queryOf(options, invocation.io.clock.now());
    const cohort = await filterCohorts(invocation, supplier, query);
    const aged = ageColumns.find(({ name }) => invocation.globals.columns?.includes(name));
    if (aged !== undefined && !options.ages)
      throw usageError(`--columns: ${aged.name} needs --ages`);
    return withObservations(invocation, async (observing, target) => {
      const list = { invocation, target, observing, supplier, options, query, cohort };
      await (options.ages
        ? printList(list, await agedListing(list))
        : printList(list, await plainListing(list)));
      return exitCode.done;
    });
  },
};

interface Options {
  readonly state: ListState;
  readonly filter?: string;
  /** Number of rows to print, after which the transfer is stopped. */
  readonly limit?: number;
  readonly ages?: boolean;
}

/** Reads the filter. Throws `usage` for one that makes no sense. */
function queryOf({ filter, ages, state }: Options, now: number): FilterQuery {
  const query = parseFilter(filter ?? "", now);
  if (query.problem !== null) throw usageError(`--filter: ${query.problem}`);
  if (query.words.some((word) => word.kind === "gone") && !(ages && state === "all"))
    throw usageError(
      "--filter: is:gone needs --ages, and all states: gone accounts are on no list of the service",
    );
  return query;
}

/** One list to print, and what is known about it before it arrives. */
interface ListToPrint extends Listed {
  readonly target: Target;
  readonly options: Options;
}

async function printList<R extends object>(list: ListToPrint, listing: Listing<R>): Promise<void> {
  const { invocation, target, supplier, options } = list;
  const { state, limit = Number.POSITIVE_INFINITY } = options;
  const { out, globals, io } = invocation;
  const columns = chosenColumns(listing.columns, globals.columns);
  const writer = rowWriter(globals.format, columns, { isChosen: globals.columns !== undefined });
  const doing = `listing the ${state === "all" ? "" : `${state} `}accounts of ${supplier}`;
  const context = target.context(doing, { kind: "supplier", supplier });
  const bytesOf = asBytes(list, listing, writer);
  let printed = 0;
  let end: ListEnd | null = null;
  let hasBegun = false;
  let isWhole = false;
  let recording: LoadRecorder | null = null;
  const print = async (rows: readonly R[]) => {
    const some = rows.slice(0, limit - printed);
    printed += some.length;
    await out.write(writer.rows(some));
  };
  try {
    const batches = listed(list, (reached) => {
      end = reached;
    });
    // The request is sent before the observations are opened.
    const first = batches.next();
    first.catch(() => {});
    recording = isObservation(list) ? recorderOf(list).begin(supplier, listing.listedAt) : null;
    for await (const batch of behind(first, batches)) {
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
    isWhole = isReadable;
    // A list with unreadable elements cannot be called empty.
    if (printed === 0 && isWhole) {
      const isFiltered = options.filter !== undefined;
      invocation.notice(
        isFiltered ? `No account of ${supplier} matches.` : `${supplier} has no account to list.`,
      );
    }
  } catch (error) {
    io.signal.throwIfAborted();
    throw failedCall(error, context);
  } finally {
    if (isWhole) out.close(writer.end());
    if (!isWhole && (hasBegun || end !== null)) out.close(writer.cutOff());
    if (!isWhole) recording?.discard();
  }
  checkComplete(end, context);
  await recording?.finish();
}

/** Formats batches after the first rows as bytes, if all of their rows are printed as listed. */
function asBytes<R extends object>(
  { invocation: { globals }, options: { limit } }: ListToPrint,
  { row }: Listing<R>,
  writer: RowWriter<R>,
): ((batch: AccountBatch) => Uint8Array) | null {
  const isWhole = limit === undefined && globals.columns === undefined;
  const bytesOf = isWhole ? batchBytes(globals.format) : null;
  if (row === null || bytesOf === null) return null;
  return (batch) => bytesOf(batch, (at) => writer.rows([row(batch, at)]));
}

/**
 * Returns true if the list shows which accounts are gone. Only a complete list of all accounts
 * does.
 */
function isObservation({ query, options: { state, limit } }: ListToPrint): boolean {
  return state === "all" && limit === undefined && query.words.length === 0;
}

/** Returns the recorder of the list, which also reads ages if they are printed. */
function recorderOf({ observing, options: { ages } }: ListToPrint) {
  return ages ? observing.observations : observing.recorder;
}

/** Yields the batches of the list. Leaving the loop early ends the transfer. */
async function* listed(
  { invocation: { io, globals }, target: { service }, supplier, options: { state } }: ListToPrint,
  onEnd: (end: ListEnd) => void,
): AsyncGenerator<AccountBatch, void, void> {
  const { timeoutMs } = globals;
  onEnd(yield* readAccountList(service, supplier, state, { signal: io.signal, timeoutMs }));
}

async function* behind(
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
