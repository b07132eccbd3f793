import { useMemo, useState } from "react";
import type { ListedEntry } from "../../hooks/journal.ts";
import type { RowValues } from "../../settings/custom/values.ts";

/** What a command of the user's can name of an entry. */
export function entryValues(entry: ListedEntry): RowValues {
  return {
    journal_id: String(entry.journal_id),
    import_supplier: entry.import_supplier,
    external_account_number: entry.external_account_number,
    external_identifier: entry.external_identifier,
    status: entry.outcome,
    run: entry.run ?? undefined,
  };
}

/** Marks on the entries of the list. */
interface EntryMarks {
  /** Those marked that are listed. */
  readonly marked: readonly ListedEntry[];
  areMarked(rows: readonly ListedEntry[]): boolean;
  /** Marks all of them, or none where all are marked. */
  toggle(rows: readonly ListedEntry[]): void;
  mark(rows: readonly ListedEntry[]): void;
}

/** Marks on entries, by their journal ids; those of another tab or filter do not count. */
export function useEntryMarks(rows: readonly ListedEntry[]): EntryMarks {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  return useMemo(() => {
    const areMarked = (some: readonly ListedEntry[]) =>
      some.length > 0 && some.every(({ journal_id: id }) => ids.has(id));
    return {
      marked: ids.size === 0 ? [] : rows.filter(({ journal_id: id }) => ids.has(id)),
      areMarked,
      mark: (some) => setIds(new Set([...ids, ...some.map(({ journal_id: id }) => id)])),
      toggle(some) {
        const all = areMarked(some);
        const next = new Set(ids);
        for (const { journal_id: id } of some) {
          if (all) next.delete(id);
          else next.add(id);
        }
        setIds(next);
      },
    };
  }, [ids, rows]);
}
