/**
 * Shows the checked status of an account or a supply point: its state, checks, facts and history.
 */
import { Box } from "ink";
import type { ErrorContext } from "../errors/app-error.ts";
import { errorWords } from "../errors/error-words.ts";
import { useApp } from "../hooks/app.tsx";
import type { Checking } from "../hooks/checking.ts";
import type { JournalView, SentFromHere } from "../hooks/journal.ts";
import { useNow, useShownZone, useWrongByMs } from "../hooks/now.ts";
import type { CheckedVerdict } from "../hooks/verdict.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import type { KeyWords } from "../keys/keymap.ts";
import { checkedWords, formatAge } from "../text/ages.ts";
import { formatInstant } from "../text/dates.ts";
import type { StatusWords } from "../text/describe-status.ts";
import { formatDuration, wholeSeconds } from "../text/durations.ts";
import { widthOf, wrap } from "../text/width.ts";
import type { Verdict } from "../triage/verdict.ts";
import { tailIn, verdictTimes, verdictWords } from "../triage/verdict-words.ts";
import type { Transition } from "../watch/timeline.ts";
import type { Fact } from "./facts.tsx";
import { Paragraphs } from "./paragraph.tsx";
import { ProblemLines, useProblemLines } from "./problem.tsx";
import { StatusSections } from "./status-sections.tsx";
import { Line, type Piece, Text } from "./text.tsx";
import { VerdictLine } from "./verdict-line.tsx";

/** Minimum columns for a breadcrumb that shows a name of at most `maxShortName` characters in full. */
const minNameColumns = 80;
const maxShortName = 20;
/** Milliseconds after which a check without a response is reported. */
const slowMs = 1_000;

/**
 * Shows a status that is checked, for accounts and supply points: the state and its duration, the
 * checks, the record, the observations, and the entries sent from here.
 */
export function CheckedStatus(props: {
  readonly checking: Checking<unknown>;
  readonly words: (timeline: readonly Transition[]) => StatusWords;
  /** The name of the subject, shown if the breadcrumb has no room for it. */
  readonly name: Fact;
  readonly facts: readonly Fact[];
  readonly verdict: CheckedVerdict;
  /** The sentence about the state from the service's answer, or null. */
  readonly reason?: string | null;
  readonly context: ErrorContext;
  readonly sent: JournalView<SentFromHere>;
}) {
  const { checking } = props;
  useShownZone();
  const room = useRoom();
  const linear = useLinear();
  const { key } = useApp();
  const now = useVerdictTime(checking);
  const verdict = props.verdict(now.service);
  const isKnown = verdict.state !== null;
  const isNamedAbove = room.columns >= minNameColumns && props.name.value.length <= maxShortName;
  const facts = isNamedAbove && !linear ? props.facts : [props.name, ...props.facts];
  const gap = room.rows < 14 ? 0 : 1;
  const problem = useProblemLines(checking.error, props.context, {
    rows: Math.max(2, isKnown ? Math.floor(room.rows / 2) - 2 : room.rows - facts.length - 2),
    remedy: checking.refused ? refusedWords(checking.error, props.context, key) : undefined,
  });
  const sentences = isKnown ? sentencesOf(verdict, now.service, props) : [];
  const sentenceRows = sentences.flatMap((text) => wrap(text, Math.max(8, room.columns))).length;
  // One line for the headline and one for the checks.
  const top = 2 + sentenceRows + problem.length;
  return (
    <>
      <Headline checking={checking} verdict={verdict} now={now} sentences={sentences} />
      {problem.length > 0 ? <ProblemLines lines={problem} /> : null}
      {!isKnown && checking.error !== null ? <CheckLine checking={checking} /> : null}
      <StatusSections
        facts={facts}
        observed={{
          transitions: checking.transitions,
          checks: checking.checks,
          words: props.words,
        }}
        sent={props.sent}
        rows={room.rows - top}
        gap={gap}
        minMoments={2}
      />
    </>
  );
}

/** The time of this machine's clock and of the service's clock, in epoch milliseconds. */
interface VerdictTime {
  readonly own: number;
  readonly service: number;
}

function useVerdictTime({ askedAt }: Checking<unknown>): VerdictTime {
  const own = useNow(askedAt === null ? 10_000 : 1_000);
  return { own, service: own - useWrongByMs() };
}

/**
 * Returns the sentences below the headline: the other imports, and the meaning of the state. A
 * state that ended well, and an import in progress beside others, need no explanation.
 */
