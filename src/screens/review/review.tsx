/** The review of a write: its requests, its options and the key that sends it. */

import { useCallback, useMemo, useState } from "react";
import { Body } from "../../components/body.tsx";
import { Document, type DocumentLine } from "../../components/document.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { errorLine } from "../../errors/error-words.ts";
import { atPlace } from "../../forms/payload-places.ts";
import { useApp, useHere, useSession, useShownSentence, useWriteLock } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useIsQuestionDrawn } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRead } from "../../hooks/reading.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { Action, Actions } from "../../keys/scopes.ts";
import { type ConsoleSend, passGate } from "../../session/gate.ts";
import type { Choice } from "../../session/overlays.ts";
import type { NotPlanned } from "../../session/plan.ts";
import { localZone } from "../../text/dates.ts";
import { wrap } from "../../text/width.ts";
import { questionsOf } from "../../writes/gate.ts";
import type { Override } from "../../writes/journal/override.ts";
import type { Operation } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { olderJournalError } from "../../writes/older-journal.ts";
import type { ReviewFacts } from "./review-facts.ts";
import { reviewLines, type Unfolded } from "./review-lines.ts";

interface ReviewProps {
  readonly title: string;
  readonly facts: ReviewFacts;
  /** The reason why the write cannot be sent now, apart from the write lock, or null if none. */
  readonly obstacle: string | null;
  /**
   * The action that the send key runs because it is required before sending, with a sentence about
   * the action, or null if no action is required.
   */
  readonly requiredAction: { readonly action: Action; readonly words: string | null } | null;
  readonly sendNote: string | null;
  readonly sendLabel: string;
  readonly toSend: ConsoleSend;
  /** Sends the write, with the user's override of the duplicate guard, or null if there is none. */
  readonly onSend: (override: Override | null) => void;
  readonly choices: readonly Choice[];
  readonly keys: Actions;
  readonly failed?: { readonly error: unknown; readonly doing: string } | null;
}

/**
 * Shows a write before it is sent: its requests, its rows with their total amount, and, on request,
 * the rules for failures.
 */
export function Review(props: ReviewProps) {
  const { requiredAction, choices } = props;
  const here = useHere();
  const facts = useFactsForTwo(props.facts, props.toSend.operation);
  const { overlays, key, navigation } = here.app;
  const { columns } = useRoom();
  const lock = useWriteLock();
  const [unfolded, setUnfolded] = useState<Unfolded>({ rules: false, json: false });
  const { rules, json } = unfolded;
  const question = useMemo(() => questionText(props.title, facts), [props.title, facts]);
  const isQuestionDrawn = useIsQuestionDrawn(question);
  const obstacle = lock ?? props.obstacle;
  useShownSentence(obstacle);
  const note = requiredAction === null ? (obstacle ?? props.sendNote) : requiredAction.words;
  const send = () => passGate(here, props.toSend, props.onSend);
  const { environment } = here.session.profile;
  const sendsAtOnce = obstacle === null && questionsOf(props.toSend, environment).length === 0;
  const sendLabel = sendsAtOnce ? `${props.sendLabel} now` : props.sendLabel;
  const chooseOption = () => overlays.choose("Change how it is sent", choices);
  useKeys({
    ...(choices.length === 0 ? {} : { options: { run: chooseOption, choices } }),
    back: { run: navigation.back, label: "form" },
    send: requiredAction?.action ?? {
      run: send,
      isQuestionDrawn,
      disabled: obstacle,
      label: sendLabel,
    },
    "failure-rules": {
      run: () => setUnfolded({ json, rules: !rules }),
      label: rules ? "fold rules" : "rules",
      footer: 12,
    },
    ...(facts.run === null
      ? {}
      : {
          raw: {
            run: () => setUnfolded({ rules, json: !json }),
            label: json ? "fold JSON" : "JSON",
            help: "The first request and the last exactly as they are sent",
          },
        }),
    ...props.keys,
  });
  const { lines, rulesAt } = useMemo(
    () => reviewLines(facts, unfolded, key, columns),
    [facts, unfolded, key, columns],
  );
  return (
    <Body>
      <TitledDocument
        title={`${props.title}. Nothing has been sent.`}
        lines={lines}
        scrollTo={rulesAt}
        below={note === null ? 0 : 1}
        failed={props.failed ?? null}
      />
      {note === null ? null : (
        <Text tone={obstacle && requiredAction === null ? "waiting" : "plain"}>{note}</Text>
      )}
    </Body>
  );
}

