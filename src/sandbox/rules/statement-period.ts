/** The currently open statement period: in the sandbox, for every account, the calendar month (UTC). */

/** Dates (YYYY-MM-DD), both inside the period. */
export interface StatementPeriod {
  readonly from: string;
  readonly to: string;
}

export function openPeriod(epochMs: number): StatementPeriod {
  const today = new Date(epochMs);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const day = (date: number): string => new Date(date).toISOString().slice(0, 10);
  return { from: day(Date.UTC(year, month, 1)), to: day(Date.UTC(year, month + 1, 0)) };
}

export function within(period: StatementPeriod, date: string): boolean {
  return period.from <= date && date <= period.to;
}

/** The date itself, or the nearest one inside the period. */
export function movedInto(period: StatementPeriod, date: string): string {
  if (date < period.from) return period.from;
  return date > period.to ? period.to : date;
}
