/** The screens that review a draft before it is sent, for one account or all marked ones. */
import { useCallback, useMemo, useState } from "react";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { atPlace } from "../../forms/places.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import type { App } from "../../session/app.ts";
import { type MarkedPlan, markedPlanOf } from "../../session/marked-rows.ts";
import type { AccountTab } from "../../session/places.ts";
import { type Plan, type Planned, planOf } from "../../session/plan.ts";
import { submissionOf } from "../../session/submit.ts";
import { localZone } from "../../text/dates.ts";
import { AccountsReview } from "./accounts-review.tsx";
import { FormReview } from "./form-review.tsx";
import { ResultView } from "./result-screen.tsx";

/**
 * Shows the requests of a draft, then the progress of sending them and the outcome (INTERFACE
 * 4.1–4.6).
 */
export function ReviewScreen(props: { readonly draft: string }) {
  const id = props.draft;
  const app = useApp();
  const { tasks } = useSession();
  const entries = useStore(tasks.entries.all);
  const latest = useStore(tasks.forms.all).get(id) ?? null;
  // The result of an earlier sending of this draft is shown on another screen.
  const [earlier] = useState(() => (latest?.kind === "running" ? null : latest));
  const submission = useMemo(
    () => (latest === null || latest === earlier ? null : submissionOf(latest, entries)),
    [latest, earlier, entries],
  );
  const { draft, typedAt, choose } = useReviewedDraft(id);
  const [split, chooseSplit] = useState(false);
  const planned = useMemo(
    () => (draft === null ? null : planOf(draft, typedAt, split)),
    [draft, typedAt, split],
  );
  // The plan of the sent requests stays unchanged, even if their draft is removed.
  const [sent, setSent] = useState<Plan | null>(null);
  const leave = () => leaveReview(app, id);
  const plan = sent ?? (planned?.kind === "plan" ? planned.plan : null);
  if (plan === null) return <NotReviewable planned={planned} />;
  if (submission !== null) {
    return <ResultView plan={plan} submission={submission} leave={leave} />;
  }
  return (
    <FormReview
      draft={id}
      plan={plan}
      choose={choose}
      chooseSplit={chooseSplit}
      onSend={() => setSent(plan)}
    />
  );
}

/** Closes the review and the form below it. */
function leaveReview({ navigation }: App, draft: string): void {
  const below = navigation.stops.get().at(-2)?.place;
  navigation.back();
  if (below?.kind === "compose" && below.draft === draft) navigation.back();
}

/**
 * Shows the first and last requests to the marked accounts of a list, and the number of requests.
 */
export function ReviewMarkedScreen(props: {
  readonly draft: string;
  readonly supplier: string;
  readonly list: AccountTab;
}) {
  const { supplier, list } = props;
  const session = useSession();
  const { draft, typedAt, choose } = useReviewedDraft(props.draft);
  // The marks are read once, because later marks and loaded rows were not reviewed.
  const [marked] = useState(() => session.list(supplier, list).markedNow());
  const plan = useMemo(
    () => (draft === null ? null : markedPlanOf(draft, typedAt)),
    [draft, typedAt],
  );
  if (draft === null || plan?.kind !== "plan") return <NotReviewable planned={plan} />;
  return <AccountsReview draft={draft} plan={plan} marked={marked} choose={choose} />;
}

/** The maximum number of listed issues of an incomplete form. */
const maxIssues = 12;

/** Returns a saved draft under review, and the time that makes its relative dates exact. */
function useReviewedDraft(id: string) {
  const { formDrafts, clock } = useApp();
  const [typedAt] = useState(() => ({ now: clock.now(), timeZone: localZone() }));
  const [draft, setDraft] = useState(() => formDrafts.find(id));
  const choose = useCallback(
    (option: string, on: boolean) => {
      const saved = formDrafts.find(id);
      if (saved === null) return;
      setDraft(formDrafts.save({ ...saved, query: { ...saved.query, [option]: on } }).draft);
    },
    [formDrafts, id],
  );
  return { draft, typedAt, choose };
}

/**
 * Shows the reason why there is nothing to review. `planned` is null if the draft no longer exists.
 */
function NotReviewable(props: { readonly planned: Planned | MarkedPlan | null }) {
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
