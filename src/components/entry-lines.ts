import type { EntryView } from "../hooks/journal.ts";
import { formatInstant } from "../text/dates.ts";
import { prettyRaw } from "../text/shown-json.ts";
import type { Tone } from "../theme.tsx";
import type { ActivityAttempt, ActivityDetail } from "../writes/activity-detail.ts";
import { isOperation, kindOf } from "../writes/kinds/kinds.ts";
import { bodyFacts } from "../writes/prepare.ts";
import { oneItemWords } from "../writes/words/contents.ts";
import { attemptWords } from "../writes/words/events.ts";
import {
  closingReason,
  existsWords,
  itemWords,
  movedWords,
  targetNumber,
} from "../writes/words/outcomes.ts";
import { DocumentBuilder, type DocumentLine } from "./document.tsx";

type EntryLinesOf = Pick<EntryView, "detail" | "body">;

export function recordLines(view: EntryLinesOf, columns: number): readonly DocumentLine[] {
  const { detail } = view;
  const page = new DocumentBuilder(columns);
  addItems(page, view);
  page.addHeading("Attempts");
  if (detail.attempts.length === 0) page.addText("None: it was never sent.");
  for (const attempt of detail.attempts) addAttempt(page, attempt);
  page.addHeading("Record");
  addFacts(page, detail);
  addHistory(page, detail);
  return page.lines;
}

/** Returns the lines of a body, with JSON indented, or of a body that was purged. */
export function bodyLines(body: string | null, columns: number): readonly DocumentLine[] {
  const page = new DocumentBuilder(columns);
  if (body === null) page.addText(purgedWords);
  else addRaw(page, body);
  return page.lines;
}

export const purgedWords = "The body has been purged from the journal.";

export function responseLines(detail: ActivityDetail, columns: number): readonly DocumentLine[] {
  const page = new DocumentBuilder(columns);
  if (detail.attempts.length === 0) page.addText("It was never sent.");
  for (const attempt of detail.attempts.toReversed()) {
    page.lines.push([
      { text: `Attempt ${attempt.n}`, tone: "title" },
      { text: `  ${endWords(attempt)}`, tone: "muted" },
    ]);
    const { response } = attempt;
    if (response) addRaw(page, response);
    else page.addText(noResponseWords(response, detail.body === null), { tone: "muted" });
    page.addText("");
  }
  return page.lines;
}

function noResponseWords(response: string | null, purged: boolean): string {
  if (response === "") return "A response without a body.";
  return purged ? "Purged from the journal." : "No answer.";
}

function addRaw(page: DocumentBuilder, raw: string): void {
  for (const line of prettyRaw(raw).lines) page.addText(line);
}

function instant(iso: string | null): string {
  return iso === null ? "–" : formatInstant(Date.parse(iso));
}

function addFacts(page: DocumentBuilder, detail: ActivityDetail): void {
  const query = new URLSearchParams(detail.query).toString();
  const reason = closingReason(detail);
  const facts: readonly (readonly [label: string, value: string])[] = [
    ["Operation", detail.operation],
    [
      detail.external_identifier === undefined ? "External account" : "External identifier",
      targetNumber(detail),
    ],
    ["Import supplier", detail.import_supplier],
    ["Profile", detail.profile],
    ...teamFacts(detail),
    ["Created", instant(detail.created_at)],
    ...(instant(detail.ended_at) === instant(detail.created_at)
      ? []
      : ([["Ended", instant(detail.ended_at)]] as const)),
    ["Request", `POST ${detail.base_url}${detail.path}${query === "" ? "" : `?${query}`}`],
    ...(reason === null ? [] : ([["Closed because", reason]] as const)),
    ["Last answer", [detail.http_status ?? "none", detail.code ?? ""].join(" ").trim()],
    ["SHA-256", detail.sha256],
    ...(detail.damaged === undefined
      ? []
      : ([
          ["Damaged", `${detail.damaged.join(", ")}: changed since it was written to the journal`],
        ] as const)),
    ...(detail.run === null ? [] : ([["Bulk run", detail.run]] as const)),
    ...(detail.parent === null
      ? []
      : ([["Made for", `verifying entry ${detail.parent}`]] as const)),
  ];
  const label = Math.max(...facts.map(([name]) => name.length)) + 2;
  for (const [name, value] of facts) page.addFact(name, value, {}, label);
}

