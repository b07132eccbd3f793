import { useCallback } from "react";
import type { Draft as Typed } from "../../forms/draft.ts";
import type { Form } from "../../forms/fields.ts";
import type { TypedAt } from "../../forms/loose-dates.ts";
import { keptOf } from "../../hooks/kept-draft.ts";
import { useNotices } from "../../hooks/notices.tsx";
import { useWriteAsCommand } from "../../hooks/write-as-command.ts";
import { planOf } from "../../hooks/write-plan.ts";
import type { Draft } from "../../settings/draft.ts";

/** Shows what is being filled in as a command and as curl, once it could be sent. */
export function useFormAsCommand(
  form: Form,
  draft: Draft,
): (typed: Typed, typedAt: TypedAt) => void {
  const notices = useNotices();
  const show = useWriteAsCommand();
  return useCallback(
    (typed, typedAt) => {
      const planned = planOf({ ...draft, ...keptOf(form, typed) }, typedAt);
      if (planned.kind === "plan") show(planned.plan, false);
      else notices.show("It is no command before it is complete: Review says what is missing.");
    },
    [form, draft, notices, show],
  );
}
