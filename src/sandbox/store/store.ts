/** The store of the sandbox: records of posted data, settings, and the ledger of effects. */

type RecordKind = string;

export interface Owner {
  readonly supplier: string;
  readonly identifier: string;
}

export interface LedgerEntry {
  readonly n: number;
  /** Instant of the effect, epoch ms. */
  readonly at: number;
  readonly endpoint: string;
  readonly supplier: string;
  /** External account number or external identifier. */
  readonly identifier: string;
  /** The identity of the item: a note's body, a transaction's id, … */
  readonly key: string;
  /** `service` for an effect that the service added in addition to the requested item. */
  readonly cause: "request" | "service";
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Store {
  /** Returns the records under this key, oldest first. */
  find(kind: RecordKind, owner: Owner, key: string): readonly unknown[];
  add(kind: RecordKind, owner: Owner, key: string, record: unknown): void;
  replace(kind: RecordKind, owner: Owner, key: string, record: unknown): void;
  append(entry: Omit<LedgerEntry, "n">): void;
  ledger(): readonly LedgerEntry[];
  setting(name: string, create: () => string): string;
  atomically<Result>(work: () => Result): Result;
  close(): void;
}

export function memoryStore(): Store {
  const records = new Map<string, unknown[]>();
  const entries: LedgerEntry[] = [];
  const settings = new Map<string, string>();
  const recordKey = (kind: RecordKind, owner: Owner, key: string): string =>
    JSON.stringify([kind, owner.supplier, owner.identifier, key]);

  return {
    find: (kind, owner, key) => records.get(recordKey(kind, owner, key)) ?? [],
    add: (kind, owner, key, record) => {
      const mapKey = recordKey(kind, owner, key);
      const existing = records.get(mapKey);
      if (existing === undefined) records.set(mapKey, [record]);
      else existing.push(record);
    },
    replace: (kind, owner, key, record) => {
      records.set(recordKey(kind, owner, key), [record]);
    },
    append: (entry) => {
      entries.push({ n: entries.length + 1, ...entry });
    },
    ledger: () => entries.slice(),
    setting: (name, create) => {
      const value = settings.get(name) ?? create();
      settings.set(name, value);
      return value;
    },
    // The rules check everything before their first change, and a change in memory cannot fail.
    atomically: (work) => work(),
    close: () => {},
  };
}
