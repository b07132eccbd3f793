import {
  DocumentBuilder,
  type DocumentLine,
  type Sentence,
} from "../../components/document-builder.ts";
import type { Form } from "../../forms/fields.ts";
import type { Issue } from "../../forms/issue.ts";
import { atPlace } from "../../forms/paths.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { urlOf } from "../../session/write-plan.ts";
import { bytes, count, plural } from "../../text/numbers.ts";
import { prettyRaw } from "../../text/pretty-raw.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { failureSummary, failureWords } from "../../writes/retry-words.ts";
import { limitsOf } from "../../writes/send/events.ts";
import { dedupeSummary, dedupeWords, optionWords, splitWords } from "./words.ts";

/** What is sent: the requests of one form, or those of a run over many accounts. */
export interface ReviewFacts {
  readonly form: Form;
  readonly baseUrl: string;
  /** What may stand in the way; it comes first. */
  readonly before: readonly Sentence[];
  readonly warnings: readonly Issue[];
  /** The write that options and failure rules are read from; null until it is known. */
  readonly write: PreparedWrite | null;
  /** The requests shown, in the order in which they are sent. */
  readonly requests: readonly RequestGroup[];
  /** For a run: how much goes to how many. */
  readonly goesOut: string | null;
  /** Decimal text; null where there are no amounts, or just one. */
  readonly sum: string | null;
  /** Whether each item goes in a separate request; null where that is not offered. */
  readonly split: boolean | null;
}

interface RequestGroup {
  readonly heading: string | null;
  readonly parts: readonly PreparedWrite[];
}

/** Everything there is to know before it is sent, in the order in which it matters. */
export function reviewLines(
  facts: ReviewFacts,
  rules: boolean,
  key: KeyWords,
  columns: number,
): readonly DocumentLine[] {
  const { form, write, goesOut, sum, split } = facts;
  const page = new DocumentBuilder(columns);
  for (const { words, look, indent } of facts.before) page.say(words, look, indent);
  for (const warning of facts.warnings) {
    page.say(`! ${atPlace(form, warning)}`, { tone: "waiting" });
  }
  if (write === null) return page.lines;
  if (goesOut !== null) page.fact("Goes out", goesOut, { bold: true });
  if (sum !== null) page.fact("Sum", `${sum} in all`, { bold: true });
  for (const { name, label } of form.query) {
    page.fact(key("options"), `${label}: ${optionWords(write.query[name])}`, {}, 3);
  }
  if (split !== null) page.fact(key("options"), splitWords(split), {}, 3);
  for (const { heading, parts } of facts.requests) {
    if (heading !== null) page.head(heading);
    else if (page.lines.length > 0) page.say("");
    for (const [at, part] of parts.entries()) {
      const which = parts.length === 1 ? "" : `${at + 1} of ${parts.length}: `;
      sayRequest(page, `${which}POST ${urlOf(facts.baseUrl, part.path, part.query)}`, part);
    }
  }
  page.say("");
  if (goesOut !== null) {
    page.fact("If one fails", "the others are still sent", {}, 16);
    const stop = `${key("stop-run")} stops the run, and it can be resumed: confirmed rows are never sent again`;
    page.fact("If it stops", stop, {}, 16);
  }
  sayRules(page, write, rules, key);
  return page.lines;
}

/** Where a request goes, its size, and exactly its bytes, indented; digits and escapes as sent. */
function sayRequest(page: DocumentBuilder, where: string, { body }: PreparedWrite): void {
  page.between(where, bytesText(body.byteLength), { bold: true });
  for (const line of prettyRaw(new TextDecoder().decode(body), page.columns).lines) page.say(line);
}

function bytesText(size: number): string {
  return size > 9_999 ? `${count(size)} bytes (${bytes(size)})` : plural(size, "byte");
}

/** A second sending and a failure, each in one line; `rules` adds every case in full. */
function sayRules(page: DocumentBuilder, write: PreparedWrite, rules: boolean, key: KeyWords) {
  const { settleMs, totalMs } = limitsOf({ signal: AbortSignal.abort() });
  const terms = { deduplicated: write.deduplicated, settleMs, totalMs };
  page.fact("If sent twice", dedupeSummary(write), {}, 16);
  page.fact("On failure", failureSummary(write.operation, terms), {}, 16);
  if (!rules) {
    page.say(`${key("failure-rules")} shows every case.`, { tone: "muted" }, 16);
    return;
  }
  page.head("If sent twice");
  page.say(dedupeWords(write));
  page.head("On failure");
  for (const { when, then } of failureWords(write.operation, terms)) page.say(`${when}: ${then}`);
  page.say(
    `${key("cancel")} stops it. Before it leaves this machine, nothing happens; after that, its outcome is unknown.`,
  );
  page.say(`The body has the SHA-256 ${write.sha256}.`);
}
