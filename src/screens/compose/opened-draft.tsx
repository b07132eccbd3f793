import { useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { Text } from "../../components/text.tsx";
import type { Form } from "../../forms/fields.ts";
import { forms, isFormKind } from "../../forms/forms.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useSession } from "../../hooks/session.tsx";
import { type Composition, compose } from "../../session/composition.ts";
import type { SavedDraft } from "../../settings/saved-drafts.ts";
import { localZone } from "../../text/dates.ts";

export interface OpenedDraft {
  readonly form: Form;
  readonly draft: SavedDraft;
  readonly composition: Composition;
}

/** Opens a draft of this profile by its id; null when it does not exist. */
export function useOpenedDraft(id: string): OpenedDraft | null {
  const { formDrafts, clock } = useConsole();
  const { profile } = useSession();
  return useMemo(() => {
    const draft = formDrafts.find(id);
    if (draft === null || !isFormKind(draft.kind) || draft.profile !== profile.name) return null;
    const form = forms[draft.kind];
    return {
      form,
      draft,
      composition: compose(form, draft, { drafts: formDrafts, clock, timeZone: localZone() }),
    };
  }, [formDrafts, clock, id, profile.name]);
}

/** In place of a form whose draft no longer exists. */
export function DraftRemoved() {
  return (
    <Body>
      <Text tone="muted">This draft no longer exists: it was sent or discarded.</Text>
    </Body>
  );
}
