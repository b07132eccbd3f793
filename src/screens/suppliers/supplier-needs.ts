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

/** One account, entry or cohort below the picture of a supplier. */
export interface NeedRow {
  readonly label: string;
  readonly tone: Tone;
  readonly number: string;
  readonly words: string;
}

/** Maximum number of rows below a picture. */
export const mostNeeds = 5;

/**
 * Returns what needs someone at a supplier, most serious first: unknown entries, what is watched and
 * failed, and gone accounts. The newest accounts take the rest of the room. `now` is the service's
 * time in epoch milliseconds.
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
    /** Its entries with an unknown outcome, newest first. */
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
      // To the minute: the screen rests in between.
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
