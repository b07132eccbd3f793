/** Describes a bulk run: its record for scripts, and its counts and next steps for people. */

import { readRunRows } from "../../bulk/rows.ts";
import { runFields } from "../../bulk/run-fields.ts";
import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import { contentsOf } from "../../bulk/run-settings.ts";
import { countWords, heldBackText, openRows } from "../../bulk/run-words.ts";
import { within } from "../../text/fields.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { shownPath } from "../../text/shown-path.ts";
import { textTable } from "../../text/table.ts";
import type { Done } from "../../writes/done.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { isVendorRetry, kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import type { Approval } from "../../writes/team/approvals.ts";
import { doneWords } from "../../writes/words/done.ts";
import type { Invocation } from "../invocation.ts";
import { rowText } from "../rows/print.ts";
import { waitingColumns, waitingLines } from "../writes/waiting.ts";

export const runColumns = Object.values(runFields);

export function summaryText(
  invocation: Invocation,
  journal: Journal,
  summarized: Summarized,
): string {
  const { run, resume, waiting = null } = summarized;
  const { format, columns } = invocation.globals;
  if (format === "table" && columns === undefined) return summaryWords(journal, summarized);
  if (waiting === null || columns !== undefined) return rowText(invocation, runColumns, run);
  const asked = { request: waiting, journalId: null, next: resume };
  const ofRequest = waitingColumns.map((one) => within(one, () => asked));
  return rowText<RunRecord>(invocation, [...runColumns, ...ofRequest], run);
}

interface Summarized {
  readonly run: RunRecord;
  readonly place: string;
  readonly resume: string | null;
  /** The value of `--profile` in the commands, or null if they need none. */
  readonly profile: string | null;
  readonly done: readonly Done[] | null;
  /** The request that its rows wait for. Default: none. */
  readonly waiting?: Approval | null;
}

export function summaryWords(journal: Journal, summarized: Summarized): string {
  const { resume, waiting = null } = summarized;
  const asked =
    waiting === null ? [] : waitingLines({ request: waiting, journalId: null, next: resume });
  const lines = [...facts(summarized), ...asked, ...nextSteps(journal, summarized)];
  return `${lines.map(safe).join("\n")}\n`;
}

function facts({ run, place, done }: Summarized): string[] {
  const { id, counts, results } = run;
  const left = openRows(run);
  const isHeldBack = run.leftAlone.heldBack > 0;
  const state = isUnsent(run)
    ? "not fully recorded, nothing was sent"
    : left > 0
      ? `${plural(left, "row")} ${left === 1 ? "is" : "are"} left`
      : isHeldBack
        ? heldBackText(run.leftAlone)
        : "every row has an outcome";
  // Rows that are not recorded are not counted as waiting rows.
  const labels = isUnsent(run) ? [] : countWords.filter(({ name }) => counts[name] > 0);
  const table = textTable(
    [{ title: "" }, { title: "", align: "right" }],
    labels.map(({ name, words }) => [words, count(counts[name])]),
  );
  return [
    `Run ${id}, ${contentsOf(run)}: ${state}.`,
    ...table.slice(1).map((line) => `  ${line}`),
    ...(done === null || done.length === 0 || isUnsent(run) ? [] : [doneWords(done)]),
    `Sent to: ${place}`,
    ...(results === null ? [] : [`Results: ${shownPath(results)}`]),
  ];
}

/**
 * Returns the possible next steps for rows without a good outcome. Commands are on separate lines.
 */
function nextSteps(journal: Journal, { run, resume, profile }: Summarized): string[] {
  const { id, kind, counts } = run;
  const steps: string[] = [];
  // The environment of the profile decides what is asked before a row is sent.
  const pushNamed = (command: string) =>
    steps.push(`  ${command}${profile === null ? "" : ` --profile ${shellQuote(profile)}`}`);
  if (counts.unknown > 0) {
    const [row] = readRunRows(journal, id, { states: ["unknown"], limit: 1 });
    const entry = row?.journalId ?? "ENTRY";
    const { readBack } = kindOf(operationOf(kind));
    if (readBack.by === "nothing") {
      steps.push(
        `Unknown rows might have taken effect. Check ${readBack.where}, then close them one by one:`,
      );
      steps.push(`  supplyline bulk report ${id} --outcome unknown`);
      pushNamed(`supplyline activity close ${entry} --reason TEXT`);
    } else if (run.state === "stopped") {
      steps.push("Unknown rows might have taken effect. Resume the run to check.");
    } else {
      steps.push("Unknown rows might have taken effect. To list them, and verify the first:");
      steps.push(`  supplyline bulk report ${id} --outcome unknown`);
      pushNamed(`supplyline activity verify ${entry}`);
    }
  }
  if (counts.rejected > 0) {
    steps.push("To write the rejected rows to a file, fix them and run them again:");
    steps.push(`  supplyline bulk rejected ${id} --output ${rejectedName(run)}`);
  }
  if (run.leftAlone.heldBack > 0) {
    steps.push("Rows that are held back are sent only with a reason. To list them, and send them:");
    steps.push(`  supplyline bulk report ${id} --outcome unsent`);
    pushNamed(`supplyline bulk resume ${id} --again --reason TEXT`);
  }
  if (counts.retryable > 0 && isVendorRetry(operationOf(kind))) {
    const [row] = readRunRows(journal, id, { states: ["retryable"], limit: 1 });
    steps.push("Retryable rows can be sent again unchanged. To list them, and send the first:");
    steps.push(`  supplyline bulk report ${id} --outcome retryable`);
    pushNamed(`supplyline activity resend ${row?.journalId ?? "ENTRY"} --again --reason TEXT`);
  } else if (counts.retryable > 0 && run.state === "ended" && resume !== null) {
    steps.push("Retryable rows can be sent again. To try them again:");
    steps.push(`  ${resume}`);
  }
  return steps;
}

function rejectedName({ source, id }: RunRecord): string {
  const extension = /\.(?:csv|tsv|jsonl|ndjson)$/i.exec(source)?.[0] ?? ".jsonl";
  return shellQuote(`${id}-rejected${extension}`);
}
