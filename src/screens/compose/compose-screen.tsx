import { useMemo } from "react";
import { forms, isFormKind } from "../../forms/forms.ts";
import { compose } from "../../hooks/composition.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useSession } from "../../hooks/session.tsx";
import { ComposeForm } from "./compose-form.tsx";
import { Gone } from "./gone.tsx";
import { localZone } from "./zone.ts";

/** A payload being composed (INTERFACE 4.1–4.6), by the id of its draft. */
export function ComposeScreen(props: { readonly draft: string }) {
  const { formDrafts, clock } = useConsole();
  const { profile } = useSession();
  const opened = useMemo(() => {
    const draft = formDrafts.find(props.draft);
    if (draft === null || !isFormKind(draft.kind) || draft.profile !== profile.name) return null;
    const form = forms[draft.kind];
    return {
      form,
      draft,
      composition: compose(form, draft, { drafts: formDrafts, clock, timeZone: localZone() }),
    };
  }, [formDrafts, clock, props.draft, profile.name]);
  if (opened === null) return <Gone />;
  return <ComposeForm {...opened} />;
}
