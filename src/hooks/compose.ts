import { useCallback } from "react";
import type { ListState } from "../api/service.ts";
import { bodyShape, type FormKind } from "../forms/fields.ts";
import { foldKey } from "../forms/folds.ts";
import { emptyForm } from "../forms/form-values.ts";
import { forms } from "../forms/forms.ts";
import { firstFolds } from "../session/first-folds.ts";
import { givenOf } from "../session/saved-draft.ts";
import type { SavedDraft } from "../settings/saved-drafts.ts";
import { newDraftId } from "../settings/saved-drafts.ts";
import { formatInstant } from "../text/dates.ts";
import { useConsole } from "./console.tsx";
import { useKeyWords } from "./keys.tsx";
import { useNavigation } from "./navigation.tsx";
import { useNotices } from "./notices.tsx";
import { useSession } from "./session.tsx";

/** What a payload is composed for; the account is null for a supply point, and for several accounts. */
export interface ComposeFor {
  readonly kind: FormKind;
  readonly supplier: string;
  readonly account: string | null;
}

/** Opens the form of a payload, with the draft there is for it. */
export function useCompose(): (wanted: ComposeFor) => void {
  const navigation = useNavigation();
  const draftFor = useDraftFor();
  return useCallback(
    (wanted) => {
      const draft = draftFor(wanted);
      if (draft !== null) navigation.push({ kind: "compose", draft });
    },
    [navigation, draftFor],
  );
}

/** Opens a form for the accounts that are marked in a list, with the draft there is for it. */
export function useComposeMarked(): (
  kind: FormKind,
  marked: { readonly supplier: string; readonly list: ListState },
) => void {
  const navigation = useNavigation();
  const draftFor = useDraftFor();
  return useCallback(
    (kind, { supplier, list }) => {
      const draft = draftFor({ kind, supplier, account: null });
      if (draft !== null) navigation.push({ kind: "compose-marked", draft, supplier, list });
    },
    [navigation, draftFor],
  );
}

/**
 * The draft of a payload, by its id. The newest one for the same profile, kind, supplier and account
 * is taken up again, and that is said; without one an empty draft is made. Null when it cannot be.
 */
function useDraftFor(): (wanted: ComposeFor) => string | null {
  const { formDrafts, clock } = useConsole();
  const { profile } = useSession();
  const notices = useNotices();
  const key = useKeyWords();
  return useCallback(
    (wanted) => {
      const { kind, supplier, account } = wanted;
      const kept = formDrafts
        .list(profile.name)
        .find(
          (draft) =>
            draft.kind === kind && draft.supplier === supplier && draft.account === account,
        );
      if (kept) {
        const since = timeOf(kept.updatedAt, clock.now());
        notices.show(`Draft of ${since} restored; ${key("discard")} discards it.`, "busy");
        return kept.id;
      }
      const form = forms[kind];
      const draft: SavedDraft = {
        id: newDraftId(),
        kind,
        profile: profile.name,
        supplier,
        account,
        value: {
          ...emptyForm(form, givenOf(form, wanted)),
          folded: firstFolds(bodyShape(form).fields, []).map(foldKey),
        },
        query: {},
        updatedAt: clock.now(),
        refusals: [],
      };
      try {
        formDrafts.save(draft);
      } catch (error) {
        notices.show(error instanceof Error ? error.message : String(error), "bad");
        return null;
      }
      return draft.id;
    },
    [formDrafts, clock, profile.name, notices, key],
  );
}

/** The time of day, with the day where it was another one. */
function timeOf(ms: number, now: number): string {
  const text = formatInstant(ms, { seconds: false });
  const today = formatInstant(now, { seconds: false }).slice(0, 10);
  return text.startsWith(today) ? text.slice(11) : text;
}
