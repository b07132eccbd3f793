import type { RunEnd } from "../bulk/progress.ts";
import { isUnsent, type RunCounts, type RunRecord } from "../bulk/run-record.ts";
import type { KeyWords } from "../keys/keymap.ts";
import { describeError, oneLine } from "../text/describe-error.ts";
import { count, plural } from "../text/numbers.ts";
import type { Tone } from "../theme.tsx";
import type { RunTurn } from "./bulk-runs.ts";

/** Rows that a resume would still be about. */
export function leftOf({ counts }: Pick<RunRecord, "counts">): number {
  return counts.waiting + counts.sending + counts.retryable + counts.unknown;
}

/** Rows that have come to an end. */
export function doneOf({ counts, rows }: Pick<RunRecord, "counts" | "rows">): number {
  return Math.max(0, rows - counts.waiting - counts.sending);
}

const countWords: readonly (readonly [name: keyof RunCounts, words: string])[] = [
  ["confirmed", "confirmed"],
  ["exists", "there already"],
  ["rejected", "rejected"],
  ["retryable", "retryable"],
  ["unknown", "unknown"],
  ["closed", "closed"],
  ["sending", "being sent"],
  ["waiting", "not sent"],
];

/** How the rows stand, nothing said of what there is none of: `498 confirmed, 2 rejected`. */
export function countsText(counts: RunCounts): string {
  const said = countWords.flatMap(([name, words]) =>
    counts[name] === 0 ? [] : [`${count(counts[name])} ${words}`],
  );
  return said.length === 0 ? "no rows" : said.join(", ");
}

/** Why a run is over for now, as a sentence. */
function endText(end: RunEnd, doing: string): string {
  switch (end.kind) {
    case "ended":
      return "Every row has come to its end.";
    case "stopped":
      return "It was told to stop.";
    case "service-down":
      return `The service stayed down: ${end.why}.`;
    case "credentials":
      return oneLine(describeError(end.error, { doing }));
    case "journal":
      return `The journal cannot be written: ${end.error instanceof Error ? end.error.message : String(end.error)}`;
  }
}

/** One line on how a turn of a run has ended, with its tone. */
export function runEndWords(
  record: RunRecord,
  turn: RunTurn,
  key: KeyWords,
): readonly [text: string, tone: Tone] {
  const { id, counts } = record;
  if (turn.kind === "over" && turn.end.kind === "ended") {
    const all = counts.confirmed + counts.exists === record.rows;
    return [
      `Run ${id} has ended: ${countsText(counts)}. ${key("runs")} shows it.`,
      all ? "ok" : "waiting",
    ];
  }
  if (isUnsent(record)) {
    const words = `Run ${id} was not recorded whole: nothing of it was sent. ${key("runs")} shows it.`;
    return [words, "waiting"];
  }
  const left = plural(leftOf(record), "row");
  const why =
    turn.kind === "over"
      ? endText(turn.end, `going on with run ${id}`)
      : turn.kind === "failed"
        ? turn.error instanceof Error
          ? turn.error.message
          : String(turn.error)
        : "";
  return [`Run ${id} has stopped, ${left} left: ${why} ${key("runs")} shows it.`, "waiting"];
}
