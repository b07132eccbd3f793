import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useSession } from "../../hooks/session.tsx";
import type { AccountTab } from "../../session/places.ts";
import { plural } from "../../text/numbers.ts";
import { ComposeForm, type ForSeveral } from "./compose-form.tsx";
import { DraftRemoved, useOpenedDraft } from "./opened-draft.tsx";

/** A payload being composed (INTERFACE 4.1–4.6), by the id of its draft. */
export function ComposeScreen(props: { readonly draft: string }) {
  const opened = useOpenedDraft(props.draft);
  if (opened === null) return <DraftRemoved />;
  return <ComposeForm {...opened} />;
}

/** A note or transactions being composed for every marked account of a list (INTERFACE 4.1, 4.2). */
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
  const several = useMemo((): ForSeveral => {
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
  if (opened === null) return <DraftRemoved />;
  return <ComposeForm {...opened} several={several} />;
}
