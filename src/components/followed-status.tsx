import { Box } from "ink";
import type { SentFromHere } from "../hooks/activity.ts";
import type { Follow } from "../hooks/follow.ts";
import type { JournalView } from "../hooks/journal.ts";
import { useKeyWords } from "../hooks/keys.tsx";
import { useLinear } from "../hooks/linear.ts";
import { useNow } from "../hooks/now.tsx";
import { useRoom } from "../hooks/window.tsx";
import { formatInstant, sinceThen } from "../text/dates.ts";
import { describeError, oneLine } from "../text/describe-error.ts";
import type { StatusWords } from "../text/describe-status.ts";
import { formatDuration, wholeSeconds } from "../text/durations.ts";
import { useTheme } from "../theme.tsx";
import { type Began, beganOf, type Transition } from "../watch/transitions.ts";
import { type Fact, Facts } from "./facts.tsx";
import { Paragraph } from "./paragraph.tsx";
import { Problem } from "./problem.tsx";
import { SentFromHereLines, sentRows } from "./sent-from-here.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { Line, Text } from "./text.tsx";
import { Timeline } from "./timeline.tsx";

const namesInTrail = 2;

/** What was sent gives way to so many lines of what was observed. */
const fewestMoments = 2;

type DescribeContext = Parameters<typeof describeError>[1];

/**
 * A status that is followed: what it is and since when, the record, how the polling goes, and what
 * was observed from here. The same for accounts and supply points.
 */
export function FollowedStatus(props: {
  readonly follow: Follow<unknown>;
  /** Of the latest state of a timeline. */
  readonly words: (timeline: readonly Transition[]) => StatusWords;
  /** The first two say what it is called and whose it is, as the breadcrumb does. */
  readonly facts: readonly Fact[];
  readonly context: DescribeContext;
  readonly sent: JournalView<SentFromHere>;
}) {
  const { follow } = props;
  const room = useRoom();
  const linear = useLinear();
  const began = beganOf(follow.transitions);
  // On a small terminal the blank lines go, and so do the facts that stand in the first line anyway.
  const compact = room.rows < 17;
  const gap = compact ? 0 : 1;
  const facts = compact ? props.facts.slice(namesInTrail) : props.facts;
  const freeRows = room.rows - 5 - 3 * gap - facts.length;
  const sent = sentRows(props.sent, freeRows - gap - fewestMoments);
  const timelineRows = freeRows - (sent > 0 ? sent + gap : 0);
  return (
    <>
      {began ? (
        <Headline words={props.words(follow.transitions)} began={began} />
      ) : follow.error ? (
        <Problem error={follow.error} context={props.context} />
      ) : (
        <Text tone="busy">Asking the service…</Text>
      )}
      <Box marginTop={gap} flexDirection="column" flexShrink={0}>
        <Facts facts={facts} />
      </Box>
      <Box marginTop={gap} flexDirection="column" flexShrink={0}>
        <PollLine follow={follow} />
        {began && follow.error ? (
          <Paragraph tone="bad">{oneLine(describeError(follow.error, props.context))}</Paragraph>
        ) : null}
      </Box>
      {sent > 0 ? (
        <Box marginTop={gap} flexDirection="column" flexShrink={0}>
          <SentFromHereLines view={props.sent} rows={sent} />
        </Box>
      ) : null}
      {/* What was told line by line needs no list of it below. */}
      {began && !linear ? (
        <Box marginTop={gap} flexDirection="column" flexShrink={0}>
          <Text tone="title">Observed from here</Text>
          <ObservedTimeline follow={follow} words={props.words} rows={timelineRows} />
        </Box>
      ) : null}
    </>
  );
}

