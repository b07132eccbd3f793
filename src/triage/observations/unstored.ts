import type { OpenFile } from "../../sqlite/open-file.ts";
import { type Rows, rowsOf, whole } from "../../sqlite/rows.ts";
import type { Listing } from "./listing.ts";
import type { Seen } from "./observations.ts";
import { PendingTimes } from "./pending-times.ts";
import { type Observed, recordList } from "./record-list.ts";

/** Lists that are only here have other ids than those of the file, which are copied with theirs. */
const firstId = 1_000_000_000;

const tables = ["part", "observation", "held", "held_part"] as const;

/** A supplier of which a list could not be stored. */
interface Unstored {
  /** The number of the file's last observation when this began; null without one. */
  readonly seq: number | null;
  /** Lists of the file are continued. */
  readonly isContinued: boolean;
  /** Something is known from before the newest list. */
  readonly hasHistory: boolean;
}

/**
 * Lists that are not stored, because nothing can be or because recording is off. They continue a copy
 * of what is stored, in memory, so that what they show is known as long as this process runs.
 */
export class UnstoredLists {
  readonly pending = new PendingTimes();
  readonly #make: () => OpenFile;
  readonly #suppliers = new Map<string, Unstored>();
  #rows: Rows | null = null;

  constructor(make: () => OpenFile) {
    this.#make = make;
  }

  get rows(): Rows {
    if (this.#rows === null) {
      this.#rows = rowsOf(this.#make().database);
      this.#rows.insert("sqlite_sequence", { name: "list", seq: firstId });
    }
    return this.#rows;
  }

  /**
   * What there is of a supplier, as long as the file has nothing newer; null if nothing is here.
   * `stored` returns the number of the file's last observation, null without one.
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
   * Takes in a list that was compared with what is here, or in the file. `file` has what is stored; it
   * is null if that cannot be read. `seq` is the number of its last observation, null without one.
   */
  record(
    observed: Observed,
    listing: Listing,
    { file, seq }: { readonly file: Rows | null; readonly seq: number | null },
  ): Seen {
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

/** Copies what is stored of a supplier; returns false if nothing is. */
function copyList(from: Rows, to: Rows, origin: string, supplier: string): boolean {
  const list = from.get("SELECT * FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
  if (list === undefined) return false;
  to.insert("list", list);
  for (const table of tables)
    for (const row of from.all(`SELECT * FROM ${table} WHERE list = ?`, whole(list, "id")))
      to.insert(table, row);
  return true;
}
