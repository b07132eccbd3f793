import type { Column } from "../../components/data-table.tsx";
import { formatInstant } from "../../text/dates.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { operationNoun, outcomeWords, targetNumber } from "../../writes/words/outcomes.ts";

/** From so many cells on there is room for attempts and status, and for everything in full. */
const medium = 76;
const wide = 110;

/** The columns that fit: attempts and status give way first, then the supplier and the year. */
export function activityColumns(width: number, ascii: boolean): readonly Column<ActivityRow>[] {
  const when = width >= wide ? 19 : 11;
  const fixed: readonly Column<ActivityRow>[] = [
    {
      id: "when",
      title: "When",
      width: when,
      text: ({ created_at }) => whenText(created_at, when),
    },
    {
      id: "operation",
      title: "Operation",
      width: width >= wide ? 27 : 12,
      text: ({ operation }) => (width >= wide ? operation : operationNoun(operation)),
    },
    {
      id: "outcome",
      title: "Outcome",
      width: 11,
      text: ({ outcome }) => {
        const words = outcomeWords[outcome];
        return `${ascii ? words.asciiMark : words.mark} ${words.label}`;
      },
      tone: ({ outcome }) => outcomeWords[outcome].tone,
    },
  ];
  const more: readonly Column<ActivityRow>[] =
    width < medium
      ? []
      : [
          {
            id: "attempts",
            title: "Tries",
            width: 5,
            align: "right",
            text: ({ attempts }) => String(attempts),
          },
          {
            id: "status",
            title: "Status",
            width: width >= wide ? 24 : 6,
            text: (row) => statusText(row, width >= wide),
          },
        ];
  const last: readonly Column<ActivityRow>[] =
    width < wide
      ? []
      : [{ id: "profile", title: "Profile", width: 14, text: ({ profile }) => profile }];
  const used = [...fixed, ...more, ...last].reduce((sum, column) => sum + column.width + 2, 4);
  const room = Math.max(8, Math.min(60, width - used));
  const target: Column<ActivityRow> = {
    id: "ext",
    title: "Account or identifier",
    width: room,
    text: (row) => {
      const whole = `${row.import_supplier}/${targetNumber(row)}`;
      return whole.length <= room ? whole : targetNumber(row);
    },
  };
  const [first, second, third] = fixed;
  return [first, second, target, third, ...more, ...last].filter((column) => column !== undefined);
}

function whenText(createdAt: string, width: number): string {
  const whole = formatInstant(Date.parse(createdAt));
  return width >= whole.length ? whole : whole.slice(5, 16);
}

/** The status of the last answer, with the service's own code where there is room. */
function statusText(row: ActivityRow, withCode: boolean): string {
  const status = row.http_status === null ? "–" : String(row.http_status);
  return withCode && row.code ? `${status} ${row.code}` : status;
}
