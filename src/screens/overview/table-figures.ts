import { useMemo } from "react";
import type { AccountListFeed } from "../../hooks/account-list.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { shownOffsetMs } from "../../text/shown-zone.ts";
import { figuresOf, type TableFigures } from "../../triage/figures/table-figures.ts";

/** While rows arrive, the figures are computed again when the list has grown by this factor. */
const growth = 1.2;

/**
 * The figures of a list, with a chart of `buckets` columns and the `newest` accounts. They pass
 * over all rows, so while rows arrive they are not computed for every few of them.
 */
export function useTableFigures(
  feed: AccountListFeed,
  sizes: { readonly buckets: number; readonly newest: number },
): TableFigures {
  const { buckets, newest } = sizes;
  const { store, snapshot } = feed;
  const { clock } = useConsole();
  const minute = useNow(60_000);
  const zone = useShownZone();
  const { version, total, load } = snapshot;
  const arriving = load.kind === "loading" && !load.reload;
  const refreshKey = arriving ? `size ${sizeOf(total)}` : `version ${version}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the rows
  return useMemo(() => {
    const now = clock.now();
    return figuresOf(store.viewRows().table, {
      ...{ buckets, newest, now },
      zoneOffsetMs: shownOffsetMs(now),
    });
  }, [store, refreshKey, buckets, newest, clock, minute, zone]);
}

/** One more each time the list has grown by `growth`. */
function sizeOf(total: number): number {
  return total === 0 ? -1 : Math.floor(Math.log(total) / Math.log(growth));
}
