/** What the sandbox remembers: records of what was posted, and the ledger of effects. */

/** What a record is of: each rule names its own, such as `note` or `vendor-attempt`. */
type RecordKind = string;

/** Whose record it is: a supplier's account or supply point. */
export interface Owner {
  readonly supplier: string;
  /** External account number or external identifier. */
  readonly identifier: string;
}

/** One effect. The ledger only grows. */
export interface LedgerEntry {
  /** 1, 2, 3, … */
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
  /** `service` for what the service added of its own accord beside the item asked for. */
  readonly cause: "request" | "service";
  /** Anything else worth checking afterwards. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Store {
  /** The records under this key, oldest first. */
  find(kind: RecordKind, owner: Owner, key: string): readonly unknown[];
  add(kind: RecordKind, owner: Owner, key: string, record: unknown): void;
  /** Puts one record in the place of all that stand under this key. */
  replace(kind: RecordKind, owner: Owner, key: string, record: unknown): void;
  append(entry: Omit<LedgerEntry, "n">): void;
  ledger(): readonly LedgerEntry[];
  /** A setting made once and the same ever after. */
  fixed(name: string, make: () => string): string;
  /** All of the work takes effect, or none of it. */
  atomically<Result>(work: () => Result): Result;
  close(): void;
}

/** A store that lasts until the sandbox stops. */
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
    // Rules decide before they touch the store, and nothing here can fail half-way.
    atomically: (work) => work(),
    close: () => {},
  };
}
