import { DocumentBuilder, type DocumentLine } from "../../components/document.tsx";
import { atPlace } from "../../forms/payload-places.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { urlOf } from "../../session/plan.ts";
import { bytes, count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { compactJson } from "../../text/shown-json.ts";
import { padOrTruncate, truncate, widthOf } from "../../text/width.ts";
import { numberOf, type Operation } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { limitsOf } from "../../writes/send/events.ts";
import { oneItemWords, targetWords, writeWords } from "../../writes/words/contents.ts";
import {
  type FailureTerms,
  failureRules,
  failureSummary,
} from "../../writes/words/failure-rules.ts";
import {
  optionWords,
  type ReviewFacts,
  type RunFacts,
  type SampleRequest,
  splitWords,
} from "./review-facts.ts";

export interface Unfolded {
  readonly rules: boolean;
  readonly json: boolean;
}

/**
 * Returns the lines of a review in order of importance, with the options and the unfolded rules
 * last. `rulesAt` is the first line of the failure rules, or null if they are folded.
 */
export function reviewLines(
  facts: ReviewFacts,
  unfolded: Unfolded,
  key: KeyWords,
  columns: number,
): { readonly lines: readonly DocumentLine[]; readonly rulesAt: number | null } {
  const { form, write, run } = facts;
  const page = new DocumentBuilder(columns);
  for (const { words, look, indent } of facts.before) page.addText(words, look, indent);
  for (const warning of facts.warnings) {
    page.addText(`! ${atPlace(form, warning)}`, { tone: "waiting" });
  }
  if (write === null) return { lines: page.lines, rulesAt: null };
  if (run !== null) {
    page.addFact("Goes out", run.goesOut, { bold: true });
    page.addFact("", `POST ${urlOf(facts.baseUrl, write.path, write.query)}`);
    addRun(page, run);
  }
  if (run === null || unfolded.json) addRequests(page, facts);
  page.addText("");
  if (run !== null) {
    page.addFact("If one fails", "the others are still sent", {}, labelCells);
    const stop = `${key("stop-run")} stops the run, and it can be resumed: confirmed rows are never sent again`;
    page.addFact("If it stops", stop, {}, labelCells);
  }
  addRules(page, write);
  addOptions(page, facts, write, key);
  const rulesAt = page.lines.length + 1;
  if (unfolded.rules) addAllRules(page, write, key);
  return { lines: page.lines, rulesAt: unfolded.rules ? rulesAt : null };
}

function addRun(page: DocumentBuilder, run: RunFacts): void {
  const { suppliers, first, last, between, heldBack } = run;
  if (suppliers.length > 1)
    for (const { supplier, contents } of suppliers) page.addFact("", `${supplier}: ${contents}`);
  const firstRows = first.flatMap(rowsOf);
  const lastRows = last === null ? [] : rowsOf(last);
  const all = [...firstRows, ...lastRows];
  const isFile = all.some(({ line }) => line !== "");
  const cells = (values: readonly string[], maxCells: number) =>
    Math.min(maxCells, Math.max(...values.map(widthOf))) + 2;
  const line = isFile ? cells(["Line", ...all.map((row) => row.line)], 9) : 0;
  const account = cells(
    ["Account", ...all.map((row) => row.account)],
    Math.floor(page.columns / 3),
  );
  const addRow = (row: SampleRow, look: object = {}) => {
    const before = padOrTruncate(row.line, line) + padOrTruncate(row.account, account - 2);
    const room = Math.max(8, page.columns - line - account);
    page.lines.push([{ text: `${before}  ${truncate(row.contents, room)}`, ...look }]);
  };
  page.addText("");
  addRow({ line: "Line", account: "Account", contents: "What" }, { tone: "title" });
  for (const row of firstRows) addRow(row);
  if (between > 0) page.addText(`… ${plural(between, "more request")} …`);
  for (const row of lastRows) addRow(row);
  if (heldBack.length > 0) page.addHeading("Held back");
  for (const words of heldBack) page.addText(words);
}

interface SampleRow {
  /** The line in the file, or an empty text for a marked account. */
  readonly line: string;
  readonly account: string;
  readonly contents: string;
}

function rowsOf({ lines, write }: SampleRequest): readonly SampleRow[] {
  const { facts, operation } = write;
  return facts.items.map((item, at) => ({
    line: lines === null ? "" : count(lines[at] ?? 0),
    account: safe(numberOf(facts.target)),
    contents: safe(rowWords(operation, item, facts.labels[at] ?? "")),
  }));
}

function rowWords(operation: Operation, item: unknown, label: string): string {
  const { amount, type } = kindOf(operation).contents;
  return amount === null && type === null && label !== ""
    ? JSON.stringify(label)
    : oneItemWords(operation, item);
}

const labelCells = 16;

/** Adds each request with its address, size and body. An address is not repeated. */
function addRequests(page: DocumentBuilder, { baseUrl, requests }: ReviewFacts): void {
  let shown: string | null = null;
  for (const { heading, parts } of requests) {
    const [first = null, ...more] = parts;
    if (heading !== null && first !== null) {
      const words = more.length === 0 ? writeWords(first) : targetWords(first.facts.target);
      page.addHeading(`${heading}: ${words}`);
    } else if (page.lines.length > 0) page.addText("");
    for (const [at, part] of parts.entries()) {
      const number = parts.length === 1 ? "" : `${at + 1} of ${parts.length}: `;
      const url = urlOf(baseUrl, part.path, part.query);
      addRequest(page, `${number}POST ${url === shown ? "to the same address" : url}`, part);
      shown = url;
    }
  }
}

function addRequest(page: DocumentBuilder, heading: string, { body }: PreparedWrite): void {
  page.addEnds(heading, bytesText(body.byteLength), { bold: true });
  const json = compactJson(new TextDecoder().decode(body), page.columns);
  for (const parts of json) {
    page.lines.push(
      parts.map(({ text, isValue }) => (isValue ? { text } : { text, tone: "muted" })),
    );
  }
}

function addOptions(
  page: DocumentBuilder,
  { form, split }: ReviewFacts,
  write: PreparedWrite,
  key: KeyWords,
): void {
  const options = [
    ...form.query.map(({ name, label }) => `${label}: ${optionWords(write.query[name])}`),
    ...(split === null ? [] : [splitWords(split)]),
  ];
  if (options.length === 0) return;
  for (const [at, option] of options.entries())
    page.addFact(at === 0 ? "Options" : "", option, {}, labelCells);
  const pieces = [{ text: key("options"), tone: "accent" as const }, { text: " changes them" }];
  page.lines.push([{ text: " ".repeat(labelCells) }, ...pieces]);
}

function bytesText(size: number): string {
  return size > 9_999 ? `${count(size)} bytes (${bytes(size)})` : plural(size, "byte");
}

function addRules(page: DocumentBuilder, write: PreparedWrite): void {
  page.addFact(
    "If sent twice",
    kindOf(write.operation).dedupe.summary(write.deduplicated),
    {},
    labelCells,
  );
  page.addFact("On failure", failureSummary(write.operation, termsOf(write)), {}, labelCells);
}

function termsOf({ deduplicated }: PreparedWrite): FailureTerms {
  const { settleMs, totalMs } = limitsOf({ signal: AbortSignal.abort() });
  return { deduplicated, settleMs, totalMs };
}

function addAllRules(page: DocumentBuilder, write: PreparedWrite, key: KeyWords): void {
  page.addHeading("If sent twice");
  page.addText(kindOf(write.operation).dedupe.words(write.deduplicated, write.facts.items));
  page.addHeading("On failure");
  for (const { when, then } of failureRules(write.operation, termsOf(write)))
    page.addText(`${when}: ${then}`);
  page.addText(
    `${key("cancel")} stops it. If it was not sent yet, nothing happens. Otherwise its outcome is unknown.`,
  );
  page.addText(`The body has the SHA-256 ${write.sha256}.`);
}
