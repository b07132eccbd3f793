/** Defines the columns of the account lists, and reads the columns that the user types. */
import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import type { AccountTab } from "../session/places.ts";
import { listedAge } from "../text/ages.ts";
import { ageSteps } from "../text/chart.ts";
import { formatInstant } from "../text/dates.ts";
import { marked } from "../text/describe-status.ts";
import { minuteMs } from "../text/durations.ts";
import { padOrTruncate } from "../text/width.ts";
import { type Column, column } from "./list-screen/column.ts";
import type { Piece } from "./text.tsx";

/**
 * Formats the time for which an account was pending at the time of the list. It is a minimum, because
 * the account might have been pending before this machine first checked it.
 */
function pendingForText({ pendingSince }: AccountRowView, { listedAt }: ColumnContext): string {
  return Number.isNaN(pendingSince) ? "" : listedAge(pendingSince, listedAt);
}

/** Formats a creation time. A time that cannot be parsed is shown as received. */
export function createdText(
  row: Pick<AccountRowView, "created" | "createdAt">,
  seconds = true,
): string {
  if (row.created === null) return "";
  return Number.isNaN(row.createdAt) ? row.created : formatInstant(row.createdAt, { seconds });
}

/** Returns the service account number. The service can omit the number (INTERFACE 4.11). */
function serviceText({ service, pending }: AccountRowView): string {
  return service === null || service === "" ? (pending ? "" : "not said") : service;
}

export const accountColumnIds = [
  "external",
  "state",
  "since",
  "pending",
  "service",
  "created",
] as const;
export type AccountColumnId = (typeof accountColumnIds)[number];

/**
 * Parses the names of columns, separated by commas or blanks, in the order in which to show them.
 * Returns a problem if a name is unknown or repeated, or if there is none.
 */
export function parseColumns(typed: string): readonly AccountColumnId[] | { problem: string } {
  const ids = typed.split(/[\s,]+/).filter(Boolean);
  const known = ids.filter(isColumn);
  const unknown = ids.find((id) => !isColumn(id));
  if (unknown !== undefined) {
    return { problem: `There is no column ${unknown}; there are ${accountColumnIds.join(", ")}.` };
  }
  if (known.length === 0) return { problem: "Name at least one column." };
  if (new Set(known).size < known.length) return { problem: "Name each column once." };
  return known;
}

function isColumn(id: string): id is AccountColumnId {
  return (accountColumnIds as readonly string[]).includes(id);
}

/** `since` shows the pending time of a pending account, the creation time of an imported one. */
const defaultColumns: readonly AccountColumnId[] = ["external", "state", "since", "service"];

interface ColumnContext {
  /** The time of the list (epoch milliseconds), with which the pending times end. */
  readonly listedAt: number;
  /** The start of the median pending time in epoch milliseconds, or null if unknown. */
  readonly typicalSince: number | null;
  /** The id of the column by which the list is sorted, or null for the service's order. */
  readonly sortedBy: string | null;
}

/**
 * Returns the chosen columns, or the default columns if none is known. Unknown ids, saved by
 * another version, are left out.
 */
export function accountColumns(
  chosen: readonly string[] | null,
  tab: AccountTab,
  context: ColumnContext,
): readonly Column<AccountRowView>[] {
  if (tab === "gone") return columnsOfGone;
  const known = (chosen ?? []).filter(isColumn);
  const ids = known.length === 0 ? defaultColumns : known;
  const pendingFor = (row: AccountRowView) => pendingForText(row, context);
  const all: Readonly<Record<AccountColumnId, Column<AccountRowView>>> = {
    external: externalColumn,
    state: column("state", "Status", 16, (row) => (row.pending ? "pending" : "imported"), {
      minWidth: 10,
      pieces: (row, width) => [statePiece(row, width, context)],
    }),
    // The id is the current order of the list, so that the title shows the sort sign.
    since: column(
      context.sortedBy === "created" ? "created" : "pending",
      "Since",
      16,
      (row, width) =>
        row.pending
          ? pendingFor(row)
          : createdText(row, false).slice(0, width < 16 ? 10 : undefined),
      { minWidth: 10 },
    ),
    // The width leaves room for the sort sign.
    pending: column("pending", "Pending for", 13, pendingFor),
    service: column("service", "Service account", 15, serviceText, {
      short: "Service acct",
      minWidth: 8,
      maxWidth: 44,
    }),
    created: column("created", "Created", 16, (row, width) => createdText(row, width >= 19), {
      wider: 19,
    }),
  };
  return ids.map((id) => all[id]);
}

/** The multiple of the typical age from which a pending account is marked as late. */
const lateFactor = 10;

function statePiece(row: AccountRowView, width: number, context: ColumnContext): Piece {
  const { listedAt, typicalSince } = context;
  const words = row.pending ? marked("waiting", "pending") : marked("ok", "imported");
  const age = row.pending ? listedAt - row.pendingSince : Number.NaN;
  const typical = typicalSince === null ? Number.NaN : Math.max(minuteMs, listedAt - typicalSince);
  const isLate = age >= lateFactor * typical;
  const status = `${words.mark} ${words.label}`;
  const ageBar = ` ${ageSteps(age)}${isLate ? "!" : ""}`;
  const hasRoom = status.length + ageBar.length <= width;
  return {
    text: padOrTruncate(hasRoom ? status + ageBar : status, width),
    tone: row.change === null ? words.tone : "changed",
  };
}

const externalColumn: Column<AccountRowView> = column(
  "external",
  "External account",
  18,
  (row) => row.external,
  { short: "Account", minWidth: 16, maxWidth: 44 },
);

/**
 * The columns of accounts that are on no list any more: the time at which an account became
 * pending, and the time at which it was first missing.
 */
const columnsOfGone: readonly Column<AccountRowView>[] = [
  externalColumn,
  column("pending", "Pending since", 16, (row) => timeText(row.pendingSince)),
  column("gone", "Gone since", 16, (row) => timeText(row.goneAt)),
];

function timeText(ms: number): string {
  return Number.isNaN(ms) ? "" : formatInstant(ms, { seconds: false });
}
