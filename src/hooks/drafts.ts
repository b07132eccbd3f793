import { useEffect, useState } from "react";
import { useApp, useSession } from "./app.tsx";
import { useStore } from "./context.ts";
import { useActive } from "./window.tsx";

const noKinds: ReadonlySet<string> = new Set();

/**
 * Returns the kinds of form with a saved draft for an account, or for the supplier if the account
 * is null. Reads them whenever the screen becomes the top screen, and when an entry is sent.
 */
export function useDraftKinds(supplier: string, account: string | null): ReadonlySet<string> {
  const { formDrafts } = useApp();
  const { profile, tasks } = useSession();
  const active = useActive();
  const entries = useStore(tasks.entries.all);
  const [kinds, setKinds] = useState(noKinds);
  // This effect runs after the form in front of this screen has saved or removed its draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an entry that ends can remove a draft
  useEffect(() => {
    if (!active) return;
    const drafts = formDrafts
      .list(profile)
      .filter((draft) => draft.supplier === supplier && draft.account === account);
    setKinds(drafts.length === 0 ? noKinds : new Set(drafts.map(({ kind }) => kind)));
  }, [formDrafts, profile, supplier, account, active, entries]);
  return kinds;
}
