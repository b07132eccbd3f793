import type { Piece } from "../../components/text.tsx";
import { formatInstant } from "../../text/dates.ts";
import { prettyRaw } from "../../text/pretty-raw.ts";
import { wrap } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import type { ActivityAttempt, ActivityDetail } from "../../writes/activity-detail.ts";
import { attemptWords } from "../../writes/words/attempts.ts";
import {
  closingReason,
  itemWords,
  outcomeWords,
  targetNumber,
} from "../../writes/words/outcomes.ts";

/** One line of a screen that scrolls. */
export type WriteLine = readonly Piece[];

/** Words wrapped to lines, the later ones indented as the first. */
export function wordLines(
  text: string,
  width: number,
  tone: Tone = "plain",
  indent = 0,
): WriteLine[] {
  const margin = " ".repeat(indent);
  return wrap(text, Math.max(8, width - indent)).map((line) => [{ text: margin + line, tone }]);
}

/** Everything on record of a write but its body and the answers. */
export function recordLines(detail: ActivityDetail, width: number, ascii: boolean): WriteLine[] {
  return [
    ...factLines(detail, width),
    ...itemLines(detail, width, ascii),
    ...title("Attempts"),
    ...(detail.attempts.length === 0
      ? wordLines("None: it was never sent.", width, "muted")
      : detail.attempts.flatMap((attempt) => attemptLines(attempt, width))),
    ...remarkLines(detail, width),
  ];
}

/** A body or an answer, laid out anew where it is JSON. */
export function rawLines(raw: string, width: number): WriteLine[] {
  return prettyRaw(raw).lines.flatMap((line) => (line === "" ? [[]] : wordLines(line, width)));
}

/** The answers of all attempts, the last one first. */
export function answerLines(detail: ActivityDetail, width: number): WriteLine[] {
  if (detail.attempts.length === 0) return wordLines("It was never sent.", width, "muted");
  return detail.attempts.toReversed().flatMap((attempt) => [
    [
      { text: `Attempt ${attempt.n}`, tone: "title" as const },
      { text: `  ${endWords(attempt)}`, tone: "muted" as const },
    ],
    ...(attempt.response === null
      ? wordLines(detail.body === null ? "Not kept." : "No answer.", width, "muted")
      : attempt.response === ""
        ? wordLines("An answer without a body.", width, "muted")
        : rawLines(attempt.response, width)),
    [],
  ]);
}

function title(text: string): WriteLine[] {
  return [[], [{ text, tone: "title" }]];
}

function instant(iso: string | null): string {
  return iso === null ? "–" : formatInstant(Date.parse(iso));
}

function factLines(detail: ActivityDetail, width: number): WriteLine[] {
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
    ["Created", instant(detail.created_at)],
    ["Ended", instant(detail.ended_at)],
    ["Request", `POST ${detail.base_url}${detail.path}${query === "" ? "" : `?${query}`}`],
    ...(reason === null ? [] : ([["Closed because", reason]] as const)),
    ["Outcome", outcomeWords[detail.outcome].label],
    ["Last answer", [detail.http_status ?? "none", detail.code ?? ""].join(" ").trim()],
    ["SHA-256", detail.sha256],
    ...(detail.damaged === undefined
      ? []
      : ([
          ["Damaged", `${detail.damaged.join(", ")}: not as it was written to the journal`],
        ] as const)),
    ...(detail.run === null ? [] : ([["Bulk run", detail.run]] as const)),
    ...(detail.parent === null
      ? []
      : ([["Made for", `verifying entry ${detail.parent}`]] as const)),
  ];
  const label = Math.max(...facts.map(([name]) => name.length)) + 2;
  return facts.flatMap(([name, value]) =>
    wrap(value, Math.max(8, width - label)).map((line, index) => [
      { text: (index === 0 ? name : "").padEnd(label), tone: "muted" as const },
      { text: line },
    ]),
  );
}

function itemLines(detail: ActivityDetail, width: number, ascii: boolean): WriteLine[] {
  if (detail.items.length === 0) return [];
  return [
    ...title("Items"),
    ...detail.items.flatMap((item) => {
      const words = itemWords[item.outcome] ?? itemWords.unknown;
      const mark = ascii ? words.asciiMark : words.mark;
      const text = [
        String(item.position + 1).padStart(3),
        `${mark} ${words.label}`,
        item.label ?? "",
        item.status ?? "",
      ];
      return wordLines(text.filter((part) => part !== "").join("  "), width, words.tone);
    }),
  ];
}

function attemptLines(attempt: ActivityAttempt, width: number): WriteLine[] {
  const tone: Tone =
    attempt.outcome === "confirmed" ? "ok" : attempt.outcome === "sending" ? "busy" : "plain";
  const start = `${String(attempt.n).padStart(3)}  ${instant(attempt.started_at)}  `;
  const [first = "", ...more] = wrap(endWords(attempt), Math.max(8, width - start.length));
  return [
    [
      { text: start, tone: "muted" },
      { text: first, tone },
    ],
    ...more.map((line): WriteLine => [{ text: " ".repeat(start.length) + line, tone }]),
  ];
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

const remarkWords: Readonly<Record<string, string>> = {
  again: "sent in spite of an earlier entry",
  guarded: "not sent",
  resent: "sent again by an operator",
  verified: "verified",
  closed: "closed",
  recovered: "found by a later start",
  purged: "purged",
};

function remarkLines(detail: ActivityDetail, width: number): WriteLine[] {
  if (detail.remarks.length === 0) return [];
  return [
    ...title("Remarks"),
    ...detail.remarks.flatMap(({ at, kind, text }) => {
      const words = remarkWords[kind] ?? kind;
      return wordLines(`${instant(at)}  ${words}${text === "" ? "" : `: ${text}`}`, width);
    }),
  ];
}
