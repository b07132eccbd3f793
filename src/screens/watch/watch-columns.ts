import { type Column, column } from "../../components/list-screen/column.ts";
import { utcInstant } from "../../text/dates.ts";
import { beganOf } from "../../watch/transitions.ts";
import { changedAt, type WatchRow } from "./watch-row.ts";

/** What is watched, its status and since when are always there; the others give way. */
export function watchColumns(ascii: boolean): readonly Column<WatchRow>[] {
  return [
    column("kind", "Kind", 0, ({ watched }) => kindText(watched.kind), {
      also: ({ watched }) => [watched.kind],
    }),
    column("supplier", "Supplier", 0, ({ watched }) => watched.supplier, {
      field: "import_supplier",
    }),
    column("ext", "Watched", 16, targetText, {
      ...{ most: 40, field: "number" },
      value: ({ watched }) => watched.number,
      sort: ({ watched: { supplier, number, kind } }) => `${supplier}/${number} ${kind}`,
    }),
    column(
      "status",
      "Status",
      19,
      ({ status }) => `${ascii ? status.asciiMark : status.mark} ${status.label}`,
      {
        tone: ({ status }) => status.tone,
        value: ({ watched }) => watched.timeline.at(-1)?.state ?? null,
        sort: ({ status }) => status.label,
        also: ({ watched }) => [watched.finality === "open" ? "open" : "final"],
      },
    ),
    column("since", "Since", 18, (row, width) => (width < 18 ? row.sinceShort : row.since), {
      least: 12,
      value: ({ watched }) => {
        const began = beganOf(watched.timeline);
        return began === null ? null : utcInstant(began.at);
      },
      sort: ({ watched }) => changedAt(watched),
    }),
    column("next", "Next check", 14, (row) => row.next, {
      gives: 1,
      tone: ({ watched }) => (watched.trouble === null ? "muted" : "bad"),
    }),
    column("checks", "Checks", 7, (row) => row.checks, { gives: 3, align: "right" }),
    column("failed", "Failed", 6, (row) => row.failed, {
      ...{ gives: 2, align: "right" },
      tone: () => "bad",
    }),
    column("trouble", "Trouble", 20, (row) => row.trouble, { gives: 4, tone: () => "bad" }),
    column("svc", "Service account", 0, ({ watched }) => watched.serviceNumber, {
      field: "service_account_number",
    }),
  ];
}

/** As the palette takes it; without the supplier where there is no room. */
function targetText({ watched }: WatchRow, width: number): string {
  const name = `${watched.supplier}/${watched.number}`;
  const whole = watched.kind === "account" ? name : `sp ${name}`;
  return whole.length <= width ? whole : watched.number;
}

function kindText(kind: WatchRow["watched"]["kind"]): string {
  return kind === "account" ? "account" : "supply point";
}
