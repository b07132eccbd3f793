/** Shows the observed states of an account or a supply point, newest first. */
import { Box } from "ink";
import { useServiceNow } from "../hooks/now.ts";
import { useRoom } from "../hooks/window.tsx";
import { shortInstant } from "../text/dates.ts";
import type { StatusWords } from "../text/describe-status.ts";
import { formatAge, wholeSeconds } from "../text/durations.ts";
import { widthOf } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import { type StateStart, stateStart, type Transition } from "../watch/transitions.ts";
import { Line } from "./text.tsx";

export const observedLabel = "Observed";

/**
 * Describes the change to a state by the duration of the previous state, or by the time without
 * checks.
 */
function remarkOn(began: StateStart | null, before: Transition | undefined): string {
  if (!began || !before) return "first check";
  return began.kind === "between"
    ? `not checked for ${formatAge(began.at - began.after)} before`
    : `after ${wholeSeconds(began.at - before.firstSeenAt)}`;
}

/** Formats the number of checks, in tens from ten on, so that the text seldom changes. */
function checksWords(checks: number): string {
  if (checks === 0) return "";
  if (checks === 1) return "  (1 check since)";
  return `  (${checks < 10 ? checks : `${checks - (checks % 10)}+`} checks since)`;
}

/** Shows the observed states beside their label, newest first. */
export function Observed(props: {
  readonly transitions: readonly Transition[];
  /** Number of checks that found the latest state again. */
  readonly checks: number;
  readonly words: (timeline: readonly Transition[]) => StatusWords;
  readonly labels: number;
  readonly rows: number;
}) {
  const now = useServiceNow(60_000);
  const { transitions, checks } = props;
  const moments = transitions
    .map((transition, index) => {
      const until = transitions.slice(0, index + 1);
      const words = props.words(until);
      const latest = index === transitions.length - 1;
      return {
        at: shortInstant(transition.firstSeenAt, now),
        mark: words.mark,
        label: words.label,
        tone: words.tone,
        remark: `  ${remarkOn(stateStart(until), transitions[index - 1])}`,
        checks: latest ? checksWords(checks) : "",
      };
    })
    .reverse();
  return (
    <Timeline label={observedLabel} labels={props.labels} moments={moments} rows={props.rows} />
  );
}

/** One observed state. */
interface Moment {
  readonly at: string;
  readonly mark: string;
  readonly label: string;
  readonly tone: Tone;
  readonly remark: string;
  /** The number of checks that found the state again, in words. Left out if there is no room. */
  readonly checks: string;
}

/**
 * Shows the observed states beside a label, newest first, in as many lines as there is room for.
 */
function Timeline(props: {
  readonly label: string;
  /** The width of the label column in cells. */
  readonly labels: number;
  readonly moments: readonly Moment[];
  readonly rows: number;
}) {
  const shown = props.moments.slice(0, Math.max(0, props.rows));
  const times = Math.max(0, ...shown.map(({ at }) => at.length));
  const room = useRoom().columns - props.labels - times - 2;
  const remarkOf = ({ mark, label, remark, checks }: Moment) => {
    const whole = remark + checks;
    return widthOf(`${mark} ${label}${whole}`) > room ? remark : whole;
  };
  return (
    <Box flexDirection="column" flexShrink={0}>
      {shown.map((moment, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a state can be observed twice in one second
          key={index}
          pieces={[
            { text: (index === 0 ? props.label : "").padEnd(props.labels), tone: "muted" },
            { text: `${moment.at.padEnd(times)}  ` },
            { text: `${moment.mark} ${moment.label}`, tone: moment.tone },
            { text: remarkOf(moment), tone: "muted" },
          ]}
        />
      ))}
    </Box>
  );
}
