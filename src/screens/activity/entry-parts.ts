import { type FootPart, footPart } from "../../components/list-screen/list-foot.tsx";
import { useSession } from "../../hooks/app.tsx";
import type { ActivityList } from "../../hooks/journal.ts";
import { useJournalOpen } from "../../hooks/open-work.ts";
import { count } from "../../text/numbers.ts";
import { openOf, openParts } from "../../triage/open/open.ts";

/** Returns how many entries there are, and are unknown and open, as parts of the last line. */
export function useEntryParts(
  list: ActivityList | null,
  of: { readonly supplier: string | null; readonly account: string | null; readonly lines: number },
): readonly FootPart[] {
  const open = useOpenEntries(of.supplier, of.account);
  if (list === null) return [];
  const { total, unknown, rows } = list;
  return [
    footPart(2, of.lines === total ? "" : `${count(total)} in all`, "muted"),
    footPart(
      1,
      unknown === 0 ? "none unknown" : `${count(unknown)} unknown`,
      unknown === 0 ? "muted" : "waiting",
    ),
    footPart(1, open === "" ? "" : `${open} open`, "waiting"),
    footPart(3, rows.length < total ? `the newest ${count(rows.length)} are listed` : "", "muted"),
  ];
}

/** The open entries and rows of a supplier, or of all, besides the unknown ones; of an account none. */
function useOpenEntries(supplier: string | null, account: string | null): string {
  const journal = useJournalOpen(useSession());
  if (account !== null || journal.kind !== "known") return "";
  const suppliers = supplier === null ? null : [supplier];
  return openParts(openOf({ work: journal.work, watched: [], lists: [], suppliers }))
    .filter(({ kind }) => kind !== "unknown" && kind !== "runs")
    .map(({ short }) => short)
    .join(", ");
}
