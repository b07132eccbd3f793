import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import type { AccountTab } from "../session/places.ts";
import { formatInstant } from "../text/dates.ts";
import { atLeastAge, formatAge } from "../text/durations.ts";
import { type Column, column } from "./list-screen/column.ts";

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

/** The columns of a tab without a choice: no imported account is pending. */
function usualColumns(tab: AccountTab): readonly AccountColumnId[] {
  return accountColumnIds.filter((id) => tab !== "imported" || id !== "pending");
}

/**
 * The columns chosen; an unknown id (of another version) is left out. Only the row `current` shows
 * seconds, so that a list at rest is drawn once a minute.
 */
export function accountColumns(
  chosen: readonly string[] | null,
  tab: AccountTab,
  { now, current }: { readonly now: number; readonly current: number | null },
): readonly Column<AccountRowView>[] {
  if (tab === "gone") return goneColumns;
  const known = (chosen ?? []).filter(isColumn);
  const ids = known.length === 0 ? usualColumns(tab) : known;
  const all: Readonly<Record<AccountColumnId, Column<AccountRowView>>> = {
    external: externalColumn,
    state: column("state", "State", 8, (row) => (row.pending ? "pending" : "imported"), {
      tone: (row) => (row.pending ? "waiting" : "ok"),
    }),
    // With room for the arrow of the order.
    pending: column("pending", "Pending for", 13, (row) =>
      pendingForText(row, now, row.row === current),
    ),
    service: column("service", "Service account", 15, serviceText, {
      ...{ short: "Service acct", least: 8, most: 44 },
    }),
    created: column("created", "Created", 16, (row, width) => createdText(row, width >= 19), {
      wider: 19,
      ...(known.length === 0 ? { gives: 1 } : {}),
    }),
  };
  return ids.map((id) => all[id]);
}

const externalColumn: Column<AccountRowView> = column(
  "external",
  "External account",
  16,
  (row) => row.external,
  { short: "Account", least: 8, most: 44 },
);

/** Of the accounts on no list: since when they were pending, and when they were missed first. */
const goneColumns: readonly Column<AccountRowView>[] = [
  externalColumn,
  column("pending", "Pending since", 16, (row) => timeText(row.pendingSince)),
  column("gone", "Gone since", 16, (row) => timeText(row.goneAt), { tone: () => "bad" }),
];

function timeText(ms: number): string {
  return Number.isNaN(ms) ? "" : formatInstant(ms, { seconds: false });
}
