import type { RunEnd } from "../bulk/progress.ts";
import { countsText, rowsLeft } from "../bulk/run-counts.ts";
import { isUnsent, type RunRecord } from "../bulk/run-record.ts";
import type { KeyWords } from "../keys/keymap.ts";
import { describeError, oneLine } from "../text/describe-error.ts";
import { plural } from "../text/numbers.ts";
import type { Tone } from "../theme.tsx";
import type { RunTurn } from "./bulk-runs.ts";

/** Why a run is over for now, as a sentence. */
function endText(end: RunEnd, doing: string): string {
  switch (end.kind) {
    case "ended":
      return "Every row has ended.";
    case "stopped":
      return "You stopped it.";
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
  const left = plural(rowsLeft(record), "row");
  const why =
    turn.kind === "over"
      ? endText(turn.end, `resuming run ${id}`)
      : turn.kind === "failed"
        ? turn.error instanceof Error
          ? turn.error.message
          : String(turn.error)
        : "";
  return [`Run ${id} has stopped, ${left} left: ${why} ${key("runs")} shows it.`, "waiting"];
}
