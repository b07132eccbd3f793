import { useEffect, useState } from "react";
import { useSession } from "../../hooks/session.tsx";
import { useActive } from "../../hooks/window.tsx";
import type { ObservedAge } from "../../session/observed-lists.ts";
import { formatAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";

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

/** Fewer imports say nothing about the next one. */
const fewest = 3;

/**
 * How long other imports of a supplier took, as a sentence; empty while too few of them were seen to
 * begin and to end.
 */
export function useUsualImport(supplier: string): string {
  const { importTimes } = useSession();
  const active = useActive();
  const [times, setTimes] = useState<readonly number[]>([]);
  useEffect(() => {
    if (!active) return;
    let isOver = false;
    void importTimes(supplier).then((found) => {
      if (!isOver) setTimes(found);
    });
    return () => {
      isOver = true;
    };
  }, [importTimes, supplier, active]);
  if (times.length < fewest) return "";
  const median = times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0;
  return `Others of ${supplier} took ${formatAge(median)} (median of ${count(times.length)} seen).`;
}
