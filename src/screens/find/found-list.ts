/** React hooks for the list of a search, and for the keys that search again. */
import { useMemo, useState } from "react";
import type { Column } from "../../components/list-screen/column.ts";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { errorPlace } from "../../components/problem.tsx";
import { useSession } from "../../hooks/app.tsx";
import { useHitVerdicts } from "../../hooks/hit-verdicts.ts";
import { useServiceNow } from "../../hooks/now.ts";
import { type FindRow, fileFields, findColumns, hitsOf, idOf, verdictBlock } from "./find-rows.ts";

type Columns = readonly Column<FindRow>[];

/** Returns whether a search asks the service and how often it was repeated, with the keys' work. */
export function useAsking() {
  const [asking, setAsking] = useState({ isAsking: false, turn: 0 });
  return {
    asking,
    ask: () => setAsking(({ turn }) => ({ isAsking: true, turn: turn + 1 })),
    again: () => setAsking((before) => ({ ...before, turn: before.turn + 1 })),
  };
}

/** Returns the list of found rows. `arranged` chooses and orders its columns: pass the same one. */
export function useFoundList(
  name: string,
  rows: readonly FindRow[],
  arranged: (columns: Columns) => Columns,
) {
  const session = useSession();
  const now = useServiceNow(10_000);
  const hits = useMemo(() => hitsOf(rows), [rows]);
  const verdictOn = useHitVerdicts(session, hits, now);
  const columns = useMemo(() => arranged(findColumns(now, verdictOn)), [arranged, now, verdictOn]);
  const fields = useMemo(() => fileFields(errorPlace(session)), [session]);
  const list = useRowList({ name, rows, idOf, columns });
  const below = verdictBlock(now, verdictOn);
  return { list, verdictOn, below, file: { stem: "find", fields } };
}
