import type { Piece } from "../../components/text.tsx";
import {
  attemptWords,
  doubtWords,
  itemWords,
  outcomeWords,
  reasonWords,
  targetNumber,
} from "../../components/write-words.ts";
import { formatInstant } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { prettyRaw } from "../../text/json.ts";
import { wrap } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import type { ActivityAttempt, ActivityDetail } from "../../writes/activity-detail.ts";

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
    ["Outcome", outcomeWords[detail.outcome].label],
    ["Reason", detail.reason === null ? "–" : (reasonWords[detail.reason] ?? detail.reason)],
    ["Doubt", doubtOf(detail)],
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
      : ([["Made for", `verifying write ${detail.parent}`]] as const)),
  ];
  const label = Math.max(...facts.map(([name]) => name.length)) + 2;
  return facts.flatMap(([name, value]) =>
    wrap(value, Math.max(8, width - label)).map((line, index) => [
      { text: (index === 0 ? name : "").padEnd(label), tone: "muted" as const },
      { text: line },
    ]),
  );
}

/** What is confirmed has no doubt left, whatever its attempts were like. */
function doubtOf({ doubt, outcome }: ActivityDetail): string {
  return outcome === "confirmed" ? "none" : (doubtWords[doubt] ?? "none");
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
  const started = Date.parse(attempt.started_at);
  const after = (iso: string | null) =>
    iso === null ? null : formatDuration(Math.max(0, Date.parse(iso) - started));
  const headers = after(attempt.headers_sent_at);
  const ended = after(attempt.ended_at);
  const tone: Tone =
    attempt.outcome === "confirmed" ? "ok" : attempt.outcome === "sending" ? "busy" : "plain";
  return [
    [
      { text: `${String(attempt.n).padStart(3)}  ${instant(attempt.started_at)}  `, tone: "muted" },
      { text: endWords(attempt), tone },
    ],
    ...wordLines(
      [
        headers === null ? "headers not seen to leave" : `headers left after ${headers}`,
        ended === null ? "no end on record" : `ended after ${ended}`,
      ].join(", "),
      width,
      "muted",
      5,
    ),
  ];
}

function endWords(attempt: ActivityAttempt): string {
  const status = attempt.http_status === null ? "" : `HTTP ${attempt.http_status}`;
  return [attemptWords(attempt.outcome), status, attempt.code ?? ""]
    .filter((part) => part !== "")
    .join("  ");
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
