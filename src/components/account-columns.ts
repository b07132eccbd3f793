/** Defines the columns of the account lists, and reads the columns that the user types. */
import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import type { AccountTab } from "../session/places.ts";
import { ageSteps } from "../text/chart.ts";
import { formatInstant } from "../text/dates.ts";
import { marked } from "../text/describe-status.ts";
import { atLeastAge, formatAge, minuteMs } from "../text/durations.ts";
import { padOrTruncate } from "../text/width.ts";
import { type Column, column } from "./list-screen/column.ts";
import type { Piece } from "./text.tsx";

/**
 * Formats the time since which an account is pending. This machine's first check is a lower bound:
 * the account might have been pending before.
 */
function pendingForText({ pendingSince }: AccountRowView, now: number, inSeconds: boolean): string {
  if (Number.isNaN(pendingSince)) return "";
  const age = Math.max(0, now - pendingSince);
  const isYoung = age >= 10_000 && age < 60_000;
  return inSeconds && isYoung ? `≥ ${formatAge(age)}` : atLeastAge(age);
}

/** Formats a creation time. Text that cannot be read as a time is shown as received. */
export function createdText(
  row: Pick<AccountRowView, "created" | "createdAt">,
  seconds = true,
): string {
  if (row.created === null) return "";
  return Number.isNaN(row.createdAt) ? row.created : formatInstant(row.createdAt, { seconds });
}

/** Returns the service account number. A list of imported accounts can lack it (INTERFACE 4.11). */
function serviceText({ service, pending }: AccountRowView): string {
  return service === null || service === "" ? (pending ? "" : "not said") : service;
}

/** The ids of all columns. */
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
 * Reads typed columns, separated by commas or blanks, in the wanted order. Returns the problem of
 * the text if it has one.
 */
export function parseColumns(typed: string): readonly AccountColumnId[] | { problem: string } {
  const ids = typed.split(/[\s,]+/).filter(Boolean);
  const known = ids.filter(isColumn);
  const foreign = ids.find((id) => !isColumn(id));
  if (foreign !== undefined) {
    return { problem: `There is no column ${foreign}; there are ${accountColumnIds.join(", ")}.` };
  }
  if (known.length === 0) return { problem: "Name at least one column." };
  if (new Set(known).size < known.length) return { problem: "Name each column once." };
  return known;
}

function isColumn(id: string): id is AccountColumnId {
  return (accountColumnIds as readonly string[]).includes(id);
}

/** The default columns. `since` has the content of `pending` and `created`. */
const defaultColumns: readonly AccountColumnId[] = ["external", "state", "since", "service"];

/** The values, other than the row, that the account columns need. */
interface AccountColumnsOf {
  readonly now: number;
  /**
   * The number of the row that shows seconds, or null. The other rows are redrawn once a minute.
   */
  readonly current: number | null;
  /**
   * Epoch milliseconds since which half of the pending accounts are pending, or null if unknown.
   */
  readonly typicalSince: number | null;
  readonly sortedBy: string | null;
}

/**
 * Returns the chosen columns, or the default columns if none is known. Unknown ids, saved by
 * another version, are left out.
 */
export function accountColumns(
  chosen: readonly string[] | null,
  tab: AccountTab,
  of: AccountColumnsOf,
): readonly Column<AccountRowView>[] {
  if (tab === "gone") return goneColumns;
  const known = (chosen ?? []).filter(isColumn);
  const ids = known.length === 0 ? defaultColumns : known;
  const pendingFor = (row: AccountRowView) => pendingForText(row, of.now, row.row === of.current);
  const all: Readonly<Record<AccountColumnId, Column<AccountRowView>>> = {
    external: externalColumn,
    state: column("state", "Status", 16, (row) => (row.pending ? "pending" : "imported"), {
      minWidth: 10,
      pieces: (row, width) => [statePiece(row, width, of)],
    }),
    // Its id is the current order of the list, so that its title shows the sort sign.
    since: column(
      of.sortedBy === "created" ? "created" : "pending",
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

/** A pending account is marked if its age is at least this many times the typical age. */
const muchLonger = 10;

/** Returns the status with its sign, and with a picture of the age if the account is pending. */
function statePiece(row: AccountRowView, width: number, of: AccountColumnsOf): Piece {
  const { now, typicalSince } = of;
  const words = row.pending ? marked("waiting", "pending") : marked("ok", "imported");
  const age = row.pending ? now - row.pendingSince : Number.NaN;
  const typical = typicalSince === null ? Number.NaN : Math.max(minuteMs, now - typicalSince);
  const isLate = age >= muchLonger * typical;
  const word = `${words.mark} ${words.label}`;
  const picture = ` ${ageSteps(age)}${isLate ? "!" : ""}`;
  const hasPicture = word.length + picture.length <= width;
  return {
    text: padOrTruncate(hasPicture ? word + picture : word, width),
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
 * The columns of accounts that are on no list: the start of the pending state, and the time when
 * the account was first missing.
 */
const goneColumns: readonly Column<AccountRowView>[] = [
  externalColumn,
  column("pending", "Pending since", 16, (row) => timeText(row.pendingSince)),
  column("gone", "Gone since", 16, (row) => timeText(row.goneAt)),
];

function timeText(ms: number): string {
  return Number.isNaN(ms) ? "" : formatInstant(ms, { seconds: false });
}
