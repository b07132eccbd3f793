import { useMemo, useState } from "react";
import type { ListState } from "../../api/service.ts";
import { useSession } from "../../hooks/session.tsx";
import { markedPlanOf } from "./marked-plan.ts";
import { MarkedReview } from "./marked-review.tsx";
import { NotReviewable, useReviewedDraft } from "./reviewed-draft.tsx";

/** What will be sent to every marked account of a list: the first, the last, and how many. */
export function ReviewMarkedScreen(props: {
  readonly draft: string;
  readonly supplier: string;
  readonly list: ListState;
}) {
  const { supplier, list } = props;
  const session = useSession();
  const { draft, typedAt, choose } = useReviewedDraft(props.draft);
  // What is marked or loaded from here on is not what was reviewed.
  const [marked] = useState(() => session.list(supplier, list).markedNow());
  const plan = useMemo(
    () => (draft === null ? null : markedPlanOf(draft, typedAt)),
    [draft, typedAt],
  );
  if (draft === null || plan?.kind !== "plan") return <NotReviewable planned={plan} />;
  return <MarkedReview draft={draft} plan={plan} marked={marked} choose={choose} />;
}
