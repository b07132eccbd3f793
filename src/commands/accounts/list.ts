import { batchFilter, parseFilter } from "../../accounts/filter.ts";
import {
  type AccountBatch,
  type AccountListItem,
  rowOfBatch,
} from "../../accounts/ingest/batch.ts";
import type { ListEnd } from "../../accounts/ingest/read-list.ts";
import { readAccountList } from "../../accounts/ingest/read-list.ts";
import { ServiceError } from "../../api/errors.ts";
import type { ListState } from "../../api/service.ts";
import { formatInstant } from "../../text/dates.ts";
import type { ErrorContext } from "../../text/describe-error.ts";
import { plural } from "../../text/numbers.ts";
import { CommandError, FailedCall } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { choiceOption, identifierArgument, wholeNumberOption } from "../option-values.ts";
import { type Target, withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { rowWriter } from "./row-writer.ts";

const states: readonly ListState[] = ["all", "pending", "imported"];

/** `accounts list`: INTERFACE 4.9–4.11. */
export const verb: Verb = {
  examples: [
    "supplyline accounts list ACME --state pending --format csv > pending.csv",
    "supplyline accounts list ACME --filter 'created:2026-11 !EXT-00' --limit 20",
    "supplyline accounts list ACME --format jsonl | head",
  ],
  exits: exits.read,
  declare: (command) =>
    command
      .description("list the accounts of a supplier, printed while they arrive")
      .argument("<supplier>", "import supplier code", identifierArgument)
      .option(
        "--state <state>",
        `which accounts: ${states.join(", ")}`,
        choiceOption(states),
        "all",
      )
      .option("--filter <text>", "keep rows that match, in the words of the console's filter")
      .option("--limit <n>", "maximum number of rows", wholeNumberOption(1)),
  run: listAccounts,
};

interface Options {
  readonly state: ListState;
  readonly filter?: string;
  /** Rows to print; the transfer is stopped when they are there. */
  readonly limit?: number;
}

/**
 * Prints a list (INTERFACE 4.9–4.11) while it arrives, no faster than it is read. A list that is cut
 * off, or that holds elements which cannot be read, leaves the rows that came and ends with an error;
 * as JSON its array stays open.
 */
async function listAccounts(
  invocation: Invocation,
  supplier: string,
  options: Options,
): Promise<number> {
  const rowsIn = rowsFor(options.filter);
  return withTarget(invocation, async (target) => {
    const { state, limit = Number.POSITIVE_INFINITY } = options;
    const { out, globals, io } = invocation;
    const writer = rowWriter(globals.format);
    const doing = `listing the ${state === "all" ? "" : `${state} `}accounts of ${supplier}`;
    let printed = 0;
    let end: ListEnd | null = null;
    let hasBegun = false;
    let isWhole = false;
    try {
      const list = batches(invocation, target, { supplier, state }, (reached) => {
        end = reached;
      });
      for await (const batch of list) {
        hasBegun = true;
        const rows = rowsIn(batch).slice(0, limit - printed);
        printed += rows.length;
        await out.write(writer.rows(rows));
        if (printed >= limit) break;
      }
      isWhole = unreadableRowsOf(end) === 0;
      // A list with unreadable elements cannot be called empty.
      if (printed === 0 && isWhole) {
        await out.write(writer.empty());
        const isFiltered = options.filter !== undefined;
        invocation.notice(
          isFiltered ? `No account of ${supplier} matches.` : `${supplier} has no account to list.`,
        );
      }
    } catch (error) {
      io.signal.throwIfAborted();
      throw new FailedCall(error, target.context(doing, { kind: "supplier", supplier }));
    } finally {
      if (isWhole && printed > 0) out.close(writer.end());
      if (!isWhole && (hasBegun || end !== null)) out.close(writer.cutOff());
    }
    checkComplete(end, target.context(doing, { kind: "supplier", supplier }));
    return exitCode.done;
  });
}

/** The rows of a batch to print. Throws `usage` for a filter that makes no sense. */
function rowsFor(filter: string | undefined): (batch: AccountBatch) => AccountListItem[] {
  const query = parseFilter(filter ?? "");
  if (query.problem !== null) throw new CommandError("usage", `--filter: ${query.problem}`);
  if (query.words.length === 0)
    return (batch) => Array.from({ length: batch.count }, (_, at) => rowOfBatch(batch, at));
  const shown = (ms: number) => formatInstant(ms, { utc: true });
  const matching = batchFilter(query, shown);
  return (batch) => matching(batch).map((at) => rowOfBatch(batch, at));
}

/** The batches of the list; leaving the loop early ends the transfer. */
async function* batches(
  { io, globals }: Invocation,
  { service }: Target,
  { supplier, state }: { readonly supplier: string; readonly state: ListState },
  onEnd: (end: ListEnd) => void,
): AsyncGenerator<AccountBatch, void, void> {
  const { timeoutMs } = globals;
  onEnd(yield* readAccountList(service, supplier, state, { signal: io.signal, timeoutMs }));
}

function unreadableRowsOf(end: ListEnd | null): number {
  return end?.unreadableRows ?? 0;
}

/** A list with elements that name no account is not the whole list, and must not pass for it. */
function checkComplete(end: ListEnd | null, context: ErrorContext): void {
  const unreadable = unreadableRowsOf(end);
  if (unreadable === 0) return;
  const many = plural(unreadable, "element");
  const message = `${many} of the list named no account; the others are printed.`;
  throw new FailedCall(new ServiceError("unreadable", message, { httpStatus: 200 }), context);
}
