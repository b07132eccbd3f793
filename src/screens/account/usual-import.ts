import { useEffect, useState } from "react";
import { useSession } from "../../hooks/session.tsx";
import { useActive } from "../../hooks/window.tsx";
import { formatAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";

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
