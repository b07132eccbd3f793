/** The store of the sandbox: records of posted data, and the ledger of effects. */

/** The kind of a record, such as `note` or `vendor-attempt`. Each rule defines its own. */
type RecordKind = string;

/** The owner of a record: a supplier's account or supply point. */
export interface Owner {
  readonly supplier: string;
  /** External account number or external identifier. */
  readonly identifier: string;
}

/** One effect. The ledger only grows. */
export interface LedgerEntry {
  /** Number of the effect: 1, 2, 3, … */
  readonly n: number;
  /** Instant of the effect, epoch ms. */
  readonly at: number;
  /** Name of the endpoint as in fault specs, for example `notes`. */
  readonly endpoint: string;
  readonly supplier: string;
  /** External account number or external identifier. */
  readonly identifier: string;
  /** The identity of the item: a note's body, a transaction's id, … */
  readonly key: string;
  /** `service` for an effect that the service added in addition to the requested item. */
  readonly cause: "request" | "service";
  /** Further data for later checks. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Store {
  /** Returns the records under this key, oldest first. */
  find(kind: RecordKind, owner: Owner, key: string): readonly unknown[];
  add(kind: RecordKind, owner: Owner, key: string, record: unknown): void;
  /** Replaces all records under this key with one record. */
  replace(kind: RecordKind, owner: Owner, key: string, record: unknown): void;
  append(entry: Omit<LedgerEntry, "n">): void;
  ledger(): readonly LedgerEntry[];
  /** Returns a stored setting. The first call creates it. */
  fixed(name: string, make: () => string): string;
  /** Runs work as a transaction. */
  atomically<Result>(work: () => Result): Result;
  close(): void;
}

/** Creates a store that lasts until the sandbox stops. */
export function memoryStore(): Store {
  const records = new Map<string, unknown[]>();
  const entries: LedgerEntry[] = [];
  const settings = new Map<string, string>();
  const place = (kind: RecordKind, owner: Owner, key: string): string =>
    JSON.stringify([kind, owner.supplier, owner.identifier, key]);

  return {
    find: (kind, owner, key) => records.get(place(kind, owner, key)) ?? [],
    add: (kind, owner, key, record) => {
      const where = place(kind, owner, key);
      const there = records.get(where);
      if (there === undefined) records.set(where, [record]);
      else there.push(record);
    },
    replace: (kind, owner, key, record) => {
      records.set(place(kind, owner, key), [record]);
    },
    append: (entry) => {
      entries.push({ n: entries.length + 1, ...entry });
    },
    ledger: () => entries.slice(),
    fixed: (name, make) => {
      const value = settings.get(name) ?? make();
      settings.set(name, value);
      return value;
    },
    // Rules decide before they change the store, and no change here can fail half-way.
    atomically: (work) => work(),
    close: () => {},
  };
}
