/**
 * Creates the verbs that write to an account, such as `notes create`, and makes one write: checks,
 * confirms, records and sends it, and prints its outcome.
 */

import type { Command } from "commander";
import type { ErrorContext } from "../../errors/app-error.ts";
import { plural } from "../../text/numbers.ts";
import { askGuard, type Bar, barOf, sameIdsOf } from "../../writes/guard.ts";
import { numberOf, type Operation, type Target as WriteTarget } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { newWriteDoubt } from "../../writes/older-journal.ts";
import type { Writes } from "../../writes/open-writes.ts";
import { type PreparedWrite, prepareWrite, type WriteRequest } from "../../writes/prepare.ts";
import { submit } from "../../writes/submit.ts";
import { writeWords } from "../../writes/words/contents.ts";
import {
  barredError,
  barWords,
  describeEarlierEntry,
  passedWords,
  sameIdWords,
} from "../../writes/words/guard.ts";
import type { Invocation } from "../invocation.ts";
import { identifierArgument, supplierArgument } from "../option-values.ts";
import { withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { askColleagues } from "./ask-team.ts";
import type { Account, CheckedBody, Explain } from "./body.ts";
import { confirmWrite, refuseReadOnly } from "./confirm-write.ts";
import { dryWrite, printRequests, warnBeforehand } from "./dry-run.ts";
import { itemColumns, printOutcome } from "./outcome.ts";
import { askSecondPerson } from "./waiting.ts";
import { publishedFacts, sendingOf, warnAboutUnknown, withWrites } from "./with-writes.ts";
import { addAllowMissing, addWriteOptions, againOf, type WriteOptions } from "./write-options.ts";

interface VerbParts<Options> extends Pick<Verb, "examples"> {
  readonly description: string;
  readonly operation: Operation;
  options(command: Command): Command;
  /** True for `--allow-missing`, for fields that the interface does not call required. */
  readonly allowsMissing?: boolean;
  query?(options: Options): Readonly<Record<string, string>>;
  /** Returns the body to send. Throws `invalid-input` and `usage`. */
  body(
    invocation: Invocation,
    account: Account,
    options: Options,
  ): CheckedBody | Promise<CheckedBody>;
}

export function createVerb<Options extends object>(parts: VerbParts<Options>): Verb {
  const { operation, description, examples, options: addOptions, query, body } = parts;
  const { allowsMissing = false } = parts;
  return {
    description,
    examples,
    exits: exits.write,
    columns: itemColumns,
    declare(command) {
      command
        .argument(...supplierArgument)
        .argument("<account>", "external account number", identifierArgument);
      addWriteOptions(addOptions(command));
      if (allowsMissing) addAllowMissing(command);
    },
    async run(invocation, supplier: string, account: string, options: Options & WriteOptions) {
      const { bytes, explain } = await body(invocation, { supplier, account }, options);
      return makeWrite(invocation, {
        request: { operation, query: query?.(options) ?? {}, body: bytes },
        explain,
        options,
      });
    },
  };
}

interface Write {
  readonly request: WriteRequest;
  readonly explain: Explain;
  readonly options: WriteOptions;
}

/**
 * Makes one write: checks it, compares it with earlier entries, confirms, records and sends it, and
 * prints its outcome. Resolves with the exit code of that outcome. With `dryRun`, only prints the
 * request.
 */
export async function makeWrite(invocation: Invocation, write: Write): Promise<number> {
  const { settle, dryRun } = write.options;
  const again = againOf(write.options);
  const prepared = prepareWrite(write.request);
  const { operation, facts } = prepared;
  const doing = describeWrite(operation, facts.target, facts.items.length);
  return withTarget(invocation, async (target) => {
    const { service, profile } = target;
    warnBeforehand(invocation, prepared);
    if (dryRun === true) return printRequests(invocation, [dryWrite(service.baseUrl, prepared)]);
    refuseReadOnly(invocation, profile, doing);
    const context = target.context(doing, subjectOf(facts.target));
    return withWrites(invocation, target, async (writes) => {
      const older = newWriteDoubt(writes.context.journal, prepared);
      if (older !== null) throw older;
      warnAboutUnknown(invocation, writes);
      const bar = checkDuplicates(invocation, writes, prepared);
      if (bar !== null && again !== null) invocation.warn(passedWords(barWords(bar), bar.findings));
      const asked = { write: prepared, id: null, again };
      const theirs = await askColleagues(invocation, writes.context, asked);
      const barred = bar === null ? null : barredError(bar);
      const override = await confirmWrite(invocation, profile, {
        doing,
        subject: writeWords(prepared),
        operation,
        target: numberOf(facts.target),
        doubt: barred ?? theirs.error,
        again,
        passes: [...(bar?.findings ?? []), ...theirs.findings],
      });
      const result = await submit(writes.context, write.request, {
        ...sendingOf(invocation, settle),
        override: override ?? undefined,
      });
      const waits = await askSecondPerson(invocation, target, writes.context, {
        results: [result],
        journalId: result.journalId,
      });
      if (waits !== null) return waits;
      return printOutcome(invocation, {
        query: prepared.query,
        result,
        facts,
        context,
        profile,
        explain: write.explain,
        team: await publishedFacts(writes.context, result.journalId),
      });
    });
  });
}

/**
 * Asks the duplicate guard. Returns the bar that blocks the write, or null. Warns about an earlier
 * entry that does not block it, and about an ID that was used with other content.
 */
function checkDuplicates(
  invocation: Invocation,
  { context: { journal, service } }: Writes,
  write: PreparedWrite,
): Bar | null {
  const guarded = { baseUrl: service.baseUrl, write };
  const { finding, sameIds } = journal.read((rows) => ({
    finding: askGuard(rows, guarded),
    sameIds: sameIdWords(sameIdsOf(rows, guarded), write.facts.labels),
  }));
  if (finding.kind === "reported") invocation.warn(describeEarlierEntry(finding));
  if (sameIds !== null) invocation.warn(sameIds);
  return barOf(finding);
}

export function describeWrite(operation: Operation, target: WriteTarget, items: number): string {
  const id = numberOf(target);
  if (target.kind === "supply-point") return `creating supply point ${id}`;
  const { item, itemsField } = kindOf(operation);
  return `adding ${itemsField === null ? `a ${item}` : plural(items, item)} to ${id}`;
}

export function subjectOf(target: WriteTarget): NonNullable<ErrorContext["subject"]> {
  const { kind, importSupplier: supplier } = target;
  return { kind, supplier, id: numberOf(target) };
}