function Headline(props: { readonly words: StatusWords; readonly began: Began }) {
  const { began } = props;
  const now = useNow();
  const linear = useLinear();
  const held = wholeSeconds(now - began.at);
  const when = linear ? `, ${sinceWords(began)}` : `  ${heldWords(began, held)}`;
  if (linear) {
    const { label, meaning } = props.words;
    return <Text>{`${label}${when}. ${meaning}`}</Text>;
  }
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text>
        <StatusBadge words={props.words} />
        <Text tone="muted">{when}</Text>
      </Text>
      <Paragraph>{props.words.meaning}</Paragraph>
    </Box>
  );
}

/** How long a state has held, no longer than is known. */
function heldWords(began: Began, held: string): string {
  switch (began.kind) {
    case "seen":
      return `for ${held}, since ${formatInstant(began.at)}`;
    case "between":
      return `seen for ${held}; it began after ${formatInstant(began.after)}`;
    case "before":
      return `seen for ${held}; it may be older`;
  }
}

/** The same without an age, which would be read aloud again as it grows. */
function sinceWords(began: Began): string {
  const at = formatInstant(began.at);
  switch (began.kind) {
    case "seen":
      return `since ${at}`;
    case "between":
      return `seen since ${at}; it began after ${formatInstant(began.after)}`;
    case "before":
      return `seen since ${at}; it may be older`;
  }
}

/** How the polling goes: the interval, the last look, the next one; what stands still is said. */
function PollLine(props: { readonly follow: Follow<unknown> }) {
  const { follow } = props;
  const now = useNow();
  const looked = follow.lookedAt === null ? "" : `looked ${sinceThen(follow.lookedAt, now)}`;
  const every = `every ${formatDuration(follow.everyMs)}`;
  const linear = useLinear();
  const key = useKeyWords();
  // A look that finds nothing new is not worth a word.
  if (linear && !follow.paused && !follow.final) {
    return <Text>{`Polling ${every}; a change is told when it comes.`}</Text>;
  }
  if (follow.looking && !linear) {
    return (
      <Line
        pieces={[
          { text: "looking…", tone: "busy" },
          { text: `  ${every}`, tone: "muted" },
        ]}
      />
    );
  }
  if (follow.paused) {
    return (
      <Line
        pieces={[
          { text: "polling paused", tone: "waiting" },
          {
            text: `  ${looked}  ${key("pause")} resumes, ${key("refresh")} looks now`,
            tone: "muted",
          },
        ]}
      />
    );
  }
  if (follow.final) {
    return (
      <Line
        pieces={[
          { text: "final state, polling ended" },
          { text: `  ${looked}  ${key("refresh")} looks again`, tone: "muted" },
        ]}
      />
    );
  }
  const next = follow.nextAt === null ? "" : `  next in ${wholeSeconds(follow.nextAt - now)}`;
  return (
    <Line pieces={[{ text: `polling ${every}` }, { text: `  ${looked}${next}`, tone: "muted" }]} />
  );
}

/** What came before a state: how long the one before had held, or that nobody looked. */
function remarkOn(began: Began | null, before: Transition | undefined): string {
  if (!began || !before) return "first look";
  return began.kind === "between"
    ? `nobody had looked for ${wholeSeconds(began.at - began.after)}`
    : `after ${wholeSeconds(began.at - before.firstSeenAt)}`;
}

function ObservedTimeline(props: {
  readonly follow: Follow<unknown>;
  readonly words: (timeline: readonly Transition[]) => StatusWords;
  readonly rows: number;
}) {
  const theme = useTheme();
  const { transitions } = props.follow;
  const moments = transitions
    .map((transition, index) => {
      const until = transitions.slice(0, index + 1);
      const words = props.words(until);
      return {
        at: formatInstant(transition.firstSeenAt),
        mark: theme.ascii ? words.asciiMark : words.mark,
        label: words.label,
        tone: words.tone,
        remark: remarkOn(beganOf(until), transitions[index - 1]),
      };
    })
    .reverse();
  return <Timeline moments={moments} rows={Math.max(1, props.rows)} />;
}
