import { readAccountList } from "../../accounts/ingest/read-list.ts";
import { accountLine } from "../../bulk/source.ts";
import type { FormKind } from "../../forms/forms.ts";
import { plural } from "../../text/numbers.ts";
import { checkComplete, listFilter, plainListing } from "../accounts/listing.ts";
import { failedCall, usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { observing } from "../observing.ts";
import type { Target } from "../target.ts";
import { canAsk } from "../writes/ask.ts";
import { copyInput, type Input } from "./input.ts";
import type { BulkRunOptions } from "./options.ts";

interface WhereOptions {
  readonly supplier: string;
  readonly where: string;
  readonly body: string;
}

/**
 * Returns the options of `--where` from a command line without a file as its only source of rows.
 * Throws `usage` if the options do not fit together.
 */
export function whereOptionsOf(
  { io }: Invocation,
  kind: FormKind,
  options: BulkRunOptions,
): WhereOptions {
  const { where, supplier, body } = options;
  const usage = (message: string, hint: string) => usageError(message, `${hint} Nothing was sent.`);
  if (where === undefined) {
    const option = supplier !== undefined ? "--supplier" : body !== undefined ? "--body" : null;
    if (option !== null)
      throw usage(`${option} goes with --where`, "Rows of a file have their own.");
    throw usage("the rows are missing", "Give --from FILE, or --where FILTER for notes.");
  }
  if (options.from !== undefined)
    throw usage("--where and --from exclude each other", "Give one of them.");
  if (kind !== "notes") throw usage(`--where is for notes, and these are ${kind}`, "Use --from.");
  if (supplier === undefined || body === undefined)
    throw usage(`--where needs ${supplier === undefined ? "--supplier CODE" : "--body TEXT"}`, "");
  if (where.trim() === "")
    throw usage("--where: the filter is empty", "Every account would match.");
  if (options.expectRows === undefined && options.dryRun !== true && !canAsk(io))
    throw usage("without a terminal --where needs --expect-rows N", "--dry-run counts the rows.");
  return { supplier, where, body };
}

/**
 * Lists the accounts of a supplier (INTERFACE 4.9), and writes a row for each matching imported
 * account into the state folder. Rejects if the list is incomplete. Throws `usage` if the filter is
 * invalid or matches no imported account.
 */
export async function whereInput(
  invocation: Invocation,
  target: Target,
  { supplier, where, body }: WhereOptions,
): Promise<Input> {
  const { io } = invocation;
  const goneProblem = "gone accounts are on no list and accept no notes";
  const filter = await listFilter(invocation, supplier, "--where", where, goneProblem);
  const context = target.context(`listing the accounts of ${supplier}`, {
    kind: "supplier",
    supplier,
  });
  let pending = 0;
  let imported = 0;
  const input = await observing(invocation, target, (opened) => {
    const rows = async function* () {
      const listing = await plainListing({
        invocation,
        observing: opened,
        supplier,
        filter,
      });
      const list = readAccountList(target.service, supplier, "all", invocation.request);
      for (;;) {
        const step = await list.next().catch((error: unknown) => {
          io.signal.throwIfAborted();
          throw failedCall(error, context);
        });
        if (step.done) return checkComplete(step.value, context);
        for (const row of listing.rows(step.value)) {
          if ((row.service_account_number ?? "") === "") pending += 1;
          else {
            imported += 1;
            yield accountLine(supplier, row.external_account_number, { body });
          }
        }
      }
    };
    return copyInput(invocation, {
      name: `accounts of ${supplier} where ${where}`,
      kind: "where",
      content: rows(),
    });
  });
  if (pending > 0)
    invocation.warn(
      `${plural(pending, "account")} that match are pending and accept no notes yet; they are left out.`,
    );
  if (imported > 0) return input;
  await input[Symbol.asyncDispose]();
  throw usageError(`no imported account of ${supplier} matches ${where}`, "Nothing was sent.");
}
