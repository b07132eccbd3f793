/** The rows that need attention at a supplier, from memory and the journal. */
import { dayTime } from "../../components/figure-words.ts";
import { cellAgo } from "../../text/ages.ts";
import { count } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import type { SupplierFigures } from "../../triage/figures/supplier-figures.ts";
import { byMachines } from "../../triage/observations/by-machines.ts";
import { watchedEntry, watchedNeed } from "../../triage/open/open.ts";
import { verdictOf } from "../../triage/verdict.ts";
import { verdictTimes } from "../../triage/verdict-words.ts";
import type { Watched } from "../../watch/watched.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { operationNoun, targetNumber } from "../../writes/words/outcomes.ts";

export interface NeedRow {
  readonly label: "unknown" | "failed" | "gone" | "newest";
  readonly tone: Tone;
  readonly number: string;
  readonly words: string;
}

export const maxNeeds = 5;

/**
 * Returns the rows of a supplier, most serious first: unknown entries, failed watched subjects and
 * gone accounts. The newest accounts fill the remaining rows. `now` is the service's time in epoch
 * milliseconds.
 */
export function needRows(
  {
    supplier,
    figures,
    watched,
    unknown,
  }: {
    readonly supplier: string;
    readonly figures: SupplierFigures;
    readonly watched: readonly Watched[];
    readonly unknown: readonly ActivityRow[];
  },
  now: number,
): readonly NeedRow[] {
  const failed = watched.filter(
    (subject) => subject.supplier === supplier && watchedNeed(watchedEntry(subject)).failed > 0,
  );
  const gone = figures.history?.gone?.latest ?? [];
  const by = byMachines(figures.history?.machines ?? null);
  return [
    ...unknown.map((entry) => unknownRow(entry, now)),
    ...failed.map((subject) => failedRow(subject, now)),
    ...gone.map(({ external, goneAt }): NeedRow => {
      const words = `was pending, on no list since ${dayTime(goneAt, now)}${by}`;
      return { label: "gone", tone: "bad", number: external, words };
    }),
    ...figures.newest.map(({ external, service, createdAt }): NeedRow => {
      // An age below a minute is not exact, because the screen is redrawn only once a minute.
      const since = cellAgo(createdAt, now);
      return { label: "newest", tone: "plain", number: external, words: `${service}, ${since}` };
    }),
  ].slice(0, maxNeeds);
}

function unknownRow(entry: ActivityRow, now: number): NeedRow {
  const at = dayTime(Date.parse(entry.created_at), now);
  const words = `${operationNoun(entry.operation)} of ${at}, entry ${entry.journal_id}`;
  return { label: "unknown", tone: "unknown", number: targetNumber(entry), words };
}

function failedRow({ kind, number, timeline, progress }: Watched, now: number): NeedRow {
  const verdict = verdictOf({ kind, timeline, listed: null, pace: null, everyMs: null, now });
  const times = verdictTimes(verdict, (ms) => dayTime(ms, now)).join(", ");
  const all = progress === null ? 0 : progress.done + progress.open + progress.failed;
  const state =
    kind === "cohort"
      ? `${count(progress?.failed ?? 0)} of ${count(all)} failed,`
      : verdict.words.label;
  return { label: "failed", tone: "bad", number, words: `${state} ${times}` };
}
