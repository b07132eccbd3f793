/** The lines around the watch list: the summary above it, and the row under the cursor in full. */
import { Paragraph } from "../../components/paragraph.tsx";
import { errorPlace } from "../../components/problem.tsx";
import { Line, type Piece } from "../../components/text.tsx";
import { errorLine } from "../../errors/error-words.ts";
import { useSession } from "../../hooks/app.tsx";
import { useNow, useWrongByMs } from "../../hooks/now.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { subjectName } from "../../session/watch-subjects.ts";
import { checkedWords } from "../../text/ages.ts";
import { formatDuration, wholeSeconds } from "../../text/durations.ts";
import { count, plural } from "../../text/numbers.ts";
import { widthOf } from "../../text/width.ts";
import { needCount, needWords, watchedParts } from "../../triage/open/open.ts";
import { tailIn, verdictWords } from "../../triage/verdict-words.ts";
import type { WatchSnapshot } from "../../watch/watch-list.ts";
import type { WatchProgress } from "../../watch/watched.ts";
import { needsSomeone, type WatchRow } from "./watch-rows.ts";

/**
 * The milliseconds between two updates of the exact ages. Only a few lines have them, so an idle
 * screen changes rarely.
 */
const tickMs = 10_000;
/** The milliseconds between two updates in linear mode, because a screen reader reads each change. */
const linearTickMs = 10 * 60_000;

export const detailRows = 3;

/**
 * Returns the time of this machine's clock and of the service's clock. Both change at the interval
 * of this screen.
 */
export function useTick() {
  const now = useNow(useLinear() ? linearTickMs : tickMs);
  return { now, serviceNow: now - useWrongByMs() };
}

export function SummaryLine(props: {
  readonly list: WatchSnapshot;
  readonly rows: readonly WatchRow[];
  readonly muted: boolean;
}) {
  const { open, pause, intervalMs, everyMs, byLists } = props.list;
  const { serviceNow: now } = useTick();
  const waiting = props.rows.filter((row) => row.watched.finality === "open" && !needsSomeone(row));
  const sum = (of: (row: WatchRow) => number) => props.rows.reduce((all, row) => all + of(row), 0);
  const openCount = sum((row) => row.watched.progress?.open ?? (waiting.includes(row) ? 1 : 0));
  const doneCount = sum(
    ({ watched }) => watched.progress?.done ?? (watched.finality === "reached" ? 1 : 0),
  );
  const pieces: Piece[] = [];
  const add = (text: string, tone: NonNullable<Piece["tone"]>) =>
    pieces.push({ text: pieces.length === 0 ? "" : "   " }, { text, tone });
  const needing = needCount(watchedParts(props.rows.map(({ watched }) => watched)));
  if (needing.count > 0) add(needWords(needing), "bad");
  if (openCount > 0) add(`${count(openCount)} open${longestText(waiting, now)}`, "waiting");
  if (doneCount > 0) add(`${count(doneCount)} done`, "ok");
  if (pause.kind !== "none") add("checking paused", "waiting");
  else if (open > 0) {
    const { every, slowed } = paceWords(intervalMs, everyMs);
    add(every, "muted");
    if (slowed !== null) add(slowed, "waiting");
    if (byLists.length > 0) add(byListsWords(byLists), "muted");
  }
  if (props.muted) add("muted", "muted");
  return <Line pieces={pieces} />;
}

/**
 * Formats the longest age: `, longest ≥ 13 min`. Returns an empty text if no age is at least a
 * minute.
 */
function longestText(rows: readonly WatchRow[], now: number): string {
  const since = ({ heldSince }: WatchRow) => heldSince ?? now;
  const [first] = rows.toSorted((a, b) => since(a) - since(b));
  if (first === undefined) return "";
  // The age ends with the last check, which can be older than a minute.
  const ms = (first.verdict.checkedAt ?? now) - since(first);
  return ms < 60_000 ? "" : `, longest ${first.held}`;
}

/** An interval that is longer than the configured one is rounded to seconds. */
export function paceWords(intervalMs: number, everyMs: number) {
  const roundedMs = Math.round(everyMs / 1_000) * 1_000;
  const configured = formatDuration(intervalMs);
  return everyMs > intervalMs && roundedMs > intervalMs
    ? {
        every: `every ${formatDuration(roundedMs)}`,
        slowed: `slowed from ${configured} (request limit)`,
      }
    : { every: `every ${configured}`, slowed: null };
}

