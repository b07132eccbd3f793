import { atPlace } from "../../forms/paths.ts";
import { moneyOf } from "../../forms/totals.ts";
import { isRecord } from "../../json/value.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Plan } from "../../session/write-plan.ts";
import { bytes, count, plural } from "../../text/numbers.ts";
import { prettyRaw } from "../../text/pretty-raw.ts";
import { earlierWords, type GuardFinding } from "../../writes/guard.ts";
import { operations } from "../../writes/operations.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { failureSummary, failureWords } from "../../writes/retry-words.ts";
import { limitsOf } from "../../writes/submit/options.ts";
import { type DocumentLine, LineSetter } from "./document.ts";

export interface ReviewFacts {
  readonly plan: Plan;
  readonly url: string;
  readonly finding: GuardFinding;
  /** Whether each item goes in a request of its own; null where that is not offered. */
  readonly split: boolean | null;
  /** What is sent, one after another. */
  readonly parts: readonly PreparedWrite[];
  readonly key: KeyWords;
  /** What the service's validation said, for supply points. */
  readonly validated: readonly DocumentLine[];
  /** Whether the rules for failures are unfolded. */
  readonly rules: boolean;
}

/** Everything there is to know before a write is sent, in the order in which it matters. */
export function reviewLines(facts: ReviewFacts, columns: number): readonly DocumentLine[] {
  const { plan, url, finding } = facts;
  const { prepared, warnings } = plan;
  const page = new LineSetter(columns);
  sayFinding(page, finding, facts.key);
  page.lines.push(...facts.validated);
  for (const warning of warnings) {
    page.say(`! ${atPlace(plan.form, warning)}`, { tone: "waiting" });
  }
  const money = prepared.facts.items.length > 1 ? moneyOf(plan.form, plan.body) : null;
  if (money !== null) page.fact("Sum", `${money} in all`, { bold: true });
  for (const { name, label } of plan.form.query) {
    page.fact(facts.key("options"), `${label}: ${optionWords(prepared.query[name])}`, {}, 3);
  }
  if (facts.split !== null) page.fact(facts.key("options"), splitWords(facts.split), {}, 3);
  if (page.lines.length > 0) page.say("");
  for (const [at, part] of facts.parts.entries()) {
    const which = facts.parts.length === 1 ? "" : `${at + 1} of ${facts.parts.length}: `;
    sayRequest(page, `${which}POST ${url}`, part);
  }
  page.say("");
  sayRules(page, prepared, facts.rules, facts.key);
  return page.lines;
}

/** Where a request goes, its size, and exactly its bytes, indented; digits and escapes as sent. */
export function sayRequest(page: LineSetter, where: string, { body }: PreparedWrite): void {
  page.between(where, bytesText(body.byteLength), { bold: true });
  for (const line of prettyRaw(new TextDecoder().decode(body), page.columns).lines) page.say(line);
}

function bytesText(size: number): string {
  return size > 9_999 ? `${count(size)} bytes (${bytes(size)})` : plural(size, "byte");
}

/** A second sending and a failure, each in one line; `rules` adds every case in full. */
export function sayRules(
  page: LineSetter,
  prepared: PreparedWrite,
  rules: boolean,
  key: KeyWords,
): void {
  const { settleMs, totalMs } = limitsOf({ signal: AbortSignal.abort() });
  const terms = { deduplicated: prepared.deduplicated, settleMs, totalMs };
  page.fact("If sent twice", dedupeSummary(prepared), {}, 16);
  page.fact("On failure", failureSummary(prepared.operation, terms), {}, 16);
  if (!rules) {
    page.say(`${key("failure-rules")} shows every case.`, { tone: "muted" }, 16);
    return;
  }
  page.head("If sent twice");
  page.say(dedupeWords(prepared));
  page.head("On failure");
  for (const { when, then } of failureWords(prepared.operation, terms)) {
    page.say(`${when}: ${then}`);
  }
  page.say(
    `${key("cancel")} stops it. Before it leaves this machine, nothing happens; after that, its outcome is unknown.`,
  );
  page.say(`The body has the SHA-256 ${prepared.sha256}.`);
}

/** What the duplicate guard knows, and what can be done about it. */
function sayFinding(page: LineSetter, finding: GuardFinding, key: KeyWords): void {
  switch (finding.kind) {
    case "clear":
      return;
    case "refused-before":
      page.say(
        `The service has refused this very form before (400, entry ${finding.by}), and it must not be sent again unchanged. Change it; or, where the 400 stood for an outage that is over, ${key("send")} asks for the reason and sends it.`,
        { tone: "bad", bold: true },
      );
      return;
    case "sent-before":
      page.say(
        `${earlierWords(finding.earlier)} Sent again, it may take effect twice: ${key("send")} asks for the reason. ${key("activity")} shows the entry.`,
        { tone: "bad", bold: true },
      );
      return;
    case "reported":
      page.say(
        `${earlierWords(finding.earlier)} ${key("activity")} shows it; the service keeps a second one out.`,
        { tone: "waiting" },
      );
  }
}

function splitWords(split: boolean): string {
  return split
    ? "One transaction per request: yes. Each is answered for alone; the first that is not confirmed ends it."
    : "One transaction per request: no. After a 400 it is not known which of the earlier ones took effect.";
}

/** What is chosen for a query option, in words. */
export function optionWords(value: string | undefined): string {
  if (value === undefined) return "yes (the service's default; not sent)";
  return value === "true" ? "yes" : "no";
}

/** Whether a second sending has an effect, in one line. */
function dedupeSummary({ operation, deduplicated }: PreparedWrite): string {
  switch (operation) {
    case "notes create":
      return deduplicated
        ? "safe: the service adds the same note once"
        : "not safe: a note without a body might be added twice";
    case "transactions create":
      return deduplicated
        ? "safe: the service checks for transactions added before"
        : "not safe: the check is off, and each might be added twice";
    case "supply-points create":
      return "safe: the service refuses an identifier that is already imported";
    case "statements create":
    case "payment-instructions create":
      return `not safe: the service might add the ${operations[operation].item} twice`;
  }
}

/** Whether the service recognizes a repeated request. */
export function dedupeWords(prepared: PreparedWrite): string {
  const { operation, facts, deduplicated } = prepared;
  switch (operation) {
    case "notes create": {
      const timed = facts.items.filter((note) => isRecord(note) && "created_at" in note).length;
      if (!deduplicated)
        return "The service tells notes apart by their body, and one of these has none: sent twice, it may be there twice.";
      if (timed === 0)
        return "The service adds the same body once to an account: sent again, it answers that the note exists. To add the same text again, give the note a created_at.";
      return timed === facts.items.length
        ? "The service adds the same body with the same created_at once; with another created_at it is another note."
        : "The service adds the same body once; a note with a created_at only where none has the same body and the same time.";
    }
    case "transactions create":
      return deduplicated
        ? "The service checks for transactions that were added before and skips them."
        : "The check for transactions added before is off, or a transaction has no ID: sent twice, they can exist twice.";
    case "supply-points create":
      return "The service refuses an identifier that is imported already. It is looked up first, and afterwards where the answer is missing.";
    default: {
      const { readBack } = operations[operation];
      const where =
        readBack.by === "nothing" ? ` It cannot be read back: look at ${readBack.where}.` : "";
      return `The service does not say that it recognises the same ${operations[operation].item} again.${where}`;
    }
  }
}
