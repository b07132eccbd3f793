import { listedAge } from "../text/ages.ts";
import { asCommand } from "../text/as-command.ts";
import { dayBefore, formatInstant } from "../text/dates.ts";
import { dayMs } from "../text/durations.ts";
import { count, plural } from "../text/numbers.ts";
import type { GoneCount } from "../triage/figures/gone.ts";
import type { SupplierHistory } from "../triage/figures/supplier-figures.ts";
import { byMachines } from "../triage/observations/by-machines.ts";
import type { LinePart } from "./text.tsx";

/**
 * Formats the number of gone accounts: `3 gone`, `at least 200 gone`. Returns an empty text if no
 * account is gone, or if `gone` is null because they are not counted.
 */
export function goneWords(gone: GoneCount | null): string {
  if (gone === null || gone.count === 0) return "";
  return gone.atLeast ? `at least ${count(gone.count)} gone` : `${count(gone.count)} gone`;
}

/**
 * Returns a notice about a list that is held back because it lost too many accounts, and the
 * command that records it. Returns no parts if no list is held back. `profile` is the value of
 * `--profile`.
 */
export function heldBackParts(
  supplier: string,
  heldBack: SupplierHistory["heldBack"],
  profile: string | null,
): readonly LinePart[] {
  if (heldBack === null) return [];
  const confirm = asCommand({ kind: "observations-confirm", supplier }, profile);
  const { before, now } = heldBack;
  return [
    [
      {
        text: `${plural(now, "account")} listed after ${count(before)}: not recorded. If right:`,
        tone: "bad",
      },
    ],
    // The command is a separate part, so that it is not cut if it fills a line.
    [{ text: confirm ?? "" }],
  ];
}

/**
 * Returns the changes of the last 24 hours, or since the first observation if that is later:
 * `Since yesterday 18:00: +431 imported  +12 staged  3 gone`. Zeros are left out.
 */
export function lastDayParts(history: SupplierHistory, now: number): readonly LinePart[] {
  const { lastDay, gone, since } = history;
  const from = Math.max(since, now - dayMs);
  // An account that left the list is called gone only if the gone accounts were counted. Otherwise
  // the account might still be in import.
  const goneToday =
    gone === null ? `${count(lastDay.gone)} left the list` : `${count(goneTodayOf(history))} gone`;
  const parts: LinePart[] = [
    [{ text: `+${count(lastDay.imported)} imported`, tone: "ok" }],
    [{ text: `+${count(lastDay.staged)} staged` }],
    [{ text: goneToday, tone: "bad" }],
    [{ text: `${count(lastDay.returned)} returned` }],
    [{ text: `${count(lastDay.renumbered)} renumbered` }],
    [{ text: `${count(lastDay.removed)} removed` }],
  ];
  const shown = parts.filter(([piece]) => !/^\+?0 /.test(piece?.text ?? ""));
  const start = dayTime(from, now);
  if (shown.length === 0) return [[{ text: `No changes since ${start}.` }]];
  return [[{ text: `Since ${start}: ` }, ...(shown[0] ?? [])], ...shown.slice(1)];
}

function goneTodayOf({ lastDay, gone }: SupplierHistory): number {
  return gone === null ? 0 : Math.min(lastDay.gone, gone.count);
}

/** Formats a time as `09:14` if it is today, as `yesterday 18:00`, or as the date and time. */
export function dayTime(ms: number, now: number): string {
  const at = formatInstant(ms, { seconds: false });
  const [day = "", time = ""] = at.split(" ");
  if (formatInstant(now).startsWith(day)) return time;
  return day === dayBefore(now) ? `yesterday ${time}` : at;
}

/**
 * Formats the number of all gone accounts. Returns an empty text if all of them left the list in
 * the last 24 hours, because {@link lastDayParts} shows them.
 */
export function allGoneWords(history: SupplierHistory | null): string {
  const gone = history?.gone ?? null;
  return history === null || gone?.count === goneTodayOf(history) ? "" : goneWords(gone);
}

/**
 * Formats the age of pending accounts on a list: `oldest pending ≥ 9 d, 12 over a day`. Returns an
 * empty text if nothing is pending, or if the oldest age is below one minute.
 */
export function waitingWords(history: SupplierHistory | null, listedAt: number): string {
  const oldest = history?.oldestPendingSince ?? null;
  if (oldest === null || listedAt - oldest < 60_000) return "";
  const over = history?.pendingOverADay ?? 0;
  return `oldest pending ${listedAge(oldest, listedAt)}${over === 0 ? "" : `, ${count(over)} over a day`}${byMachines(history?.machines ?? null)}`;
}
