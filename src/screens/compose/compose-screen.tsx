import { useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { Text } from "../../components/text.tsx";
import { forms, isFormKind } from "../../forms/forms.ts";
import { compose } from "../../hooks/composition.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useSession } from "../../hooks/session.tsx";
import { ComposeForm } from "./compose-form.tsx";

/** A payload being composed (INTERFACE 4.1–4.6), by the id of its draft. */
export function ComposeScreen(props: { readonly draft: string }) {
  const { formDrafts, clock } = useConsole();
  const { profile } = useSession();
  const opened = useMemo(() => {
    const draft = formDrafts.find(props.draft);
    if (draft === null || !isFormKind(draft.kind) || draft.profile !== profile.name) return null;
    const form = forms[draft.kind];
    return { form, draft, composition: compose(form, draft, { drafts: formDrafts, clock }) };
  }, [formDrafts, clock, props.draft, profile.name]);
  if (opened === null) return <Gone />;
  return <ComposeForm {...opened} />;
}

/** What stands where a draft was. */
export function Gone() {
  return (
    <Body>
      <Text tone="muted">This draft is not there any more: it was sent, or discarded.</Text>
    </Body>
  );
}
