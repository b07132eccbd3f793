import { useEffect, useState } from "react";
import { useSession } from "../../hooks/session.tsx";
import { useActive } from "../../hooks/window.tsx";
import type { ObservedAge } from "../../session/observed-lists.ts";

/**
 * Since when an account is pending or gone, as observed from this machine; null where nothing is
 * known. Read when the screen opens, and again when `version` changes.
 */
export function useObservedAge(
  supplier: string,
  account: string,
  version: unknown,
): ObservedAge | null {
  const { ageOf } = useSession();
  const active = useActive();
  const [age, setAge] = useState<ObservedAge | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read again
  useEffect(() => {
    if (!active) return;
    let isOpen = true;
    ageOf(supplier, account).then(
      (found) => {
        if (isOpen) setAge(found);
      },
      // A file that cannot be read is reported where lists are recorded.
      () => {},
    );
    return () => {
      isOpen = false;
    };
  }, [ageOf, supplier, account, active, version]);
  return age;
}
