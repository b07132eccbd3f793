/** The accounts, entries and cohorts of a supplier that need attention. */
import { dayTime } from "../../components/figure-words.ts";
import { stateWordsOf } from "../../components/state-words.ts";
import { ago } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import type { SupplierFigures } from "../../triage/figures/supplier-figures.ts";
import { stateStart } from "../../watch/transitions.ts";
import type { Watched } from "../../watch/watched.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { operationNoun, targetNumber } from "../../writes/words/outcomes.ts";

/** An account, entry or cohort below the chart of a supplier. */
export interface NeedRow {
  readonly label: string;
  readonly tone: Tone;
  readonly number: string;
  readonly words: string;
}

/** The maximum number of rows below a chart. */
export const mostNeeds = 5;

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
    /** The supplier's entries with an unknown outcome, newest first. */
    readonly unknown: readonly ActivityRow[];
  },
  now: number,
): readonly NeedRow[] {
  const failed = watched.filter((one) => one.supplier === supplier && isFailed(one));
  const gone = figures.history?.gone?.latest ?? [];
  return [
    ...unknown.map((entry) => unknownRow(entry, now)),
    ...failed.map((one) => failedRow(one, now)),
    ...gone.map(({ external, goneAt }): NeedRow => {
      const words = `was pending, on no list since ${dayTime(goneAt, now)}`;
      return { label: "gone", tone: "bad", number: external, words };
    }),
    ...figures.newest.map(({ external, service, createdAt }): NeedRow => {
      // Shorter ages are not shown, because the screen is not drawn again within a minute.
      const since = now - createdAt < 60_000 ? "within 1 min" : ago(createdAt, now);
      return { label: "newest", tone: "plain", number: external, words: `${service}, ${since}` };
    }),
  ].slice(0, mostNeeds);
}

function unknownRow(entry: ActivityRow, now: number): NeedRow {
  const at = dayTime(Date.parse(entry.created_at), now);
  const words = `${operationNoun(entry.operation)} of ${at}, entry ${entry.journal_id}`;
  return { label: "unknown", tone: "unknown", number: targetNumber(entry), words };
}

function isFailed({ finality, progress, kind, timeline }: Watched): boolean {
  if (kind === "cohort") return (progress?.failed ?? 0) > 0;
  return finality === "ended" || stateWordsOf(kind)(timeline).tone === "bad";
}

function failedRow({ kind, number, timeline, progress }: Watched, now: number): NeedRow {
  const began = stateStart(timeline);
  const since = began === null ? "" : `since ${dayTime(began.at, now)}`;
  const earlier = began === null || began.kind === "seen" ? "" : " or earlier";
  const all = progress === null ? 0 : progress.done + progress.open + progress.failed;
  const state =
    kind === "cohort"
      ? `${count(progress?.failed ?? 0)} of ${count(all)} failed,`
      : stateWordsOf(kind)(timeline).label;
  return { label: "failed", tone: "bad", number, words: `${state} ${since}${earlier}` };
}
