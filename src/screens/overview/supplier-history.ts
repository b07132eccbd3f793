import { useEffect, useState } from "react";
import { useSession } from "../../hooks/session.tsx";
import { useActive } from "../../hooks/window.tsx";
import type { SupplierHistory } from "../../triage/figures/supplier-figures.ts";

/**
 * What the stored observations know of a supplier, read again whenever `version` changes; null where
 * it was never observed. Accounts that left the list are asked for one by one (INTERFACE 4.8) before
 * they count as gone.
 */
export function useSupplierHistory(supplier: string, version: unknown): SupplierHistory | null {
  const { histories } = useSession();
  const active = useActive();
  const [found, setFound] = useState<{
    readonly supplier: string;
    readonly history: SupplierHistory | null;
  } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read again
  useEffect(() => {
    if (!active) return;
    const stop = new AbortController();
    const put = (history: SupplierHistory | null) => {
      if (!stop.signal.aborted) setFound({ supplier, history });
    };
    const read = async () => {
      put(await histories.read(supplier));
      put(await histories.count(supplier, stop.signal));
    };
    // A file that cannot be read is reported where the list is recorded.
    read().catch(() => {});
    return () => stop.abort();
  }, [histories, supplier, active, version]);
  return found?.supplier === supplier ? found.history : null;
}
