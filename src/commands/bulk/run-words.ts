import type { RunCounts, RunRecord } from "../../bulk/run-record.ts";
import { count } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";

/** How rows can stand, the good first, and the words for it. */
export const countWords: readonly (readonly [name: keyof RunCounts, words: string])[] = [
  ["confirmed", "confirmed"],
  ["exists", "already existed"],
  ["closed", "closed"],
  ["rejected", "rejected"],
  ["retryable", "retryable"],
  ["unknown", "unknown"],
  ["sending", "being sent"],
  ["waiting", "not sent"],
];

/** `498 confirmed, 2 rejected`: of what came to an end, and nothing of what there is none of. */
export function endedWords(counts: RunCounts, isOver = false): string {
  const isOpen = (name: keyof RunCounts) => name === "sending" || (name === "waiting" && !isOver);
  return countWords
    .filter(([name]) => !isOpen(name) && counts[name] > 0)
    .map(([name, words]) => `${count(counts[name])} ${words}`)
    .join(", ");
}

/** Rows that are not at their end; of a run that has ended, those not sent were kept back for good. */
export function openRows({ counts, state }: Pick<RunRecord, "counts" | "state">): number {
  return state === "ended" ? 0 : counts.waiting + counts.sending;
}

/** Rows that another turn of the run may still be about. */
export function rowsLeft({ counts }: Pick<RunRecord, "counts">): number {
  return counts.waiting + counts.sending + counts.retryable + counts.unknown;
}

/** The command that goes on with a run; the profile only where it was named. */
export function resumeCommand(run: string, profile: string | undefined): string {
  const words = profile === undefined ? [] : ["--profile", shellQuote(profile)];
  return ["supplyline bulk resume", run, ...words].join(" ");
}
