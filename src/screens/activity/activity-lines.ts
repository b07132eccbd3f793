import type { Colleagues } from "../../hooks/colleagues.ts";
import type { ListedEntry } from "../../hooks/journal.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { ActivityOutcome } from "../../writes/activity.ts";
import type { TeamActivityRow } from "../../writes/team/colleagues.ts";
import type { TeamRun } from "../../writes/team/ledger-views.ts";
import { outcomeWords } from "../../writes/words/outcomes.ts";

export type ActivityLine =
  | { readonly kind: "entry"; readonly id: string; readonly row: ListedEntry }
  | {
      readonly kind: "run";
      readonly id: string;
      readonly run: string;
      readonly rows: readonly [ListedEntry, ...ListedEntry[]];
    }
  | {
      readonly kind: "colleague";
      readonly id: string;
      readonly rows: readonly [ColleagueEntry, ...ColleagueEntry[]];
      /** The run of a colleague, whose only row stands for all its entries, or null. */
      readonly ofRun: TeamRun | null;
    };

/** An entry of a colleague, with the time of its claim as the time of sending. */
type ColleagueEntry = TeamActivityRow & Pick<ListedEntry, "sentAt">;

export type ShownEntry = ListedEntry | ColleagueEntry;

/** Makes one line of the entries of a run, in the place of the first of them. */
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

/**
 * Adds the entries of colleagues to the lines of this machine: unknown outcomes first, then the newest.
 * Without a colleague's entry, the same lines are returned.
 */
export function withColleagues(
  own: readonly ActivityLine[],
  { rows, runs }: Pick<Colleagues, "rows" | "runs">,
  isFolded: boolean,
): readonly ActivityLine[] {
  if (rows.length === 0 && runs.length === 0) return own;
  const groups = Map.groupBy(rows, ({ run, machine, team_id: id }) =>
    run === null || !isFolded ? id : `${run} ${machine}`,
  );
  const theirs = [...groups.values()].flatMap((group): ActivityLine[] => {
    const [first, ...more] = group.map((row) => ({ ...row, sentAt: Date.parse(row.created_at) }));
    return first === undefined
      ? []
      : [{ kind: "colleague", id: first.team_id ?? "", rows: [first, ...more], ofRun: null }];
  });
  theirs.push(...runs.map(runLine));
  const rank = (line: ActivityLine) => firstOutcomes.indexOf(mostSevere(shownRows(line))) + 1 || 4;
  const at = (line: ActivityLine) => shownRows(line)[0]?.created_at ?? "";
  return [...own, ...theirs].toSorted(
    (one, other) => rank(one) - rank(other) || at(other).localeCompare(at(one)),
  );
}

/** Returns the line of a colleague's run. Its one row has the most severe outcome. */
function runLine(ofRun: TeamRun): ActivityLine {
  const { run, journal, profile, operation, person, machine, counts, firstAt, lastAt } = ofRun;
  const row: ColleagueEntry = {
    ...{ journal_id: null, team_id: null, by: person, machine, profile, operation, run },
    created_at: new Date(firstAt).toISOString(),
    import_supplier: "",
    outcome: bySeverity.find((outcome) => counts[outcome] !== undefined) ?? "unsent",
    ...{ http_status: null, code: null, attempts: 0, sentAt: lastAt },
  };
  return { kind: "colleague", id: `run ${run} ${journal}`, rows: [row], ofRun };
}

const firstOutcomes: readonly ActivityOutcome[] = ["unknown", "retryable", "sending"];

export function entryLine(row: ListedEntry): ActivityLine {
  return { kind: "entry", id: String(row.journal_id), row };
}

export function rowsOf(line: ActivityLine): readonly ListedEntry[] {
  switch (line.kind) {
    case "entry":
      return [line.row];
    case "run":
      return line.rows;
    case "colleague":
      return [];
  }
}

export function shownRows(line: ActivityLine): readonly [ShownEntry, ...ShownEntry[]] {
  return line.kind === "entry" ? [line.row] : line.rows;
}

export function onlyRow(line: ActivityLine): ShownEntry | null {
  if (line.kind === "colleague")
    return line.rows.length === 1 && line.ofRun === null ? line.rows[0] : null;
  return line.kind === "entry" ? line.row : null;
}

export function colleagueWords(line: ActivityLine): string | null {
  if (line.kind !== "colleague") return null;
  const [{ team_id: id, by, machine, run }] = line.rows;
  const of = onlyRow(line) === null ? `Run ${run}: ${outcomesText(countsOf(line))},` : id;
  return safe(`${of} by ${by} on ${machine}`);
}

/** Returns the only entry of a colleague's line, or null for any other line. */
export function colleagueRow(line: ActivityLine): TeamActivityRow | null {
  return line.kind === "colleague" && onlyRow(line) !== null ? line.rows[0] : null;
}

/** The number of entries by outcome. Outcomes without an entry are absent. */
type OutcomeCounts = Readonly<Partial<Record<ActivityOutcome, number>>>;

/** Returns the number of a line's entries by outcome. */
export function countsOf(line: ActivityLine): OutcomeCounts {
  if (line.kind === "colleague" && line.ofRun !== null) return line.ofRun.counts;
  return outcomeCounts(shownRows(line));
}

/** Counts entries by outcome. */
export function outcomeCounts(
  rows: readonly { readonly outcome: ActivityOutcome }[],
): OutcomeCounts {
  const groups = Map.groupBy(rows, ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, all]) => [outcome, all.length]));
}

export function countSum(counts: OutcomeCounts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
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

export function mostSevere(rows: readonly ShownEntry[]): ActivityOutcome {
  return bySeverity.find((severe) => rows.some(({ outcome }) => outcome === severe)) ?? "confirmed";
}

/**
 * Counts the entries by outcome, the most severe first: `8 unknown, 15 rejected, 377 confirmed`.
 */
export function outcomesText(counts: OutcomeCounts): string {
  return bySeverity
    .flatMap((counted) => {
      const n = counts[counted] ?? 0;
      return n === 0 ? [] : [`${count(n)} ${outcomeWords[counted].label}`];
    })
    .join(", ");
}

/** Returns the last time of sending in epoch milliseconds, or null if none was sent. */
export function lastSent(rows: readonly ShownEntry[]): number | null {
  let last: number | null = null;
  for (const { sentAt } of rows) {
    if (sentAt !== null && (last === null || sentAt > last)) last = sentAt;
  }
  return last;
}
