/** The right column of the board on a wide and high terminal. */
import { Box } from "ink";
import { Fragment, useCallback, useEffect, useMemo, useState } from "react";
import { listRuns } from "../../bulk/runs.ts";
import { Line } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useJournalRead } from "../../hooks/journal.ts";
import { useServiceNow } from "../../hooks/now.ts";
import { useWatched } from "../../hooks/watching.ts";
import { useActive, useRoom } from "../../hooks/window.tsx";
import { runUntilCleanup } from "../../session/run-until-cleanup.ts";
import { listActivity } from "../../writes/activity.ts";
import type { Writes } from "../../writes/open-writes.ts";
import type { BoardLine } from "./board-feed.ts";
import {
  areKnown,
  isMarked,
  type Look,
  markCells,
  markedMs,
  maxWallRows,
  nextLook,
  rowKey,
  type WallList,
  wallLists,
} from "./wall-lists.ts";

/**
 * Shows the quiet lists of all suppliers in the room of the column: each with the key of its
 * screen, and only if it has rows. What changed since the last look is marked for ten seconds.
 */
export function Wall({ lines }: { readonly lines: readonly BoardLine[] }) {
  const { key } = useApp();
  const room = useRoom();
  const { lists, isRead } = useWallLists(lines, room.columns);
  const marked = useMarkedRows(lists, isRead && areKnown(lines));
  return inRoom(lists, room.rows).map((list, index) => (
    <Fragment key={list.title}>
      <Box marginTop={index === 0 ? 0 : 1} flexShrink={0}>
        <Line
          pieces={[
            { text: list.title, tone: "title" },
            ...(list.action === null
              ? []
              : [{ text: ` ${key(list.action)}`, tone: "accent" as const }]),
          ]}
        />
      </Box>
      {list.rows.map((row) => (
        <Line
          key={row.id}
          pieces={[
            { text: marked(rowKey(list, row)) ? "• " : " ".repeat(markCells), bold: true },
            ...row.pieces,
          ]}
        />
      ))}
    </Fragment>
  ));
}

function useWallLists(
  lines: readonly BoardLine[],
  width: number,
): { readonly lists: readonly WallList[]; readonly isRead: boolean } {
  const { baseUrl } = useSession();
  const now = useServiceNow(60_000);
  const { entries: watched } = useWatched();
  const { view } = useJournalRead(
    useCallback(
      ({ context }: Writes) => {
        const last = { baseUrl, limit: maxWallRows };
        return {
          unknown: listActivity(context.journal, { ...last, outcomes: ["unknown"] }),
          entries: listActivity(context.journal, last),
          runs: listRuns(context, { baseUrl }).slice(0, maxWallRows),
        };
      },
      [baseUrl],
    ),
  );
  const lists = useMemo(() => {
    const { unknown, entries, runs } = view.kind === "read" ? view.value : nothingSent;
    return wallLists({ lines, watched, unknown, entries, runs, now }, width);
  }, [lines, watched, view, now, width]);
  return { lists, isRead: view.kind !== "opening" };
}

const nothingSent = { unknown: [], entries: [], runs: [] };

function inRoom(lists: readonly WallList[], rows: number): readonly WallList[] {
  let left = rows;
  return lists.flatMap((list, index) => {
    left -= index === 0 ? 1 : 2;
    const shown = list.rows.slice(0, Math.max(0, left));
    left -= shown.length;
    return shown.length === 0 ? [] : [{ ...list, rows: shown }];
  });
}

function useMarkedRows(lists: readonly WallList[], isWhole: boolean): (key: string) => boolean {
  const { clock } = useApp();
  const active = useActive();
  const [{ seen, now }, setLook] = useState<Look & { readonly now: number }>({
    seen: null,
    isWhole: false,
    now: 0,
  });
  useEffect(() => {
    const at = clock.elapsed();
    setLook((last) => ({ ...nextLook(last, lists, { now: at, isWhole }), now: at }));
    if (!active) return;
    return runUntilCleanup(async (signal) => {
      await clock.sleep(markedMs, signal);
      setLook((last) => ({ ...last, now: clock.elapsed() }));
    });
  }, [lists, isWhole, clock, active]);
  return (key) => {
    const row = seen?.get(key);
    return row !== undefined && isMarked(row, now);
  };
}
