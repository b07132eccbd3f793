import { dayTime, goneWords } from "../../components/figure-words.ts";
import { errorWord } from "../../errors/error-words.ts";
import { utcInstant } from "../../text/dates.ts";
import { atLeastAge, coarseAge } from "../../text/durations.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import { aheadWords } from "../../triage/figures/creation-time.ts";
import { troubleOf } from "../../triage/figures/worst-first.ts";
import { supplierNames } from "../../triage/find/words.ts";
import { shortRange, spansWords } from "../../triage/forecast/words.ts";
import type { BoardLine } from "./board-feed.ts";

/** One supplier as it is drawn: texts that change once a minute at the most. */
export interface ShownSupplier {
  readonly supplier: string;
  /** `!` where someone is needed, `x` where the list cannot be loaded. */
  readonly sign: "!" | "x" | " ";
  readonly signTone: Tone;
  /** The same in words; empty where no one is needed. */
  readonly needs: string;
  /** Between 0 and 1; null while nothing is known. */
  readonly share: number | null;
  readonly percent: string;
  readonly pending: string;
  /** Imported per hour, oldest first, as text, so that equal ones are equal; empty where not known. */
  readonly hours: string;
  readonly rate: string;
  readonly finish: string;
  readonly oldest: string;
  readonly over: string;
  readonly gone: string;
  readonly unknown: string;
  /** Of the figures. */
  readonly age: string;
  /** The same where it is worth a word: empty for figures of this minute. */
  readonly oldFigures: string;
  /** Why the last load failed, in two or three words; empty where it did not. */
  readonly problem: string;
  /** The same as values, for files and orders; times in UTC. */
  readonly figures: {
    readonly pending: number | null;
    readonly rate: number | null;
    readonly oldest: string | null;
    readonly over: number | null;
    readonly gone: number | null;
    readonly unknown: number | null;
    readonly listed: string | null;
  };
}

const signs = {
  unknown: ["!", "bad"],
  failed: ["x", "bad"],
  "held-back": ["!", "bad"],
  gone: ["!", "bad"],
  stuck: ["!", "waiting"],
  "over-a-day": [" ", "plain"],
  pending: [" ", "plain"],
  unseen: [" ", "plain"],
  done: [" ", "plain"],
} as const;

/** Not known, or not there. */
const nothing = "–";

/** A supplier in words, at `now` (epoch milliseconds). */
export function shownSupplier(line: BoardLine, now: number, ascii: boolean): ShownSupplier {
  const { supplier, figures, unknown, load } = line;
  const [sign, signTone] = signs[troubleOf(line)];
  const history = figures?.history ?? null;
  const known = figures !== null;
  const gone = history?.gone ?? null;
  const oldest = history?.oldestPendingSince ?? null;
  const rate = figures?.rates[0];
  return {
    ...{ supplier, sign, signTone },
    needs: needsWords(line),
    share: known && figures.total > 0 ? figures.imported / figures.total : null,
    percent: known ? percent(figures.imported, figures.total).replace(" %", "") : nothing,
    pending: known ? count(figures.pending) : load.kind === "loading" ? "loading" : nothing,
    hours: (figures?.lastHours ?? []).join(" "),
    rate: rate === undefined ? nothing : shortRate(rate.perHour),
    finish: figures?.finish.kind === "range" ? shortRange(figures.finish, ascii) : nothing,
    // A history that has just begun says nothing about ages.
    oldest: oldest === null || now - oldest < 60_000 ? nothing : atLeastAge(now - oldest),
    over: history?.pendingOverADay == null ? nothing : count(history.pendingOverADay),
    gone: gone === null ? nothing : (gone.atLeast ? "≥ " : "") + count(gone.count),
    unknown: unknown === null ? nothing : count(unknown),
    age: known ? coarseAge(now - figures.listedAt) : nothing,
    oldFigures: known && now - figures.listedAt >= 60_000 ? coarseAge(now - figures.listedAt) : "",
    problem: load.kind === "failed" ? errorWord(load.error) : "",
    figures: {
      pending: figures?.pending ?? null,
      rate: rate?.perHour ?? null,
      oldest: oldest === null ? null : utcInstant(oldest),
      over: history?.pendingOverADay ?? null,
      gone: gone?.count ?? null,
      unknown,
      listed: figures === null ? null : utcInstant(figures.listedAt),
    },
  };
}

/** A rate in at most seven cells: `412/h`, `12k/h`, `2.0/d`. */
function shortRate(perHour: number): string {
  if (perHour === 0) return "0/h";
  if (perHour >= 10_000) return `${count(perHour / 1_000)}k/h`;
  if (perHour >= 10) return `${count(Math.round(perHour))}/h`;
  return perHour >= 1 ? `${perHour.toFixed(1)}/h` : `${(perHour * 24).toFixed(1)}/d`;
}

/** What a supplier needs someone for; a failed load has words of its own. */
function needsWords(line: BoardLine): string {
  const gone = goneWords(line.figures?.history?.gone ?? null);
  const unknown =
    line.unknown === null || line.unknown === 0
      ? ""
      : `${plural(line.unknown, "entry", "entries")} unknown`;
  const stuck = troubleOf(line) === "stuck" ? "no import for a day" : "";
  const heldBack = troubleOf(line) === "held-back" ? "list held back" : "";
  return [unknown, heldBack, gone, stuck].filter((words) => words !== "").join(", ");
}

/** A time that no one looked at a supplier is named this long after its end, in milliseconds. */
const uncheckedShownMs = 3_600_000;
/** Suppliers that are named; more are counted. */
const mostNamed = 3;

/** Says when suppliers were not checked within the last hour: `NORTH not checked from 04:20 to 04:28`. */
export function uncheckedWords(lines: readonly BoardLine[], now: number): readonly string[] {
  const bySpan = new Map<string, BoardLine[]>();
  for (const line of lines) {
    const { unchecked } = line;
    if (unchecked === null || now - unchecked.to > uncheckedShownMs) continue;
    const span = `from ${dayTime(unchecked.from, now)} to ${dayTime(unchecked.to, now)}`;
    bySpan.set(span, [...(bySpan.get(span) ?? []), line]);
  }
  return [...bySpan].map(([span, same]) => {
    const names = same.length > mostNamed ? plural(same.length, "supplier") : supplierNames(same);
    return `${names} not checked ${span}`;
  });
}

/** A supplier in one sentence with what its row has no room for; zeros are left out. */
export function detailWords(line: BoardLine, now: number): readonly (readonly [string, Tone])[] {
  const { figures, unknown } = line;
  const history = figures?.history ?? null;
  const parts: (readonly [string, Tone])[] = [];
  if (unknown !== null && unknown > 0)
    parts.push([`${plural(unknown, "entry", "entries")} unknown`, "bad"]);
  if (figures === null) return parts;
  const { imported, total, listedAt, ahead, finish } = figures;
  const gone = goneWords(history?.gone ?? null);
  if (gone !== "") parts.push([gone, "bad"]);
  const over = history?.pendingOverADay ?? 0;
  if (over > 0) {
    parts.push([`${count(over)} pending over a day`, "waiting"]);
  }
  parts.push([`${count(imported)} of ${count(total)} imported`, "plain"]);
  if (ahead > 0) parts.push([aheadWords(ahead), "waiting"]);
  if (finish.kind === "range") parts.push([`finish from ${spansWords(finish)}`, "plain"]);
  const age = now - listedAt;
  if (age >= 60_000) parts.push([`figures ${coarseAge(age)} old`, "waiting"]);
  return parts;
}
