import { useApp } from "../hooks/app.tsx";
import type { CauseList } from "../hooks/causes.ts";
import { useRoom } from "../hooks/window.tsx";
import { count, plural } from "../text/numbers.ts";
import type { Cause } from "../writes/causes.ts";
import { operationNoun } from "../writes/words/outcomes.ts";
import { type Column, column } from "./column.ts";
import { DataTable } from "./data-table.tsx";
import { JournalProblem } from "./journal-problem.tsx";
import { Paragraph } from "./paragraph.tsx";
import { RowFoot } from "./row-foot.tsx";

/** The codes that make a cause, for people; empty where its words make it. */
export function causeCodes({ code, errorCodes }: Cause): string {
  return errorCodes.length > 0 ? errorCodes.join(", ") : (code ?? "");
}

/** From this width on, there is room for the operation. */
const medium = 72;

/** One line each: how many, what they answered, and the words of the first. */
function causeColumns(width: number): readonly Column<Cause>[] {
  const fixed: readonly Column<Cause>[] = [
    column("count", "Rows", 7, (one) => count(one.count), { align: "right" }),
    ...(width < medium
      ? []
      : [column("operation", "Operation", 12, ({ operation }: Cause) => operationNoun(operation))]),
    column(
      "http",
      "HTTP",
      4,
      ({ httpStatus }) => (httpStatus === null ? "–" : String(httpStatus)),
      { align: "right" },
    ),
    column("code", "Code", width < medium ? 16 : 20, causeCodes),
  ];
  const used = fixed.reduce((sum, column) => sum + column.width + 2, 4);
  return [
    ...fixed,
    column(
      "message",
      "Message of the first",
      Math.max(8, width - used),
      ({ message }) => message ?? "",
    ),
  ];
}

/** The causes of failures; `doing` is what reading them was part of. */
export function CauseTable(props: { readonly list: CauseList; readonly doing: string }) {
  const { view, causes, position, top, page } = props.list;
  const { columns } = useRoom();
  if (view.kind === "failed") return <JournalProblem error={view.error} doing={props.doing} />;
  if (causes.length === 0)
    return (
      <Paragraph tone="muted">
        {view.kind === "opening" ? "Grouping the failures…" : "Nothing failed: there is no cause."}
      </Paragraph>
    );
  return (
    <DataTable
      columns={causeColumns(columns)}
      rows={causes.slice(top, top + page).map((row) => ({ id: row.key, row }))}
      cursor={causes[position]?.key ?? null}
      first={top}
    />
  );
}

/** Below the causes: the words of the one under the cursor, and the key that makes a file of it. */
export function CauseFoot(props: { readonly list: CauseList }) {
  const { causes, position } = props.list;
  const { key } = useApp();
  const current = causes[position];
  if (current === undefined) return null;
  return (
    <RowFoot
      detail={current.message}
      position={`${count(position + 1)} of ${plural(causes.length, "cause")}`}
      hint={`${key("export")} writes its ${plural(current.count, "row")} as an input file`}
    />
  );
}
