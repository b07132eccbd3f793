/**
 * Shows a preview of an account or a supply point: its state, facts, timeline and journal entries.
 */
import { errorLine } from "../errors/error-words.ts";
import { useSession } from "../hooks/app.tsx";
import { useSentFromHere } from "../hooks/journal.ts";
import { useShownZone } from "../hooks/now.ts";
import { useRoom } from "../hooks/window.tsx";
import type { StatusWords } from "../text/describe-status.ts";
import { truncate, widthOf, wrap } from "../text/width.ts";
import { stateStart, type Transition, type WatchSubject } from "../watch/timeline.ts";
import type { Fact } from "./facts.tsx";
import { Paragraph, Waiting } from "./paragraph.tsx";
import { errorPlace } from "./problem.tsx";
import { ageWords, type KnownAge, stateAgeWords, stateWordsOf } from "./state-words.ts";
import { StatusSections } from "./status-sections.tsx";
import { Line, RuleLine, StatusBadge, Text } from "./text.tsx";

interface SubjectPreviewProps {
  readonly subject: WatchSubject & { readonly kind: "account" | "supply-point" };
  /** The observed states. Empty before the first check. */
  readonly timeline: readonly Transition[];
  readonly facts: readonly Fact[];
  /** The state of the checks in words, or null until the first response. */
  readonly check: string | null;
  /** The error of the last check, or null if it succeeded. */
  readonly error: unknown;
  /** Epoch milliseconds at which the account was first observed as pending, or NaN if unknown. */
  readonly pendingSince: number;
  /** The age of the state as known by the service, or null if unknown. */
  readonly age?: KnownAge | null;
  readonly now: number;
  /** True if the preview is a few lines without gaps below a list. The list shows the facts. */
  readonly isBelow?: boolean;
}

/** Shows the state, facts, timeline and journal entries in the room of a preview. */
export function SubjectPreview(props: SubjectPreviewProps) {
  const { subject, timeline, facts, isBelow, check } = props;
  const { kind, supplier, number } = subject;
  const room = useRoom();
  useShownZone();
  const sent = useSentFromHere(
    kind === "account"
      ? { kind, supplier, account: number }
      : { kind, supplier, identifier: number },
  );
  const stateWords = stateWordsOf(kind);
  const words = stateWords(timeline);
  // If there is little room, a state that ended well needs no explanation.
  const hasMeaning = timeline.length > 0 && !(isBelow && words.tone === "ok");
  // The number of lines that the meaning takes above the sections.
  const meaning = hasMeaning ? wrap(words.meaning, room.columns).length : 0;
  const name = truncate(number, Math.max(8, room.columns - widthOf(supplier) - 2));
  const space = Math.max(2, room.columns - widthOf(name) - widthOf(supplier));
  return (
    <>
      {isBelow ? (
        <RuleLine title={number} right={check ?? ""} />
      ) : (
        <Line
          pieces={[
            { text: name, bold: true },
            { text: " ".repeat(space) + supplier, tone: "muted" },
          ]}
        />
      )}
      <State {...props} words={words} />
      {hasMeaning ? <Paragraph>{words.meaning}</Paragraph> : null}
      <StatusSections
        facts={facts}
        observed={{ transitions: timeline, checks: 0, words: stateWords }}
        sent={sent}
        rows={room.rows - (isBelow ? 2 : 3) - meaning}
        gap={isBelow ? 0 : 1}
        minMoments={3}
      />
    </>
  );
}

/** Shows the state and its duration, and below it the progress of the check. */
function State(props: SubjectPreviewProps & { readonly words: StatusWords }) {
  const { subject, timeline, words, check, error, pendingSince, age = null, now, isBelow } = props;
  const { kind, supplier, number } = subject;
  const room = useRoom();
  const session = useSession();
  const began = stateStart(timeline);
  const duration =
    began === null
      ? ""
      : age === null
        ? stateAgeWords(began, now, pendingSince)
        : ageWords(age, now);
  const left = widthOf(`${words.mark} ${words.label}${duration}`);
  const isBeside =
    !isBelow &&
    check !== null &&
    began !== null &&
    error === null &&
    left + 2 + widthOf(check) <= room.columns;
  return (
    <>
      {began === null ? null : (
        <Text>
          <StatusBadge words={words} />
          <Text>{duration}</Text>
          {isBeside ? <Text tone="muted">{`, ${check}`}</Text> : null}
        </Text>
      )}
      {isBeside || (isBelow && began !== null && error === null) ? null : error !== null ? (
        <Paragraph tone="bad" most={3}>
          {errorLine(error, {
            doing: `reading the status of ${number}`,
            ...errorPlace(session),
            subject: { kind, supplier, id: number },
          })}
        </Paragraph>
      ) : check === null ? (
        <Waiting words="Asking the service…" />
      ) : (
        <Text tone="muted">{check}</Text>
      )}
    </>
  );
}
