/** The rows that need attention at a supplier, from memory and the journal. */
import { useCallback } from "react";
import { useSession } from "../hooks/app.tsx";
import { useJournalRead } from "../hooks/journal.ts";
import { useServiceNow } from "../hooks/now.ts";
import { useWatched } from "../hooks/watching.ts";
import { count } from "../text/numbers.ts";
import { padOrTruncate, widest } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import type { SupplierHistory } from "../triage/figures/supplier-figures.ts";
import { byMachines } from "../triage/observations/by-machines.ts";
import { watchedEntry, watchedNeed } from "../triage/open/open.ts";
import { verdictOf } from "../triage/verdict.ts";
import { verdictTimes } from "../triage/verdict-words.ts";
import type { Watched } from "../watch/watched.ts";
import { type ActivityRow, listActivity } from "../writes/activity.ts";
import type { Writes } from "../writes/open-writes.ts";
import { operationNoun, targetNumber } from "../writes/words/outcomes.ts";
import { dayTime } from "./figure-words.ts";
import { Line } from "./text.tsx";

export interface NeedRow {
  readonly label: "unknown" | "failed" | "gone";
  readonly tone: Tone;
  readonly number: string;
  readonly words: string;
  /** The words for a column with too little room. */
  readonly brief: string;
}

const maxNeeds = 5;
const labelCells = 10;
const maxNumberCells = 30;

export function useNeeds(supplier: string, history: SupplierHistory | null): readonly NeedRow[] {
  const { baseUrl } = useSession();
  const now = useServiceNow(60_000);
  const { entries: watched } = useWatched();
  const { view } = useJournalRead(
    useCallback(
      ({ context: { journal } }: Writes) =>
        listActivity(journal, {
          baseUrl,
          importSupplier: supplier,
          limit: maxNeeds,
          outcomes: ["unknown"],
        }),
      [baseUrl, supplier],
    ),
  );
  const unknown = view.kind === "read" ? view.value : [];
  return needRows({ supplier, history, watched, unknown }, now);
}

export function NeedLines({ rows }: { readonly rows: readonly NeedRow[] }) {
  const width = Math.min(maxNumberCells, widest(rows.map(({ number }) => number)));
  return rows.map(({ label, tone, number, words }) => (
    <Line
      key={`${label} ${number} ${words}`}
      pieces={[
        { text: ` ${label.padEnd(labelCells)}`, tone },
        { text: `${padOrTruncate(number, width)}   ${words}` },
      ]}
    />
  ));
}

/**
 * Returns the rows of a supplier, most serious first: unknown entries, failed watched subjects and
 * gone accounts. `now` is the service's time in epoch milliseconds.
 */
export function needRows(
  {
    supplier,
    history,
    watched,
    unknown,
  }: {
    readonly supplier: string;
    readonly history: SupplierHistory | null;
    readonly watched: readonly Watched[];
    readonly unknown: readonly ActivityRow[];
  },
  now: number,
): readonly NeedRow[] {
  const failed = watched.filter(
    (subject) => subject.supplier === supplier && watchedNeed(watchedEntry(subject)).failed > 0,
  );
  const gone = history?.gone?.latest ?? [];
  const by = byMachines(history?.machines ?? null);
  return [
    ...unknown.map((entry) => unknownRow(entry, now)),
    ...failed.map((subject) => failedRow(subject, now)),
    ...gone.map(({ external, goneAt }): NeedRow => {
      const brief = `on no list since ${dayTime(goneAt, now)}${by}`;
      return {
        label: "gone",
        tone: "bad",
        number: external,
        words: `was pending, ${brief}`,
        brief,
      };
    }),
  ].slice(0, maxNeeds);
}

function unknownRow(entry: ActivityRow, now: number): NeedRow {
  const at = dayTime(Date.parse(entry.created_at), now);
  const words = `${operationNoun(entry.operation)} of ${at}, entry ${entry.journal_id}`;
  return { label: "unknown", tone: "unknown", number: targetNumber(entry), words, brief: words };
}

function failedRow({ kind, number, timeline, progress }: Watched, now: number): NeedRow {
  const verdict = verdictOf({ kind, timeline, listed: null, pace: null, everyMs: null, now });
  const times = verdictTimes(verdict, (ms) => dayTime(ms, now)).join(", ");
  const all = progress === null ? 0 : progress.done + progress.open + progress.failed;
  const state =
    kind === "cohort"
      ? `${count(progress?.failed ?? 0)} of ${count(all)} failed,`
      : verdict.words.label;
  const words = `${state} ${times}`;
  return { label: "failed", tone: "bad", number, words, brief: words };
}
