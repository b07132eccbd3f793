import { useCallback, useMemo, useState } from "react";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { atPlace } from "../../forms/paths.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useSession } from "../../hooks/session.tsx";
import { useStore } from "../../hooks/store.ts";
import { submissionOf } from "../../session/send-form.ts";
import { type Plan, planOf } from "../../session/write-plan.ts";
import { localZone } from "../../text/dates.ts";
import { ReviewView } from "./review-view.tsx";
import { SubmissionView } from "./submission-view.tsx";

/** What will be sent, the sending of it, and what came of that (INTERFACE 4.1–4.6). */
export function ReviewScreen(props: { readonly draft: string }) {
  const id = props.draft;
  const { formDrafts, clock } = useConsole();
  const { tasks } = useSession();
  const entries = useStore(tasks.entries.all);
  const latest = useStore(tasks.forms.all).get(id) ?? null;
  // How an earlier sending of this draft ended is told where it was sent from, not here.
  const [earlier] = useState(() => (latest?.kind === "running" ? null : latest));
  const submission = useMemo(
    () => (latest === null || latest === earlier ? null : submissionOf(latest, entries)),
    [latest, earlier, entries],
  );
  const [typedAt] = useState(() => ({
    now: clock.now(),
    timeZone: localZone(),
  }));
  const [draft, setDraft] = useState(() => formDrafts.find(id));
  const planned = useMemo(() => (draft === null ? null : planOf(draft, typedAt)), [draft, typedAt]);
  // What is being sent stays what it was, also when its draft is gone.
  const [sent, setSent] = useState<Plan | null>(null);
  const [split, chooseSplit] = useState(false);
  const leave = useLeave(id);
  const choose = useCallback(
    (name: string, on: boolean) => {
      const kept = formDrafts.find(id);
      if (kept === null) return;
      const next = { ...kept, query: { ...kept.query, [name]: on }, updatedAt: clock.now() };
      formDrafts.save(next);
      setDraft(next);
    },
    [formDrafts, clock, id],
  );
  const plan = sent ?? (planned?.kind === "plan" ? planned.plan : null);
  if (plan === null) {
    return (
      <Body>
        {planned?.kind === "invalid" ? (
          <>
            <Paragraph tone="bad" bold>
              The form is not complete: nothing can be sent yet.
            </Paragraph>
            {planned.issues.slice(0, 12).map((issue) => (
              <Paragraph key={`${issue.path.join(".")} ${issue.message}`}>
                {atPlace(planned.form, issue)}
              </Paragraph>
            ))}
          </>
        ) : (
          <Paragraph tone="bad" bold>
            This draft is not there any more, or cannot be read.
          </Paragraph>
        )}
        <Paragraph tone="muted">Esc goes back.</Paragraph>
      </Body>
    );
  }
  if (submission !== null) {
    return <SubmissionView plan={plan} split={split} submission={submission} leave={leave} />;
  }
  return (
    <ReviewView
      draft={id}
      plan={plan}
      choose={choose}
      split={split}
      chooseSplit={chooseSplit}
      onSend={() => setSent(plan)}
    />
  );
}

/** Out of the review and out of the form below it. */
function useLeave(draft: string): () => void {
  const navigation = useNavigation();
  const below = navigation.stops.at(-2)?.place;
  const fromForm = below?.kind === "compose" && below.draft === draft;
  return () => {
    navigation.back();
    if (fromForm) navigation.back();
  };
}
