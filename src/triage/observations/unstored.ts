/** Compares lists in memory if they cannot or must not be stored. */
import type { OpenFile } from "../../sqlite/open-file.ts";
import { type Rows, rowsOf, whole } from "../../sqlite/rows.ts";
import type { Listing } from "./listing.ts";
import type { ListComparison } from "./observations.ts";
import { PendingTimes } from "./read-ages.ts";
import { type Observed, recordList } from "./record-list.ts";

/** The first id of lists that exist only in memory. Lists copied from the file have smaller ids. */
const firstId = 1_000_000_000;

const tables = ["part", "observation", "held", "held_part"] as const;

/** A supplier with lists that are not stored. */
interface Unstored {
  /**
   * The sequence number of the file's last observation when the first list was not stored, or null
   * if there was none.
   */
  readonly seq: number | null;
  /** True if the lists in memory continue lists of the file. */
  readonly isContinued: boolean;
  /** True if data from before the newest list exists. */
  readonly hasHistory: boolean;
}

/**
 * The lists that are not stored, because storing fails or recording is off. They continue a copy of
 * the stored lists in memory, so that their content is available while this process runs.
 */
export class UnstoredLists {
  readonly pending = new PendingTimes();
  readonly #openMemory: () => OpenFile;
  readonly #suppliers = new Map<string, Unstored>();
  #rows: Rows | null = null;

  constructor(openMemory: () => OpenFile) {
    this.#openMemory = openMemory;
  }

  get rows(): Rows {
    if (this.#rows === null) {
      this.#rows = rowsOf(this.#openMemory().database);
      this.#rows.insert("sqlite_sequence", { name: "list", seq: firstId });
    }
    return this.#rows;
  }

  /**
   * Returns the facts about a supplier's lists in memory, or null if there are none or the file has
   * a newer list. `stored` returns the sequence number of the file's last observation, or null if
   * there is none.
   */
  find(origin: string, supplier: string, stored: () => number | null): Unstored | null {
    const key = keyOf(origin, supplier);
    const found = this.#suppliers.get(key) ?? null;
    if (found === null || found.seq === stored()) return found;
    this.#suppliers.delete(key);
    this.rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
    return null;
  }

  /**
   * Adds a list that was compared with the lists in memory or in the file. `file` has the stored
   * lists, or is null if they cannot be read. `seq` is the sequence number of the file's last
   * observation, or null if there is none.
   */
  record(
    observed: Observed,
    listing: Listing,
    { file, seq }: { readonly file: Rows | null; readonly seq: number | null },
  ): ListComparison {
    const { origin, supplier } = observed;
    const key = keyOf(origin, supplier);
    const { rows } = this;
    rows.run("SAVEPOINT list");
    try {
      const known = this.#suppliers.get(key);
      const isContinued =
        known?.isContinued ?? (file !== null && copyList(file, rows, origin, supplier));
      const recorded = recordList(rows, observed, listing);
      const hasHistory = isContinued || known !== undefined;
      this.#suppliers.set(key, { seq: known ? known.seq : seq, isContinued, hasHistory });
      rows.run("RELEASE list");
      return recorded;
    } catch (error) {
      rows.run("ROLLBACK TO list");
      rows.run("RELEASE list");
      throw error;
    }
  }
}

function keyOf(origin: string, supplier: string): string {
  return JSON.stringify([origin, supplier]);
}

/** Copies the stored lists of a supplier. Returns false if there are none. */
function copyList(from: Rows, to: Rows, origin: string, supplier: string): boolean {
  const list = from.get("SELECT * FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
  if (list === undefined) return false;
  to.insert("list", list);
  for (const table of tables)
    for (const row of from.all(`SELECT * FROM ${table} WHERE list = ?`, whole(list, "id")))
      to.insert(table, row);
  return true;
}
