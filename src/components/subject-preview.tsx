/**
 * Shows a preview of an account or a supply point: its state, facts, timeline and journal entries.
 */
import { errorLine } from "../errors/error-words.ts";
import { useSession } from "../hooks/app.tsx";
import { useSentFromHere } from "../hooks/journal.ts";
import { useShownZone } from "../hooks/now.ts";
import { useRoom } from "../hooks/window.tsx";
import { truncate, widthOf, wrap } from "../text/width.ts";
import { stateWordsOf } from "../triage/state-words.ts";
import type { Verdict } from "../triage/verdict.ts";
import { tailIn, type VerdictWords, verdictWords } from "../triage/verdict-words.ts";
import type { Transition, WatchSubject } from "../watch/timeline.ts";
import type { Fact } from "./facts.tsx";
import { Paragraph, Paragraphs, useWaitWords, Waiting } from "./paragraph.tsx";
import { errorPlace } from "./problem.tsx";
import { StatusSections } from "./status-sections.tsx";
import { Line, RuleLine, Text } from "./text.tsx";
import { VerdictLine } from "./verdict-line.tsx";

interface SubjectPreviewProps {
  readonly subject: WatchSubject & { readonly kind: "account" | "supply-point" };
  readonly timeline: readonly Transition[];
  readonly facts: readonly Fact[];
  /** The state of the checks in words, or null until the first response. */
  readonly check: string | null;
  readonly error: unknown;
  readonly verdict: Verdict;
  /** The service's time in epoch milliseconds. */
  readonly now: number;
  readonly isBelow?: boolean;
}

export function SubjectPreview(props: SubjectPreviewProps) {
  const { subject, timeline, facts, isBelow = false, check } = props;
  const { kind, supplier, number } = subject;
  const room = useRoom();
  useShownZone();
  const sent = useSentFromHere(
    kind === "account"
      ? { kind, supplier, account: number }
      : { kind, supplier, identifier: number },
  );
  const words = verdictWords(props.verdict, props.now);
  const { badge, others } = words;
  // If there is little room, a state that ended well needs no explanation.
  const isKnown = props.verdict.state !== null;
  const meaning = isKnown && !(isBelow && badge.tone === "ok") ? badge.meaning : null;
  const sentences = [others, isBelow && others !== null ? null : meaning].filter(
    (sentence) => sentence !== null,
  );
  const sentenceRows = sentences.flatMap((text) => wrap(text, room.columns)).length;
  const name = truncate(number, Math.max(8, room.columns - widthOf(supplier) - 2));
  const space = Math.max(2, room.columns - widthOf(name) - widthOf(supplier));
  return (
    <>
      {isBelow && check === null && isKnown ? (
        <AskingLine title={number} />
      ) : isBelow ? (
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
      <Paragraphs texts={sentences} />
      <StatusSections
        facts={facts}
        observed={{ transitions: timeline, checks: 0, words: stateWordsOf(kind) }}
        sent={sent}
        rows={room.rows - (isBelow ? 2 : 3) - sentenceRows}
        gap={isBelow ? 0 : 1}
        minMoments={3}
      />
    </>
  );
}

function AskingLine({ title }: { readonly title: string }) {
  return <RuleLine title={title} right={useWaitWords({ words: "asking the service" })} />;
}

function State(props: SubjectPreviewProps & { readonly words: VerdictWords }) {
  const { subject, verdict, words, check, error, isBelow } = props;
  const { kind, supplier, number } = subject;
  const { columns } = useRoom();
  const session = useSession();
  const { mark, label } = words.badge;
  const isKnown = verdict.state !== null;
  const left = widthOf(`${mark} ${label}${tailIn(words, columns)}`);
  const isBeside =
    !isBelow && check !== null && isKnown && error === null && left + 2 + widthOf(check) <= columns;
  return (
    <>
      {isKnown ? (
        <VerdictLine words={words} end={isBeside ? { text: `  ${check}`, tone: "muted" } : null} />
      ) : null}
      {isBeside || (isBelow && isKnown && error === null) ? null : error !== null ? (
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
