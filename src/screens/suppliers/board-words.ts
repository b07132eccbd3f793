/** The texts of the board: the figures of each supplier and its reasons for attention. */
import { dayTime, goneWords } from "../../components/figure-words.ts";
import { errorWord } from "../../errors/error-words.ts";
import { coarseAge, listedAge } from "../../text/ages.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import { problemOf } from "../../triage/figures/worst-first.ts";
import { supplierNames } from "../../triage/find/found.ts";
import { amountText, shortRange } from "../../triage/forecast/words.ts";
import type { BoardLine } from "./board-feed.ts";

/** The texts of one supplier on the board. They change at most once a minute. */
export interface ShownSupplier {
  readonly supplier: string;
  readonly line: BoardLine;
  /** `!` if the supplier needs attention, `x` if its list cannot be loaded. */
  readonly sign: "!" | "x" | " ";
  readonly signTone: Tone;
  readonly needs: string;
  /** The imported share from 0 to 1, or null if it is unknown. */
  readonly share: number | null;
  readonly percent: string;
  readonly bar: { readonly done: number; readonly failed: number; readonly total: number } | null;
  readonly pending: string;
  /** The imports per hour, oldest first. It is empty if they are unknown. */
  readonly hours: readonly number[];
  readonly rate: string;
  readonly finish: string;
  readonly oldest: string;
  /** The number of accounts pending for over a day. Empty if it is zero or unknown. */
  readonly over: string;
  readonly gone: string;
  readonly unknown: string;
  /** The age of the figures. It is empty if they are less than five minutes old. */
  readonly oldFigures: string;
  readonly problem: string;
}

const signs = {
  unknown: ["!", "unknown"],
  failed: ["x", "bad"],
  "held-back": ["!", "bad"],
  gone: ["!", "bad"],
  stuck: ["!", "waiting"],
  "over-a-day": [" ", "plain"],
  pending: [" ", "plain"],
  unseen: [" ", "plain"],
  done: [" ", "plain"],
} as const;

const unknownText = "–";

export function shownSupplier(line: BoardLine, now: number): ShownSupplier {
  const { supplier, figures, unknown, load } = line;
  const [sign, signTone] = signs[problemOf(line)];
  const history = figures?.history ?? null;
  const known = figures !== null;
  const gone = history?.gone ?? { count: 0, atLeast: false };
  const oldest = history?.oldestPendingSince ?? null;
  const rate = figures?.rates[0];
  return {
    supplier,
    line,
    sign,
    signTone,
    needs: needsWords(line),
    share: known && figures.total > 0 ? figures.imported / figures.total : null,
    percent: known ? percent(figures.imported, figures.total).replace(" %", "") : unknownText,
    bar: known
      ? { done: figures.imported, failed: gone.count, total: figures.total + gone.count }
      : null,
    pending: known ? count(figures.pending) : load.kind === "loading" ? "loading" : unknownText,
    hours: figures?.lastHours ?? [],
    rate: rate === undefined || rate.perHour === 0 ? unknownText : amountText(rate.perHour),
    finish: figures?.finish.kind === "range" ? shortRange(figures.finish) : unknownText,
    // After less than a minute of observation, an age would not be meaningful.
    oldest:
      oldest === null || figures === null || figures.listedAt - oldest < 60_000
        ? ""
        : listedAge(oldest, figures.listedAt),
    over: unlessZero(history?.pendingOverADay ?? 0),
    gone: (gone.atLeast ? "≥ " : "") + unlessZero(gone.count),
    unknown: unlessZero(unknown ?? 0),
    oldFigures: known ? oldWords(now - figures.listedAt) : "",
    problem: load.kind === "failed" ? errorWord(load.error) : "",
  };
}

function unlessZero(n: number): string {
  return n === 0 ? "" : count(n);
}

const oldFiguresMs = 5 * 60_000;

function oldWords(ageMs: number): string {
  return ageMs < oldFiguresMs ? "" : coarseAge(ageMs);
}

function needsWords(line: BoardLine): string {
  const gone = goneWords(line.figures?.history?.gone ?? null);
  const unknown =
    line.unknown === null || line.unknown === 0
      ? ""
      : `${plural(line.unknown, "entry", "entries")} unknown`;
  const stuck = problemOf(line) === "stuck" ? "no import for a day" : "";
  const heldBack = problemOf(line) === "held-back" ? "list held back" : "";
  return [unknown, heldBack, gone, stuck].filter((words) => words !== "").join(", ");
}

const uncheckedShownMs = 3_600_000;
const maxNamed = 3;

/**
 * Lists the suppliers with a gap in their checks that ended within the last hour: `NORTH not
 * checked from 04:20 to 04:28`.
 */
export function uncheckedWords(lines: readonly BoardLine[], now: number): readonly string[] {
  const bySpan = new Map<string, BoardLine[]>();
  for (const line of lines) {
    const { unchecked } = line;
    if (unchecked === null || now - unchecked.to > uncheckedShownMs) continue;
    const span = `from ${dayTime(unchecked.from, now)} to ${dayTime(unchecked.to, now)}`;
    bySpan.set(span, [...(bySpan.get(span) ?? []), line]);
  }
  return [...bySpan].map(([span, suppliers]) => {
    const names =
      suppliers.length > maxNamed ? plural(suppliers.length, "supplier") : supplierNames(suppliers);
    return `${names} not checked ${span}`;
  });
}
