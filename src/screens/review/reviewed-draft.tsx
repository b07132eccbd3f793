import { useCallback, useState } from "react";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { atPlace } from "../../forms/paths.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useKeyWords } from "../../hooks/keys.tsx";
import type { Planned } from "../../session/write-plan.ts";
import { localZone } from "../../text/dates.ts";
import type { MarkedPlan } from "./marked-plan.ts";

/** The issues that are listed of a form that is not complete. */
const mostIssues = 12;

/** A saved draft under review, and the instant as of which its loosely typed dates are made exact. */
export function useReviewedDraft(id: string) {
  const { formDrafts, clock } = useConsole();
  const [typedAt] = useState(() => ({ now: clock.now(), timeZone: localZone() }));
  const [draft, setDraft] = useState(() => formDrafts.find(id));
  const choose = useCallback(
    (option: string, on: boolean) => {
      const saved = formDrafts.find(id);
      if (saved === null) return;
      const next = { ...saved, query: { ...saved.query, [option]: on }, updatedAt: clock.now() };
      formDrafts.save(next);
      setDraft(next);
    },
    [formDrafts, clock, id],
  );
  return { draft, typedAt, choose };
}

/** Why there is nothing to review; null stands for a draft that no longer exists. */
export function NotReviewable(props: { readonly planned: Planned | MarkedPlan | null }) {
  const { planned } = props;
  const key = useKeyWords();
  return (
    <Body>
      <Paragraph tone="bad" bold>
        {planned?.kind === "invalid"
          ? "The form is not complete: nothing can be sent yet."
          : "This draft no longer exists or cannot be read."}
      </Paragraph>
      {planned?.kind === "invalid"
        ? planned.issues
            .slice(0, mostIssues)
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
