import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import type { AccountTab } from "../session/places.ts";
import { formatInstant, utcInstant } from "../text/dates.ts";
import { atLeastAge, formatAge } from "../text/durations.ts";
import { type Column, column } from "./column.ts";

/** Terminals narrower than this have no room for the creation time beside the age. */
const narrow = 72;
/** From this width on creation times have their seconds. */
const roomy = 84;

/** A row of a list, with how long it has been pending at the time it is drawn. */
export interface ShownAccount extends AccountRowView {
  /** `≥ 3 d`; empty where it is not pending or its age is not known. */
  readonly pendingFor: string;
}

/** A row as it is drawn at `now`; `inSeconds` for the one under the cursor. */
export function shownAccount(row: AccountRowView, now: number, inSeconds: boolean): ShownAccount {
  return { ...row, pendingFor: pendingForText(row, now, inSeconds) };
}

/** When this machine first saw it pending is a lower bound: it may have been so before. */
function pendingForText({ pendingSince }: AccountRowView, now: number, inSeconds: boolean): string {
  if (Number.isNaN(pendingSince)) return "";
  const age = Math.max(0, now - pendingSince);
  const isYoung = age >= 10_000 && age < 60_000;
  return inSeconds && isYoung ? `≥ ${formatAge(age)}` : atLeastAge(age);
}

/** A creation time as it is shown; what cannot be read as a time is shown as received. */
export function createdText(
  row: Pick<AccountRowView, "created" | "createdAt">,
  seconds = true,
): string {
  if (row.created === null) return "";
  return Number.isNaN(row.createdAt) ? row.created : formatInstant(row.createdAt, { seconds });
}

/** The creation time as it is copied, in UTC; what cannot be read as a time is copied as received. */
export function createdUtc(row: Pick<AccountRowView, "created" | "createdAt">): string {
  return Number.isNaN(row.createdAt) ? (row.created ?? "") : utcInstant(row.createdAt);
}

/** The service account number; a list of imported accounts need not say it (INTERFACE 4.11). */
function serviceText({ service, pending }: AccountRowView): string {
  return service === null || service === "" ? (pending ? "" : "not said") : service;
}

/** Every column there is, by id. */
export const accountColumnIds = ["external", "state", "pending", "service", "created"] as const;
export type AccountColumnId = (typeof accountColumnIds)[number];

/**
 * Columns typed by hand, separated by commas or blanks, in the order wanted; or what is wrong, in
 * words.
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

/** Columns of a narrow terminal: the creation time has no room beside the age. */
const narrowColumns: readonly AccountColumnId[] = ["external", "state", "pending", "service"];
/** No imported account is pending. */
const importedColumns: readonly AccountColumnId[] = ["external", "state", "service", "created"];

/** Columns without a choice, by the list and the cells there are. */
function usualColumns(tab: AccountTab, width: number): readonly AccountColumnId[] {
  if (tab === "imported") return importedColumns;
  return width < narrow ? narrowColumns : accountColumnIds;
}

/** The columns chosen, made to fit into `width` cells; an unknown id (of another version) is left out. */
export function accountColumns(
  width: number,
  chosen: readonly string[] | null,
  tab: AccountTab,
): readonly Column<ShownAccount>[] {
  if (tab === "gone") return goneColumns(width);
  const known = (chosen ?? []).filter(isColumn);
  const ids = known.length === 0 ? usualColumns(tab, width) : known;
  const seconds = width >= roomy;
  const fixed: Partial<Record<AccountColumnId, number>> = {
    state: 8,
    // With room for the arrow of the order.
    pending: 13,
    created: seconds ? 19 : 16,
  };
  const stretching = ids.filter((id) => fixed[id] === undefined).length;
  // Two cells for cursor and mark, two before each column.
  const rest = width - 2 - ids.reduce<number>((sum, id) => sum + 2 + (fixed[id] ?? 0), 0);
  const share = Math.floor(rest / Math.max(1, stretching));
  // What cannot be shared goes to the account's number.
  const widthOf = (id: AccountColumnId) =>
    Math.max(8, Math.min(44, id === "external" ? rest - share * (stretching - 1) : share));
  return ids.map((id) => ({ ...columnOf(id, seconds), width: fixed[id] ?? widthOf(id) }));
}

/** Of the accounts on no list: since when they were pending, and when they were missed first. */
function goneColumns(width: number): readonly Column<ShownAccount>[] {
  const time = (ms: number) => (Number.isNaN(ms) ? "" : formatInstant(ms, { seconds: false }));
  return [
    column(
      "external",
      "External account",
      Math.max(8, Math.min(44, width - 2 - 3 * 2 - 2 * 16)),
      (row) => row.external,
      { shortTitle: "Account" },
    ),
    column("pending", "Pending since", 16, (row) => time(row.pendingSince)),
    column("gone", "Gone since", 16, (row) => time(row.goneAt), { tone: () => "bad" }),
  ];
}

function columnOf(id: AccountColumnId, seconds: boolean): Omit<Column<ShownAccount>, "width"> {
  switch (id) {
    case "external":
      return {
        ...{ id, title: "External account", shortTitle: "Account" },
        text: (row) => row.external,
      };
    case "state":
      return {
        id,
        title: "State",
        text: (row) => (row.pending ? "pending" : "imported"),
        tone: (row) => (row.pending ? "waiting" : "ok"),
      };
    case "pending":
      return { id, title: "Pending for", text: (row) => row.pendingFor };
    case "service":
      return { id, title: "Service account", shortTitle: "Service acct", text: serviceText };
    case "created":
      return { id, title: "Created", text: (row) => createdText(row, seconds) };
  }
}
