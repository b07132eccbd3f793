/** The pace of a supplier's imports: their usual durations, and the imports of the last hour. */
import { hourMs, minuteMs } from "../text/durations.ts";

/** The usual duration of a supplier's imports, in milliseconds. */
export interface UsualDuration {
  readonly medianMs: number;
  /** Nine of ten imports took at most this long. */
  readonly slowMs: number;
  /** An import that takes longer is stuck. */
  readonly stuckMs: number;
}

/** The imports in the last complete list of a supplier. Times are epoch milliseconds. */
interface ListedImports {
  readonly at: number;
  readonly importedLastHour: number;
  readonly newestAt: number | null;
  readonly stuck: number | null;
}

/** The pace of a supplier's imports, computed once per list. */
export interface ImportPace {
  readonly supplier: string;
  /** From the first list with the account as pending until its import, or null if unknown. */
  readonly pending: UsualDuration | null;
  /** From IN_PROGRESS to COMPLETED by checks of statuses, or null if unknown. */
  readonly inProgress: UsualDuration | null;
  /** The imports in the last list, or null if the supplier was never observed. */
  readonly list: ListedImports | null;
}

export interface ImportFigures extends Omit<ListedImports, "stuck"> {
  /** Milliseconds from pending to imported, of the imports that were observed from the start. */
  readonly durations: readonly number[];
  pendingBefore(time: number): Promise<number>;
}

const minDurations = 20;
const stuckMultiple = 10;
const minStuckMs = 30 * minuteMs;

export function usualDuration(durations: readonly number[]): UsualDuration | null {
  if (durations.length < minDurations) return null;
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] as number;
  const medianMs = at(0.5);
  return {
    medianMs,
    slowMs: at(0.9),
    // In whole minutes, so that a filter for the stuck accounts is short.
    stuckMs: Math.max(Math.ceil((stuckMultiple * medianMs) / minuteMs) * minuteMs, minStuckMs),
  };
}

/**
 * Returns the pace of a supplier's imports. `figures` is null if the supplier was never observed.
 * `inProgressMs` has the durations from IN_PROGRESS to COMPLETED.
 */
export async function importPace(
  supplier: string,
  figures: ImportFigures | null,
  inProgressMs: readonly number[],
): Promise<ImportPace> {
  const pending = usualDuration(figures?.durations ?? []);
  const inProgress = usualDuration(inProgressMs);
  if (figures === null) return { supplier, pending, inProgress, list: null };
  const { at, importedLastHour, newestAt } = figures;
  const list = { at, importedLastHour, newestAt, stuck: null };
  const before = stuckBefore({ pending, list });
  const stuck = before === null ? null : await figures.pendingBefore(before);
  return { supplier, pending, inProgress, list: { ...list, stuck } };
}

export async function readImportPace(
  observed: {
    importFigures(supplier: string): Promise<ImportFigures | null>;
    importTimes(supplier: string): Promise<readonly number[]>;
  },
  supplier: string,
): Promise<ImportPace> {
  const figures = await observed.importFigures(supplier);
  return importPace(supplier, figures, await observed.importTimes(supplier));
}

/**
 * Returns the time in the last list before which a pending account is stuck, in epoch milliseconds,
 * or null if it is not known.
 */
export function stuckBefore({
  pending,
  list,
}: Pick<ImportPace, "pending" | "list">): number | null {
  return pending === null || list === null ? null : list.at - pending.stuckMs;
}

const currentListMs = 10 * minuteMs;

export function isCurrentList(at: number, now: number): boolean {
  return now - at <= currentListMs;
}

export function isInLastHour(createdAt: number, at: number): boolean {
  return createdAt <= at && createdAt > at - hourMs;
}
