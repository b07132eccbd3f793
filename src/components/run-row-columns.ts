import type { RunRow } from "../bulk/run-record.ts";
import { count } from "../text/numbers.ts";
import { outcomeWords } from "../writes/words/outcomes.ts";
import type { Column } from "./data-table.tsx";

/** Widths in cells from which the status or code, and the detail, have room. */
const medium = 72;
const wide = 110;

/**
 * The columns of a run's rows that fit: the detail gives way first. `first` is the title of the
 * number before each: its line, or its entry.
 */
export function rowColumns(
  width: number,
  ascii: boolean,
  first: "Line" | "Entry" = "Line",
): readonly Column<RunRow>[] {
  const line: Column<RunRow> = {
    id: "line",
    title: first,
    width: 9,
    align: "right",
    text: (row) => count(row.line),
  };
  const outcome: Column<RunRow> = {
    id: "outcome",
    title: "Outcome",
    width: 11,
    text: (row) => {
      const words = outcomeWords[row.outcome];
      return `${ascii ? words.asciiMark : words.mark} ${words.label}`;
    },
    tone: (row) => outcomeWords[row.outcome].tone,
  };
  const http: Column<RunRow> = {
    id: "http",
    title: "HTTP",
    width: 4,
    align: "right",
    text: (row) => (row.httpStatus === null ? "–" : String(row.httpStatus)),
  };
  const word: Column<RunRow> = {
    id: "status",
    title: "Status or code",
    width: 22,
    text: (row) => row.code ?? row.status ?? "",
  };
  const fixed = [line, outcome, http, ...(width >= medium ? [word] : [])];
  const used = fixed.reduce((sum, column) => sum + column.width + 2, 4);
  const rest = Math.max(8, width - used);
  const target: Column<RunRow> = {
    id: "target",
    title: "Account or identifier",
    shortTitle: "For",
    width: width >= wide ? 24 : Math.min(40, rest),
    text: targetOf,
  };
  const detail: readonly Column<RunRow>[] =
    width >= wide
      ? [
          {
            id: "detail",
            title: "Detail",
            width: Math.max(8, rest - target.width - 2),
            text: (row) => row.detail ?? "",
          },
        ]
      : [];
  return [line, target, outcome, http, ...(width >= medium ? [word] : []), ...detail];
}

/** The account's number or the supply point's identifier. */
export function targetOf(row: RunRow): string {
  return row.externalAccountNumber ?? row.externalIdentifier ?? "";
}
