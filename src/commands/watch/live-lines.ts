import { formatInstant } from "../../text/dates.ts";
import type { StatusWords, Tone } from "../../text/describe-status.ts";
import { count } from "../../text/numbers.ts";
import { padOrTruncate, truncate, widthOf } from "../../text/width.ts";

/** One thing that is followed, as its line shows it. */
export interface LiveRow {
  readonly id: string;
  /** Null before the first look. */
  readonly words: StatusWords | null;
  /** Epoch milliseconds; null before the first look. */
  readonly since: number | null;
  /** Whether that state was there at the first look already: it may have begun earlier. */
  readonly first: boolean;
  /** What stands behind: its number at the service, or what is wrong. */
  readonly note: string;
  readonly kind: "open" | "failing" | "done" | "ended";
}

export interface LiveRoom {
  readonly columns: number;
  readonly rows: number;
  readonly ascii: boolean;
  readonly colour: boolean;
}

const codes: Readonly<Record<Tone, string>> = {
  ok: "32",
  busy: "36",
  waiting: "33",
  bad: "31",
  muted: "2",
  unknown: "35",
};

const statusWidth = 19;
const sinceWidth = 15;

/** A line for each row, all of them, in their order. */
export function rowLines(rows: readonly LiveRow[], room: LiveRoom): string[] {
  const longest = rows.reduce((most, { id }) => Math.max(most, widthOf(id)), 0);
  const idWidth = Math.min(longest, Math.max(8, room.columns - statusWidth - sinceWidth - 6));
  return rows.map((row) => rowLine(row, idWidth, room));
}

/**
 * As many rows as there is room for, and a line that counts: what has ended badly and what fails
 * before what is open, and what is done last.
 */
export function liveLines(
  rows: readonly LiveRow[],
  summary: (hidden: number) => string,
  room: LiveRoom,
): string[] {
  // The cursor stands below the block.
  const most = Math.max(0, room.rows - 2);
  const shown =
    rows.length <= most
      ? rows
      : rows
          .toSorted((a, b) => rank(a) - rank(b) || (b.since ?? 0) - (a.since ?? 0))
          .slice(0, most);
  const last = truncate(summary(rows.length - shown.length), room.columns - 1, room);
  return [...rowLines(shown, room), paint("muted", last, room)];
}

/** How many stand how: `3 of 12 COMPLETED  1 ended otherwise  8 open`. */
export function countWords(rows: readonly LiveRow[], until: string): string {
  const number = (kind: LiveRow["kind"]) => rows.filter((row) => row.kind === kind).length;
  const failing = number("failing");
  const parts = [`${count(number("done"))} of ${count(rows.length)} ${until}`];
  if (number("ended") > 0) parts.push(`${count(number("ended"))} ended otherwise`);
  const open = number("open") + failing;
  if (open > 0) parts.push(`${count(open)} open`);
  if (failing > 0) parts.push(`${count(failing)} failing`);
  return parts.join("  ");
}

const ranks: Readonly<Record<LiveRow["kind"], number>> = { ended: 0, failing: 1, open: 2, done: 3 };

function rank({ kind }: LiveRow): number {
  return ranks[kind];
}

function rowLine(row: LiveRow, idWidth: number, room: LiveRoom): string {
  const { words, kind } = row;
  const width = room.columns - 1;
  const tone: Tone = kind === "ended" ? "bad" : (words?.tone ?? "muted");
  const mark =
    kind === "ended" ? (room.ascii ? "x" : "✗") : room.ascii ? words?.asciiMark : words?.mark;
  const status = padOrTruncate(words ? `${mark} ${words.label}` : "", statusWidth, room);
  const head = `${padOrTruncate(row.id, idWidth, room)}  `;
  const tail = `  ${padOrTruncate(sinceText(row), sinceWidth)}  ${row.note}`;
  const whole = head + status + tail;
  // Only a line that is whole can be painted in parts.
  if (widthOf(head + status) > width) return truncate(whole, width, room).trimEnd();
  const rest = truncate(tail, width - widthOf(head + status), room).trimEnd();
  const painted = paint(kind === "failing" ? "bad" : "muted", rest, room);
  return head + paint(tone, rest === "" ? status.trimEnd() : status, room) + painted;
}

function sinceText({ since, first }: LiveRow): string {
  if (since === null) return "";
  return `${first ? "before " : ""}${formatInstant(since).slice(11)}`;
}

function paint(tone: Tone, text: string, { colour }: LiveRoom): string {
  return colour && text !== "" ? `\x1b[${codes[tone]}m${text}\x1b[0m` : text;
}