/** Returns the facts of a review, with the team's policy if the write needs an approval. */
function useFactsForTwo(facts: ReviewFacts, operation: Operation): ReviewFacts {
  const { key } = useApp();
  const { fourEyes } = useStore(useSession().team);
  const isForTwo = fourEyes === "money" && kindOf(operation).movesMoney;
  const send = key("send");
  return useMemo(() => {
    if (!isForTwo) return facts;
    const words = `Your team asks for two people for money: without the approval of another person, ${send} asks for it and sends nothing.`;
    return { ...facts, before: [...facts.before, { words, look: { tone: "waiting" } }] };
  }, [facts, isForTwo, send]);
}

/**
 * Returns the reason for which no rows are sent with a restored or copied journal, or null if it is
 * current or not open yet.
 */
export function useOlderJournal(): string | null {
  const session = useSession();
  const error = useRead(
    useCallback(async () => olderJournalError((await session.writes()).context.journal), [session]),
  );
  return error?.message ?? null;
}

/**
 * Returns a text that identifies the question of the send key. The text changes if the requests or
 * the sentences above them change.
 */
function questionText(title: string, { before, requests }: ReviewFacts): string {
  const sent = requests.flatMap(({ parts }) =>
    parts.map(({ path, query, sha256 }) => [path, query, sha256]),
  );
  return JSON.stringify([title, before, sent]);
}

const maxTitleRows = 2;

/** The caller shows `below` lines under the document. */
function TitledDocument(props: {
  readonly title: string;
  readonly lines: readonly DocumentLine[];
  readonly below: number;
  readonly scrollTo?: number | null;
  readonly failed: { readonly error: unknown; readonly doing: string } | null;
}) {
  const { title, lines, below, scrollTo = null, failed } = props;
  const { columns } = useRoom();
  const rows = Math.min(maxTitleRows, wrap(title, columns).length);
  return (
    <>
      <Paragraph bold most={maxTitleRows}>
        {title}
      </Paragraph>
      {failed === null ? (
        <Document lines={lines} scrollTo={scrollTo} taken={rows + below} />
      ) : (
        <JournalProblem {...failed} />
      )}
    </>
  );
}

const maxIssues = 12;

/**
 * Returns a saved draft for its review, the time and time zone that its relative dates refer to,
 * and a function that saves a chosen option in the draft. The draft is null if it does not exist.
 */
export function useReviewedDraft(id: string) {
  const { formDrafts, clock, notices } = useApp();
  const [typedAt] = useState(() => ({ now: clock.now(), timeZone: localZone() }));
  const [draft, setDraft] = useState(() => formDrafts.find(id));
  const choose = (option: string, on: boolean) => {
    const saved = formDrafts.find(id);
    if (saved === null) return;
    try {
      setDraft(formDrafts.save({ ...saved, query: { ...saved.query, [option]: on } }).draft);
    } catch (error) {
      notices.show(errorLine(error, { doing: "saving the draft" }), "bad");
    }
  };
  return { draft, typedAt, choose };
}

/**
 * Shows why a draft cannot be reviewed: the first issues of an incomplete form, or a sentence about
 * a missing or unreadable draft. `planned` is null if the draft no longer exists.
 */
export function NotReviewable(props: {
  readonly planned: NotPlanned | { readonly kind: "plan" } | null;
}) {
  const { planned } = props;
  const { key } = useApp();
  return (
    <Body>
      <Paragraph tone="bad" bold>
        {planned?.kind === "invalid"
          ? "The form is not complete: nothing can be sent yet."
          : "The draft was deleted or is unreadable."}
      </Paragraph>
      {planned?.kind === "invalid"
        ? planned.issues
            .slice(0, maxIssues)
            .map((issue) => (
              <Paragraph key={`${issue.path.join(".")} ${issue.message}`}>
                {atPlace(planned.form, issue)}
              </Paragraph>
            ))
        : null}
      <Paragraph tone="muted">{`${key("back")} goes back.`}</Paragraph>
    </Body>
  );
}
