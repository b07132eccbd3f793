import type { ListedEntry } from "../../hooks/journal.ts";
import { count } from "../../text/numbers.ts";
import type { ActivityOutcome } from "../../writes/activity.ts";
import { outcomeWords } from "../../writes/words/outcomes.ts";

/** A line of the activity list: one entry, or all listed entries of a bulk run. */
export type ActivityLine =
  | { readonly kind: "entry"; readonly id: string; readonly row: ListedEntry }
  | {
      readonly kind: "run";
      readonly id: string;
      readonly run: string;
      /** The listed entries of the run, at least one. */
      readonly rows: readonly [ListedEntry, ...ListedEntry[]];
    };

/**
 * Groups entries into lines. Several entries of a run become one line, in the place of the first
 * entry.
 */
export function linesOf(rows: readonly ListedEntry[]): readonly ActivityLine[] {
  const runs = Map.groupBy(
    rows.filter(({ run }) => run !== null),
    ({ run }) => run,
  );
  const done = new Set<string>();
  return rows.flatMap((row): ActivityLine[] => {
    const { run } = row;
    const [first, ...more] = runs.get(run) ?? [];
    if (run === null || first === undefined || more.length === 0) return [entryLine(row)];
    if (done.has(run)) return [];
    done.add(run);
    return [{ kind: "run", id: `run ${run}`, run, rows: [first, ...more] }];
  });
}

export function entryLine(row: ListedEntry): ActivityLine {
  return { kind: "entry", id: String(row.journal_id), row };
}

export function rowsOf(line: ActivityLine): readonly ListedEntry[] {
  return line.kind === "entry" ? [line.row] : line.rows;
}

const bySeverity: readonly ActivityOutcome[] = [
  "unknown",
  "rejected",
  "retryable",
  "sending",
  "unsent",
  "closed",
  "confirmed",
];

/** Returns the most severe outcome of the entries. */
export function mostSevere(rows: readonly ListedEntry[]): ActivityOutcome {
  return bySeverity.find((one) => rows.some(({ outcome }) => outcome === one)) ?? "confirmed";
}

/**
 * Counts the entries by outcome, the most severe first: `8 unknown, 15 rejected, 377 confirmed`.
 */
export function outcomesText(rows: readonly ListedEntry[]): string {
  return bySeverity
    .flatMap((one) => {
      const n = rows.filter(({ outcome }) => outcome === one).length;
      return n === 0 ? [] : [`${count(n)} ${outcomeWords[one].label}`];
    })
    .join(", ");
}

/**
 * Returns the epoch milliseconds at which the last of the entries was sent, or null if none was.
 */
export function lastSent(rows: readonly ListedEntry[]): number | null {
  let last: number | null = null;
  for (const { sentAt } of rows) {
    if (sentAt !== null && (last === null || sentAt > last)) last = sentAt;
  }
  return last;
}
