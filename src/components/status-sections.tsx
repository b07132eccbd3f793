/**
 * Shows the sections that the screen of an account or supply point shares with its preview: the
 * facts, the observed states, and the journal entries of this machine.
 */
import { Box } from "ink";
import type { ReactNode } from "react";
import { errorLine } from "../errors/error-words.ts";
import { useApp, useSession } from "../hooks/app.tsx";
import type { JournalView, SentFromHere } from "../hooks/journal.ts";
import { useNow, useServiceNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { formatAge } from "../text/ages.ts";
import { shortInstant } from "../text/dates.ts";
import type { StatusWords } from "../text/describe-status.ts";
import { wholeSeconds } from "../text/durations.ts";
import { count, plural } from "../text/numbers.ts";
import { widest, widthOf, wrap } from "../text/width.ts";
import { type StateStart, stateStart, type Transition } from "../watch/timeline.ts";
import { operationNoun, outcomeLabel, outcomeWords } from "../writes/words/outcomes.ts";
import { type Fact, Facts, labelWidth } from "./facts.tsx";
import { Lines, type Piece } from "./text.tsx";

const observedLabel = "Observed";
const sentLabels = { alone: "Sent from here", team: "Sent by the team" } as const;

interface ObservedStates {
  readonly transitions: readonly Transition[];
  /** The number of checks that found the latest state after its first check. */
  readonly checks: number;
  readonly words: (timeline: readonly Transition[]) => StatusWords;
}

export function StatusSections(props: {
  readonly facts: readonly Fact[];
  readonly observed: ObservedStates;
  readonly sent: JournalView<SentFromHere>;
  readonly rows: number;
  readonly gap: 0 | 1;
  readonly minMoments: number;
}) {
  const { facts, observed, sent, gap } = props;
  const { columns } = useRoom();
  const linear = useLinear();
  const sentLabel = useSentLabel();
  const labels = labelWidth([...facts.map(({ label }) => label), observedLabel, sentLabel]);
  const factRows = facts.reduce(
    (sum, { value }) => sum + wrap(value, Math.max(8, columns - labels)).length,
    0,
  );
  const free = props.rows - factRows - 3 * gap;
  const stateRows = observed.transitions.length;
  const entries = sentRows(sent, free - Math.min(props.minMoments, stateRows));
  const section = (content: ReactNode) => (
    <Box marginTop={gap} flexDirection="column" flexShrink={0}>
      {content}
    </Box>
  );
  return (
    <>
      {facts.length === 0 ? null : section(<Facts facts={facts} labels={labels} />)}
      {/* A linear screen has already reported each change on a separate line. */}
      {stateRows === 0 || linear
        ? null
        : section(<Observed {...observed} labels={labels} rows={Math.max(1, free - entries)} />)}
      {entries === 0 ? null : section(<Sent view={sent} rows={entries} labels={labels} />)}
    </>
  );
}

function useSentLabel(): string {
  return sentLabels[useSession().profile.team === undefined ? "alone" : "team"];
}

function Observed(props: ObservedStates & { readonly labels: number; readonly rows: number }) {
  const { transitions, checks, words, labels, rows } = props;
  const now = useServiceNow(60_000);
  const { columns } = useRoom();
  const stateRows = transitions
    .map((transition, at) => {
      const soFar = transitions.slice(0, at + 1);
      const { mark, label, tone } = words(soFar);
      return {
        time: shortInstant(transition.firstSeenAt, now),
        state: `${mark} ${label}`,
        tone,
        remark: `  ${remarkOn(stateStart(soFar), transitions[at - 1])}`,
        before:
          stateStart(soFar)?.kind === "seen" ? ` of ${words(transitions.slice(0, at)).label}` : "",
        checks: at === transitions.length - 1 ? checksWords(checks) : "",
      };
    })
    .reverse()
    .slice(0, rows);
  const times = Math.max(0, ...stateRows.map(({ time }) => time.length));
  const room = columns - labels - times - 2;
  return (
    <Lines
      lines={stateRows.map(
        (
          { time, state, tone, remark: after, before, checks: checksText },
          at,
        ): readonly Piece[] => {
          // The line of the state before can be out of view.
          const isLast = at === stateRows.length - 1;
          const remark = isLast ? after + before : after;
          return [
            { text: (at === 0 ? observedLabel : "").padEnd(labels), tone: "muted" },
            { text: `${time.padEnd(times)}  ` },
            { text: state, tone },
            {
              text: widthOf(state + remark + checksText) > room ? remark : remark + checksText,
              tone: "muted",
            },
          ];
        },
      )}
    />
  );
}

/**
 * Describes the change to a state: the duration of the previous state, or the time without checks
 * before the change.
 */
function remarkOn(began: StateStart | null, before: Transition | undefined): string {
  if (!began || !before) return "first check";
  return began.kind === "between"
    ? `not checked for ${formatAge(began.at - began.after)} before`
    : `after ${wholeSeconds(began.at - before.firstSeenAt)}`;
}

/** Formats the number of checks. From ten on the number is rounded down to tens, so that the text rarely changes. */
function checksWords(checks: number): string {
  if (checks === 0) return "";
  if (checks === 1) return "  (1 check since)";
  return `  (${checks < 10 ? checks : `${checks - (checks % 10)}+`} checks since)`;
}

function sentRows(view: JournalView<SentFromHere>, rows: number): number {
  if (rows < 1) return 0;
  if (view.kind === "failed") return 1;
  if (view.kind !== "read" || view.value.total === 0) return 0;
  return Math.min(rows, 1 + view.value.rows.length);
}

const minOutcomeWidth = 13;

function Sent(props: {
  readonly view: JournalView<SentFromHere>;
  readonly rows: number;
  readonly labels: number;
}) {
  const { view, rows, labels } = props;
  const now = useNow(60_000);
  const { key } = useApp();
  const label: Piece = { text: useSentLabel().padEnd(labels), tone: "muted" };
  if (view.kind === "failed") {
    const why = errorLine(view.error, { doing: "reading the journal" });
    return <Lines lines={[[label, { text: why, tone: "bad" }]]} />;
  }
  if (view.kind !== "read") return null;
  const { total, unknown } = view.value;
  const shown = view.value.rows.slice(0, rows - 1);
  const times = shown.map(({ created_at: at }) => shortInstant(Date.parse(at), now));
  const timeWidth = Math.max(...times.map(({ length }) => length));
  const outcomes = shown.map((row) => `${outcomeWords[row.outcome].mark} ${outcomeLabel(row)}`);
  const outcomeWidth = Math.max(minOutcomeWidth, widest(outcomes) + 2);
  const kindWidth = Math.max(...shown.map(({ operation }) => operationNoun(operation).length));
  const title: readonly Piece[] = [
    label,
    { text: plural(total, "entry", "entries") },
    { text: unknown > 0 ? `, ${count(unknown)} unknown` : "", tone: "unknown" },
    { text: `  ${key("activity")} shows all`, tone: "muted" },
  ];
  const lines = shown.map((row, at): readonly Piece[] => {
    const { tone } = outcomeWords[row.outcome];
    return [
      { text: `${" ".repeat(labels)}${times[at]?.padEnd(timeWidth)}  `, tone: "muted" },
      { text: outcomes[at]?.padEnd(outcomeWidth) ?? "", tone },
      { text: `${operationNoun(row.operation).padEnd(kindWidth)}  ${row.contents}` },
      { text: row.code && row.outcome !== "confirmed" ? `  ${row.code}` : "" },
      { text: row.closing_reason ? `  ${row.closing_reason}` : "", tone: "muted" },
    ];
  });
  return <Lines lines={[title, ...lines]} />;
}
