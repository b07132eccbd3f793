import { Line } from "../../components/text.tsx";
import { useSession } from "../../hooks/app.tsx";
import type { ActivityList } from "../../hooks/journal.ts";
import { useJournalOpen } from "../../hooks/open-work.ts";
import { count } from "../../text/numbers.ts";
import { openOf, openParts } from "../../triage/open/open.ts";

/** Shows the position of the cursor, and how many entries there are, are unknown, open and marked. */
export function PositionLine(props: {
  readonly list: ActivityList;
  readonly position: number;
  readonly lines: number;
  readonly supplier: string | null;
  readonly account: string | null;
  readonly marked: number;
  /** The problem of the filter. */
  readonly problem: string | null;
}) {
  const { list, position, lines, marked, problem } = props;
  const open = useOpenEntries(props.supplier, props.account);
  return (
    <Line
      pieces={[
        { text: `${count(position)} of ${count(lines)}` },
        { text: lines === list.total ? "" : `, ${count(list.total)} in all`, tone: "muted" },
        {
          text: list.unknown === 0 ? "  none unknown" : `  ${count(list.unknown)} unknown`,
          tone: list.unknown === 0 ? "muted" : "waiting",
        },
        { text: open === "" ? "" : `, ${open} open`, tone: "waiting" },
        { text: marked === 0 ? "" : `  ${count(marked)} marked`, tone: "changed" },
        {
          text:
            list.rows.length < list.total
              ? `  the newest ${count(list.rows.length)} are listed`
              : "",
          tone: "muted",
        },
        { text: problem ? `  ${problem}` : "", tone: "bad" },
      ]}
    />
  );
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
