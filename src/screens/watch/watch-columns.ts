/** The columns of the watch list. */
import { type Column, column } from "../../components/list-screen/column.ts";
import { subjectName } from "../../session/watch-subjects.ts";
import { utcInstant } from "../../text/dates.ts";
import { stateStart } from "../../watch/transitions.ts";
import { changedAt, type WatchRow } from "./watch-row.ts";

/**
 * Returns the columns of the watch list. The subject, its status and its age are never left out.
 * Other columns are left out if there is too little room or no row has a value.
 */
export function watchColumns(rows: readonly WatchRow[]): readonly Column<WatchRow>[] {
  const used = (id: "next" | "failed" | "why", width: number) =>
    rows.some((row) => row[id] !== "") ? width : 0;
  return [
    column("kind", "Kind", 0, ({ watched }) => kindText(watched.kind), {
      also: ({ watched }) => [watched.kind],
    }),
    column("supplier", "Supplier", 0, ({ watched, folded }) => (folded ? "" : watched.supplier), {
      field: "import_supplier",
    }),
    column("ext", "Watched", 16, targetText, {
      most: 40,
      field: "number",
      value: ({ watched }) => watched.number,
      sort: ({ watched: { supplier, number, kind } }) => `${supplier}/${number} ${kind}`,
    }),
    column("status", "Status", 19, ({ status }) => `${status.mark} ${status.label}`, {
      tone: ({ status }) => status.tone,
      value: ({ watched }) => watched.timeline.at(-1)?.state ?? null,
      sort: ({ status }) => status.label,
      also: ({ watched }) => [watched.finality === "open" ? "open" : "final"],
    }),
    column("since", "For", 9, (row) => row.held, {
      value: ({ watched }) => {
        const began = stateStart(watched.timeline);
        return began === null ? null : utcInstant(began.at);
      },
      sort: ({ watched }) => changedAt(watched),
    }),
    column("next", "Next check", used("next", 14), (row) => row.next, { gives: 2 }),
    column("checks", "Checks", 7, (row) => row.checks, { gives: 4, align: "right" }),
    column("failed", "Failed", used("failed", 6), (row) => row.failed, {
      gives: 3,
      align: "right",
      tone: () => "bad",
    }),
    column("trouble", "Trouble", 0, (row) => row.trouble),
    column("why", "Details", used("why", 16), (row) => row.why, {
      least: 6,
      most: 80,
      picture: true,
      tone: ({ watched, status }) =>
        watched.trouble === null || status.tone === "bad" ? "plain" : "bad",
    }),
    column("svc", "Service account", 0, ({ watched }) => watched.serviceNumber, {
      field: "service_account_number",
    }),
  ];
}

/** Formats a subject as in the palette, without the supplier if there is no room. */
function targetText({ watched, folded }: WatchRow, width: number): string {
  if (folded) return "";
  if (watched.kind === "cohort") {
    const whole = subjectName(watched);
    return whole.length <= width ? whole : `cohort ${watched.number}`;
  }
  const name = `${watched.supplier}/${watched.number}`;
  const whole = watched.kind === "account" ? name : `sp ${name}`;
  return whole.length <= width ? whole : watched.number;
}

function kindText(kind: WatchRow["watched"]["kind"]): string {
  return kind === "supply-point" ? "supply point" : kind;
}
