/** The screens that compose a payload for one account or for all marked accounts. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Form } from "../../forms/fields.ts";
import { forms, isFormKind } from "../../forms/forms.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { type Composition, compose } from "../../session/composition.ts";
import type { AccountTab } from "../../session/places.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { localZone } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import { ComposeForm, MissingDraftNotice, type MultiAccountContext } from "./compose-form.tsx";

interface OpenedDraft {
  readonly form: Form;
  readonly draft: SavedDraft;
  readonly composition: Composition;
}

/** Opens a draft of this profile by its ID, or returns null if it does not exist. */
function useOpenedDraft(id: string): OpenedDraft | null {
  const { formDrafts, clock } = useApp();
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

/** Opens a saved draft by its ID in its form (INTERFACE 4.1–4.6). */
export function ComposeScreen(props: { readonly draft: string }) {
  const opened = useOpenedDraft(props.draft);
  if (opened === null) return <MissingDraftNotice />;
  return <ComposeForm {...opened} />;
}

/**
 * Opens a note or transactions for every marked account of a list in their form (INTERFACE 4.1,
 * 4.2).
 */
export function ComposeMarkedScreen(props: {
  readonly draft: string;
  readonly supplier: string;
  readonly list: AccountTab;
}) {
  const { draft, supplier, list } = props;
  const opened = useOpenedDraft(draft);
  const store = useSession().list(supplier, list);
  const { marks } = useSyncExternalStore(
    useCallback((listener) => store.subscribe(listener), [store]),
    () => store.getSnapshot(),
  );
  const several = useMemo((): MultiAccountContext => {
    const [account] = store.markedExternals(1);
    return {
      whom: `${plural(marks, "marked account")} of ${supplier}`,
      example:
        account === undefined
          ? null
          : { import_supplier: supplier, external_account_number: account },
      review: { kind: "review-marked", draft, supplier, list },
    };
  }, [store, marks, draft, supplier, list]);
  if (opened === null) return <MissingDraftNotice />;
  return <ComposeForm {...opened} several={several} />;
}
