import { compareSource, type SourceComparison } from "../../bulk/compare-source.ts";
import { type Field, recordOf } from "../../text/fields.ts";
import { plural } from "../../text/numbers.ts";
import { approvalFields, approvalRowFields } from "../../writes/approval-fields.ts";
import { type Approval, type ApprovalRow, pagesOf } from "../../writes/team/approvals.ts";
import { requestLines } from "../../writes/words/approvals.ts";
import { usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { readNamed } from "../read-input.ts";
import type { Column } from "../rows/columns.ts";
import { isForPeople, jsonOutput, printRows } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { approvalArgument, withApproval } from "./approval-argument.ts";

const rowColumns: readonly Column<ApprovalRow>[] = Object.values(approvalRowFields);

export const verb: Verb = {
  description: "a request with its rows; --source checks that a file is these bytes",
  declare: (command) =>
    command
      .argument("<request>", "the request, such as a17", approvalArgument)
      .option("--source <file>", "compare this file with the request, row by row"),
  columns: rowColumns,
  /** Prints a request. Resolves with 10 if the file of `--source` is not these bytes. */
  async run(invocation, id: number, { source }: { readonly source?: string }) {
    const file = source === undefined ? null : await readNamed(invocation.io, source);
    const { request, rows } = await withApproval(invocation, id, async (approvals, request) => {
      const rows: ApprovalRow[] = [];
      for await (const page of pagesOf(approvals, id)) rows.push(...page);
      return { request, rows };
    });
    if (file !== null && request.run === null && request.reading === null)
      throw usageError(
        `request a${id} has several entries, which are not of one file`,
        "Without --source, the command shows their rows.",
      );
    const compared = file === null ? null : await compareSource(request, inOne(rows), file.bytes);
    await print(invocation, { request, rows, compared });
    if (compared === null || compared.isWhole || isPart(request, compared)) return exitCode.done;
    return exitCode.conditionMet;
  },
  exits: [0, 2, 3, 5, 6, 10, 130],
  examples: ["supplyline approvals show a17", "supplyline approvals show a17 --source wave3.csv"],
};

interface Shown {
  readonly request: Approval;
  readonly rows: readonly ApprovalRow[];
  readonly compared: SourceComparison | null;
}

function isPart({ run }: Approval, { different, equal }: SourceComparison): boolean {
  return run !== null && different.length === 0 && equal > 0;
}

async function* inOne(rows: readonly ApprovalRow[]) {
  yield rows;
}

/** Prints the request: facts and rows for people, one object as JSON, else the rows. */
async function print(invocation: Invocation, { request, rows, compared }: Shown): Promise<void> {
  const { globals, out } = invocation;
  if (printsJson(globals)) {
    const facts = recordOf(Object.values(approvalFields), request);
    const items = rows.map((row) => recordOf(Object.values(approvalRowFields), row));
    const shown = {
      ...facts,
      items,
      ...(compared === null ? {} : { source_check: jsonOf(compared) }),
    };
    await out.line(jsonOutput(globals, shown));
    return;
  }
  if (isForPeople(globals) && globals.columns === undefined)
    for (const line of requestLines(request)) await out.line(line);
  await printRows(invocation, rowColumns, rows, { brief: briefColumns(rows) });
  if (compared !== null) invocation.notice(comparedWords(compared));
}

function briefColumns(rows: readonly ApprovalRow[]): readonly Column<ApprovalRow>[] {
  const { line, supplier, account, amount, reference, day, id, again } = approvalRowFields;
  const optional: readonly Field<ApprovalRow>[] = [amount, reference, day, id, again];
  return [
    ...(rows.some((row) => row.line !== null) ? [line] : []),
    ...[supplier, account],
    ...optional.filter(({ value }) => rows.some((row) => value(row) !== null)),
  ];
}

function comparedWords({ equal, different, extra, isWhole }: SourceComparison): string {
  if (isWhole)
    return "The file is exactly these bytes, row by row, and its chain is that of the request.";
  const rows = plural(equal, "row");
  if (different.length === 0)
    return `${rows} of the request are in the file with the same bytes. The file has ${plural(extra, "more request")}.`;
  const lines = different.slice(0, maxLines).map(({ line }) => line ?? "the write");
  const more = different.length > maxLines ? ` and ${different.length - maxLines} more` : "";
  return `The file is not the request: ${plural(different.length, "row")} differ (lines ${lines.join(", ")}${more}), ${rows} equal, ${plural(extra, "request")} of the file not in it.`;
}

/** Maximum number of lines that are named. */
const maxLines = 10;

function jsonOf({ equal, different, extra, isWhole }: SourceComparison) {
  const lines = different.map(({ line }) => line);
  return { matches: isWhole, equal, different: different.length, different_lines: lines, extra };
}