function sentencesOf(
  verdict: Verdict,
  now: number,
  {
    checking,
    reason = null,
  }: { readonly checking: Checking<unknown>; readonly reason?: string | null },
): readonly string[] {
  const { badge, others } = verdictWords(verdict, now);
  const isClear =
    (checking.final && badge.tone === "ok") || (badge.tone === "busy" && others !== null);
  const meaning = reason ?? (isClear ? null : badge.meaning);
  return [others, meaning].filter((sentence) => sentence !== null);
}

/**
 * Returns the remedy for refused credentials. A saved profile can be edited in the console, the
 * environment cannot.
 */
export function refusedWords(error: unknown, context: ErrorContext, key: KeyWords): string {
  const correct = context.fromEnvironment
    ? errorWords(error, context).remedy
    : `Correct the login: ${key("profiles")}, then ${key("edit")} on the profile.`;
  return `Checking is paused. ${correct} ${key("pause")} resumes.`;
}

/** Shows the verdict, the checks, and the sentences about the state. */
function Headline(props: {
  readonly checking: Checking<unknown>;
  readonly verdict: Verdict;
  readonly now: VerdictTime;
  readonly sentences: readonly string[];
}) {
  const { checking, verdict, now, sentences } = props;
  const { columns } = useRoom();
  const linear = useLinear();
  const wasChecked = verdict.state !== null && !verdict.isListed;
  const checkWords = useCheckWords(checking, now.own, wasChecked);
  // If a check failed before any state is known, the caller shows the checks below the error.
  if (verdict.state === null)
    return checking.error === null ? <Line pieces={[checkWords]} /> : null;
  const words = verdictWords(verdict, now.service);
  const { label, mark } = words.badge;
  if (linear) {
    const first = [label, ...verdictTimes(verdict, (ms) => formatInstant(ms))].join(", ");
    return (
      <>
        <Text>{[`${first}.`, ...sentences].join(" ")}</Text>
        <Line pieces={[checkWords]} />
      </>
    );
  }
  const tail = tailIn(words, columns);
  const space = columns - widthOf(`${mark} ${label}${tail}`) - widthOf(checkWords.text);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <VerdictLine words={words} end={space >= 2 ? checkWords : null} />
      {space < 2 ? <Line pieces={[checkWords]} /> : null}
      <Paragraphs texts={sentences} />
    </Box>
  );
}

/** Shows the checks on a separate line. It is used if no state is known. */
function CheckLine({ checking }: { readonly checking: Checking<unknown> }) {
  const now = useNow(checking.askedAt === null ? 10_000 : 1_000);
  return <Line pieces={[useCheckWords(checking, now, false)]} />;
}

/**
 * Describes the last check and the interval, or the check that is slow, failed or paused.
 * `wasChecked` is true if the state is known from an earlier check.
 */
function useCheckWords(checking: Checking<unknown>, now: number, wasChecked: boolean): Piece {
  const linear = useLinear();
  const { key } = useApp();
  const every = `every ${intervalWords(checking.everyMs)}`;
  const { askedAt, checkedAt } = checking;
  const unchecked = wasChecked ? "not checked since" : "not checked yet";
  const checked = checkedAt === null ? unchecked : checkedWords(checkedAt, now);
  const waited = askedAt === null ? 0 : now - askedAt;
  if (waited >= slowMs && !linear) {
    const cancel = `${key("cancel")} cancels`;
    return {
      text: `requested ${wholeSeconds(waited)} ago, no response yet; ${cancel}`,
      tone: "waiting",
    };
  }
  if (checkedAt === null && checking.error === null && !checking.paused) {
    return { text: "Asking the service…", tone: "busy" };
  }
  if (checking.paused) {
    const words = linear ? "" : `, ${checked}`;
    return { text: `paused${words}; ${key("pause")} resumes`, tone: "waiting" };
  }
  if (checking.final && checking.error === null) {
    if (linear) return { text: `no further change expected; checking ${every}` };
    return { text: `final, ${checked}`, tone: "muted" };
  }
  if (linear) return { text: `Checking ${every}; a change is reported when it comes.` };
  if (checking.error !== null) {
    const next =
      checking.nextAt === null
        ? ""
        : `; next try in ${formatAge(Math.max(0, checking.nextAt - now))}`;
    return { text: `${checked}${next}`, tone: "muted" };
  }
  return { text: `${checked}, ${every}`, tone: "muted" };
}

/** Formats an interval, in seconds if it is below two minutes. */
function intervalWords(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : formatDuration(ms);
}
