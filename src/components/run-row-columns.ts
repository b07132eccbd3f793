import type { RunRow } from "../bulk/run-record.ts";
import { count } from "../text/numbers.ts";
import { outcomeWords } from "../writes/words/outcomes.ts";
import { type Column, column } from "./column.ts";

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
  const line: Column<RunRow> = column("line", first, 9, (row) => count(row.line), {
    align: "right",
  });
  const outcome: Column<RunRow> = column(
    "outcome",
    "Outcome",
    11,
    (row) => {
      const words = outcomeWords[row.outcome];
      return `${ascii ? words.asciiMark : words.mark} ${words.label}`;
    },
    { tone: (row) => outcomeWords[row.outcome].tone },
  );
  const http: Column<RunRow> = column(
    "http",
    "HTTP",
    4,
    (row) => (row.httpStatus === null ? "–" : String(row.httpStatus)),
    { align: "right" },
  );
  const word: Column<RunRow> = column(
    "status",
    "Status or code",
    22,
    (row) => row.code ?? row.status ?? "",
  );
  const fixed = [line, outcome, http, ...(width >= medium ? [word] : [])];
  const used = fixed.reduce((sum, column) => sum + column.width + 2, 4);
  const rest = Math.max(8, width - used);
  const target: Column<RunRow> = column(
    "target",
    "Account or identifier",
    width >= wide ? 24 : Math.min(40, rest),
    targetOf,
    { shortTitle: "For" },
  );
  const detail: readonly Column<RunRow>[] =
    width >= wide
      ? [
          column(
            "detail",
            "Detail",
            Math.max(8, rest - target.width - 2),
            (row) => row.detail ?? "",
          ),
        ]
      : [];
  return [line, target, outcome, http, ...(width >= medium ? [word] : []), ...detail];
}

/** The account's number or the supply point's identifier. */
export function targetOf(row: RunRow): string {
  return row.externalAccountNumber ?? row.externalIdentifier ?? "";
}
