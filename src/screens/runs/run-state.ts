/** The state of a bulk run in words, and the reason why it makes no progress. */
import { isSameService } from "../../api/url.ts";
import type { RunProgress } from "../../bulk/progress.ts";
import { isResumable, isUnsent, type RunCounts, type RunRecord } from "../../bulk/run-record.ts";
import { heldBackText, rowsLeft, whyRowsLeft } from "../../bulk/run-words.ts";
import { errorLine } from "../../errors/error-words.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { reconnectHint } from "../../settings/sandbox-profile.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import { kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import type { RunView } from "./run-views.ts";

export interface RunStateWords {
  readonly text: string;
  readonly mark: string;
  readonly tone: Tone;
}

const going = { mark: "●" };

export function runState({ record, task }: RunView): RunStateWords {
  if (task?.kind === "running") {
    const { progress: stage, stopping } = task;
    if (stage.kind === "recording") return { text: "being recorded here", tone: "busy", ...going };
    if (stopping) return { text: "stopping", tone: "waiting", ...going };
    const pause = stage.progress?.pause ?? null;
    if (pause !== null) return { text: `waits for ${pause.of}`, tone: "waiting", ...going };
    return { text: "running here", tone: "busy", ...going };
  }
  switch (record.state) {
    case "recording":
      return { text: `recorded by ${record.process}`, tone: "busy", ...going };
    case "unrecorded":
      return { text: "not fully recorded", tone: "waiting", mark: "○" };
    case "running":
      return { text: `in process ${record.process}`, tone: "busy", ...going };
    case "stopped":
      return { text: "stopped", tone: "waiting", mark: "○" };
    case "ended": {
      const { rejected, retryable, unknown } = record.counts;
      const { heldBack } = record.leftAlone;
      if (rejected + retryable + unknown === 0)
        return heldBack === 0
          ? { text: "finished", tone: "ok", mark: "✓" }
          : { text: `${count(heldBack)} held back`, tone: "waiting", mark: "=" };
      const text = `finished, ${worstText(record.counts)}`;
      if (unknown > 0) return { text, tone: "unknown", mark: "?" };
      return rejected > 0 ? { text, tone: "bad", mark: "✗" } : { text, tone: "waiting", mark: "!" };
    }
  }
}

/**
 * Returns true if a run is neither recorded nor sent now, here or elsewhere. Its record says
 * `stopped` for a moment between the two.
 */
export function isOver({ record, task }: RunView): boolean {
  return task?.kind !== "running" && (record.state === "ended" || record.state === "stopped");
}

/**
 * Returns the urgency of a run, 0 for the most urgent: unknown rows, then stopped runs, then failed
 * rows, then all others.
 */
export function runUrgency({ record, task }: RunView): number {
  const { unknown, rejected, retryable } = record.counts;
  if (unknown > 0) return 0;
  const isActive = task?.kind === "running" || record.process !== null;
  if (!isActive && record.state !== "ended") return 1;
  return rejected + retryable + record.leftAlone.heldBack > 0 ? 2 : 3;
}

function worstText({ unknown, rejected, retryable }: RunCounts): string {
  if (unknown > 0) return `${count(unknown)} unknown`;
  return rejected > 0 ? `${count(rejected)} rejected` : `${count(retryable)} retryable`;
}

export function sourceName(source: string): string {
  switch (source) {
    case "-":
      return "standard input";
    case "console":
      return "marked accounts";
    default:
      return source.slice(source.lastIndexOf("/") + 1);
  }
}

/**
 * Returns the reasons why rows of a run have no good outcome, each with the key that goes on, as one
 * line each, for a console that is connected to `baseUrl`. Of two sentences that do not fit into
 * `width`, the next step comes first. Returns no line if there is nothing to report.
 */
export function nextSteps(
  { record, task }: RunView,
  { baseUrl, key, width }: { readonly baseUrl: string; readonly key: KeyWords; width: number },
): readonly string[] {
  if (task?.kind === "running" || record.process !== null) return [];
  const line = (because: string, next: string) =>
    `${because} ${next}`.length <= width ? `${because} ${next}` : `${next} ${because}`;
  const why = whyRowsLeft(record);
  if (isUnsent(record)) {
    const resumeText = `supplyline bulk resume ${record.id} reads them again; `;
    const next = `${isResumable(record) ? resumeText : ""}${key("remove")} discards it.`;
    return why === null ? [] : [line(why, next)];
  }
  const because =
    task?.kind === "failed"
      ? errorLine(task.error, { doing: `sending the rows of run ${record.id}` })
      : why;
  const left = plural(rowsLeft(record), "row");
  const next = isSameService(record.baseUrl, baseUrl)
    ? `${key("resume-run")} continues with ${left}.`
    : `${left} left. ${reconnectHint(record)}`;
  return [
    ...(because === null || rowsLeft(record) === 0 ? [] : [line(because, next)]),
    ...leftAloneSteps(record, key).map(([words, step]) => line(words, step)),
    ...rejectedSteps(record, key).map(([words, step]) => line(words, step)),
  ];
}

function rejectedSteps({ counts: { rejected } }: RunRecord, key: KeyWords) {
  const step = `${key("edit")} corrects one; ${key("rejected-rows")} writes ${rejected === 1 ? "it" : "them"} to a file and opens its check.`;
  return rejected === 0 ? [] : ([[`${count(rejected)} rejected.`, step]] as const);
}

function leftAloneSteps({ kind, leftAlone }: RunRecord, key: KeyWords) {
  const { heldBack, retryable, unknown } = leftAlone;
  const { readBack } = kindOf(operationOf(kind));
  const where =
    readBack.by === "nothing"
      ? `Check ${readBack.where}, then ${key("close-write")} closes the row.`
      : `${key("account")} on the row shows where to check; ${key("close-write")} closes it.`;
  const again = `${key("resend")} on a row asks for a reason and sends it.`;
  const steps: (readonly [words: string, step: string])[] = [];
  if (unknown > 0) steps.push([`${count(unknown)} unknown, cannot be verified.`, where]);
  if (retryable > 0) steps.push([`${count(retryable)} retryable, might have taken effect.`, again]);
  if (heldBack > 0) steps.push([`${heldBackText(leftAlone)}.`, again]);
  return steps;
}

export function pauseOf(task: RunView["task"]): RunProgress["pause"] {
  const isSending = task?.kind === "running" && task.progress.kind === "sending";
  return (isSending && task.progress.progress?.pause) || null;
}