/**
 * Describes the suppliers whose accounts are checked by lists: one request shows the state of many
 * accounts.
 */
function byListsWords(suppliers: readonly string[]): string {
  const names = suppliers.length > 2 ? plural(suppliers.length, "supplier") : suppliers.join(", ");
  return `${names} by lists`;
}

/** Formats the time of the last check (epoch milliseconds), and the time until the next. */
export function checkWords(
  { nextAt }: Pick<WatchProgress, "nextAt">,
  checkedAt: number,
  now: number,
): string {
  const next = nextAt === null ? "" : `, next in ${wholeSeconds(Math.max(1_000, nextAt - now))}`;
  return checkedWords(checkedAt, now) + next;
}

export function checksWords({ checks, failures }: WatchProgress): string {
  return plural(checks, "check") + (failures > 0 ? `, ${count(failures)} failed` : "");
}

/**
 * Returns the texts of a row in one line of `columns` cells: the age of its state, and beside it
 * the service account number and the checks. The number of checks is left out first, then the time
 * of the next one, then that of the last one. The times are epoch milliseconds of this machine and of the service.
 */
export function detailTexts(
  { watched, status, verdict }: Pick<WatchRow, "watched" | "status" | "verdict">,
  progress: WatchProgress | null,
  at: { readonly columns: number; readonly now: number; readonly serviceNow: number },
): { readonly age: string; readonly beside: readonly string[] } {
  const checks = progress && progress.checks > 0 ? checksWords(progress) : "";
  const checkedAt = progress?.checkedAt ?? null;
  const versions = (
    progress === null || checkedAt === null
      ? [[checks], []]
      : [
          [checkWords(progress, checkedAt, at.now), checks],
          [checkWords(progress, checkedAt, at.now)],
          [checkedWords(checkedAt, at.now)],
          [],
        ]
  ).map((version) => [watched.serviceNumber, ...version].filter((text) => text !== ""));
  const room = (texts: readonly string[]) =>
    texts.reduce((free, text) => free - widthOf(text) - 2, at.columns - widthOf(watched.number));
  const words = verdictWords(verdict, at.serviceNow);
  const needed = widthOf(`${status.mark} ${status.label}${words.tails.at(-1) ?? ""}`);
  const beside = versions.find((version) => needed <= room(version)) ?? versions.at(-1) ?? [];
  return { age: tailIn(words, room(beside)), beside };
}

/**
 * Shows the row under the cursor in full: the duration of its state, its checks, and its problem.
 */
export function DetailLines(props: { readonly row: WatchRow; readonly list: WatchSnapshot }) {
  const { watched, status, verdict } = props.row;
  const { watch, profile, baseUrl } = useSession();
  const { now, serviceNow } = useTick();
  const linear = useLinear();
  const { columns } = useRoom();
  const progress = watch.progress(watched.key);
  const { pause } = props.list;
  const pieces: Piece[] = [{ text: watched.number, tone: "title" }];
  const add = (text: string) => pieces.push({ text: `  ${text}`, tone: "muted" });
  // In linear mode the checks are left out, because a screen reader would read each change.
  const { age, beside } = detailTexts(props.row, linear ? null : progress, {
    columns,
    now,
    serviceNow,
  });
  pieces.push({ text: `  ${status.label}`, tone: status.tone }, { text: age });
  for (const text of beside) add(text);
  const error = pause.kind === "refused" ? pause.error : watched.trouble;
  const words =
    error === null
      ? (verdictWords(verdict, serviceNow).others ?? status.meaning)
      : errorLine(error, {
          doing: `checking ${subjectName(watched)}`,
          ...errorPlace({ profile, baseUrl }),
          subject:
            watched.kind === "cohort"
              ? { kind: "supplier", supplier: watched.supplier }
              : { kind: watched.kind, supplier: watched.supplier, id: watched.number },
        });
  return (
    <>
      <Line pieces={pieces} />
      <Paragraph tone={error === null ? "plain" : "bad"} most={detailRows - 1}>
        {words}
      </Paragraph>
    </>
  );
}
