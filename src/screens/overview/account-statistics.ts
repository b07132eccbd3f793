import { useMemo } from "react";
import type { AccountStatistics } from "../../accounts/statistics.ts";
import type { AccountListFeed } from "../../hooks/account-list.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { shownOffsetMs } from "../../text/shown-zone.ts";

/** While rows arrive, the statistics are read again whenever the list has grown by so much. */
const growth = 1.2;

/**
 * What a list says as a whole, its chart in so many buckets, so many of its newest accounts. Reading it passes over all rows, so
 * while they arrive it is not read for every few of them: that would cost more with each one.
 */
export function useStatistics(
  feed: AccountListFeed,
  sizes: { readonly buckets: number; readonly newest: number },
): AccountStatistics {
  const { buckets, newest } = sizes;
  const { store, snapshot } = feed;
  const { clock } = useConsole();
  const minute = useNow(60_000);
  const zone = useShownZone();
  const { version, total, load } = snapshot;
  const arriving = load.kind === "loading" && !load.reload;
  const turn = arriving ? `size ${sizeOf(total)}` : `version ${version}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turn tells when rows have changed
  return useMemo(() => {
    const now = clock.now();
    return store.statistics({ buckets, newest, now, zoneOffsetMs: shownOffsetMs(now) });
  }, [store, turn, buckets, newest, clock, minute, zone]);
}

/** Grows by one with each growth of the list. */
function sizeOf(total: number): number {
  return total === 0 ? -1 : Math.floor(Math.log(total) / Math.log(growth));
}