function teamFacts({
  team_id: id,
  published,
}: ActivityDetail): readonly (readonly [label: string, value: string])[] {
  if (published === undefined) return [];
  const words = published ? "published" : "not published yet: the team sees it as being sent";
  return [["Team", [id ?? null, words].filter((part) => part !== null).join(", ")]];
}

/** The indent of an item's further lines: the width of its number. */
const itemIndent = 5;

function addItems(page: DocumentBuilder, { detail, body }: EntryLinesOf): void {
  const { items, operation, query, attempts } = detail;
  if (items.length === 0) return;
  page.addHeading("Items");
  const sent =
    isOperation(operation) && body !== null
      ? { operation, items: bodyFacts(operation, new TextEncoder().encode(body)).items }
      : null;
  const moved = sent && movedWords(sent, query, attempts.at(-1)?.response ?? null);
  for (const item of items) {
    const words = itemWords[item.outcome] ?? itemWords.unknown;
    const number = `${String(item.position + 1).padStart(3)}  `;
    const outcome = `${words.mark} ${words.label}`;
    const name =
      sent && kindOf(sent.operation).contents.amount !== null
        ? oneItemWords(sent.operation, sent.items[item.position])
        : (item.label ?? "");
    const rest = [name, item.status ?? ""].filter((part) => part !== "");
    const first = page.lines.length;
    page.addText(number + [outcome, ...rest].join("  "), {}, 0, itemIndent);
    // Only the outcome has a color. The words after it are customer data.
    const text = page.lines[first]?.[0]?.text ?? "";
    const start = number + outcome;
    if (text.startsWith(start))
      page.lines[first] = [
        { text: number },
        { text: outcome, tone: words.tone },
        { text: text.slice(start.length) },
      ];
    const movedDate = moved?.[item.position] ?? null;
    if (movedDate !== null) page.addText(movedDate, {}, itemIndent);
    if (sent !== null && item.outcome === "exists")
      page.addText(existsWords(sent, item.position, { attempts: attempts.length }), {}, itemIndent);
  }
}

function addAttempt(page: DocumentBuilder, attempt: ActivityAttempt): void {
  const tone: Tone =
    attempt.outcome === "confirmed" ? "ok" : attempt.outcome === "sending" ? "busy" : "plain";
  const start = `${String(attempt.n).padStart(3)}  ${instant(attempt.started_at)}  `;
  page.addFact(start.trimEnd(), endWords(attempt), { tone }, start.length);
}

function endWords({ outcome, http_status, code, detail, started_at, ended_at }: ActivityAttempt) {
  return attemptWords({
    outcome,
    httpStatus: http_status,
    code,
    detail,
    startedAt: Date.parse(started_at),
    endedAt: ended_at === null ? null : Date.parse(ended_at),
  });
}

const historyWords: Readonly<Record<string, string>> = {
  again: "sent despite an earlier entry",
  guarded: "not sent",
  resent: "sent again by an operator",
  verified: "verified",
  closed: "closed",
  recovered: "found by a later start",
  purged: "purged",
};

function addHistory(page: DocumentBuilder, { remarks }: ActivityDetail): void {
  if (remarks.length === 0) return;
  page.addHeading("History");
  for (const { at, kind, text } of remarks) {
    const words = historyWords[kind] ?? kind;
    page.addText(`${instant(at)}  ${words}${text === "" ? "" : `: ${text}`}`);
  }
}
