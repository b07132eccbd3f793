import { useCallback, useMemo, useState } from "react";
import type { ListState } from "../../api/service.ts";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { atPlace } from "../../forms/paths.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useSession } from "../../hooks/session.tsx";
import { localZone } from "../../text/dates.ts";
import { markedPlanOf } from "./marked-plan.ts";
import { MarkedReview } from "./marked-review.tsx";

/** What will be sent to every marked account of a list: the first, the last, and how many. */
export function ReviewMarkedScreen(props: {
  readonly draft: string;
  readonly supplier: string;
  readonly list: ListState;
}) {
  const { supplier, list } = props;
  const { formDrafts, clock } = useConsole();
  const session = useSession();
  const [typedAt] = useState(() => ({
    now: clock.now(),
    timeZone: localZone(),
  }));
  const [draft, setDraft] = useState(() => formDrafts.find(props.draft));
  // What is marked or loaded from here on is not what was reviewed.
  const [marked] = useState(() => session.list(supplier, list).markedNow());
  const plan = useMemo(
    () => (draft === null ? null : markedPlanOf(draft, typedAt)),
    [draft, typedAt],
  );
  const choose = useCallback(
    (name: string, on: boolean) => {
      const kept = formDrafts.find(props.draft);
      if (kept === null) return;
      formDrafts.save({ ...kept, query: { ...kept.query, [name]: on } });
      setDraft(formDrafts.find(props.draft));
    },
    [formDrafts, props.draft],
  );
  if (draft !== null && plan?.kind === "plan") {
    return <MarkedReview draft={draft} plan={plan} marked={marked} choose={choose} />;
  }
  return (
    <Body>
      <Paragraph tone="bad" bold>
        {plan?.kind === "invalid"
          ? "The form is not complete: nothing can be sent yet."
          : "This draft is not there any more, or cannot be read."}
      </Paragraph>
      {plan?.kind === "invalid"
        ? plan.issues
            .slice(0, 12)
            .map((issue) => (
              <Paragraph key={`${issue.path.join(".")} ${issue.message}`}>
                {atPlace(plan.form, issue)}
              </Paragraph>
            ))
        : null}
      <Paragraph tone="muted">Esc goes back.</Paragraph>
    </Body>
  );
}
