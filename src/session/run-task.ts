/** Records and sends the rows of a bulk run as a task, and describes its end. */
import type { BulkContext } from "../bulk/bulk-context.ts";
import { recordRows } from "../bulk/record.ts";
import { runBulk } from "../bulk/run.ts";
import type { RunEnd } from "../bulk/run-record.ts";
import { isUnsent, type RunRecord } from "../bulk/run-record.ts";
import { countsText, endSentence, leftWords } from "../bulk/run-words.ts";
import type { RowSource } from "../bulk/source.ts";
import { isAppError } from "../errors/app-error.ts";
import { errorLine } from "../errors/error-words.ts";
import type { KeyWords } from "../keys/keymap.ts";
import type { Tone } from "../theme.tsx";
import type { Finished, RunStage, RunTask, TaskControls } from "./tasks.ts";

/** Records the rows of a new run, then sends them: the work of a run's task. */
export async function recordAndSend(
  context: BulkContext,
  run: string,
  source: RowSource,
  controls: TaskControls<RunStage>,
): Promise<RunEnd> {
  await recordRows(context, run, source, {
    // Nothing is in flight yet, so the first cancel ends the recording at once.
    signal: controls.stop,
    onProgress: (recorded) => controls.update(() => ({ kind: "recording", recorded })),
  });
  return sendRows(context, run, controls);
}

/** Sends the remaining rows of a recorded run: the work of a run's task. */
export function sendRows(
  context: BulkContext,
  run: string,
  { stop, cutOff, update }: TaskControls<RunStage>,
): Promise<RunEnd> {
  return runBulk(context, run, {
    stop,
    signal: cutOff,
    onProgress: (progress) => update(() => ({ kind: "sending", progress })),
  });
}

/** Describes the end of a run's task in one line, with its tone. */
export function runEndWords(
  record: RunRecord,
  task: Finished<RunTask>,
  key: KeyWords,
): readonly [text: string, tone: Tone] {
  const { id, counts } = record;
  if (task.kind === "ended" && task.end.kind === "ended") {
    const all = counts.confirmed + counts.exists === record.rows;
    return [
      `Run ${id} has ended: ${countsText(counts)}. ${key("runs")} shows it.`,
      all ? "ok" : "waiting",
    ];
  }
  if (isUnsent(record)) {
    if (task.kind === "failed" && isAppError(task.error, "run")) return [task.error.message, "bad"];
    const words = `Run ${id} was not fully recorded, so nothing was sent. ${key("runs")} shows it.`;
    return [words, "waiting"];
  }
  const why =
    task.kind === "ended"
      ? endSentence(task.end)
      : errorLine(task.error, { doing: `sending the rows of run ${id}` });
  return [`${leftWords(record, why)} ${key("runs")} shows it.`, "waiting"];
}
