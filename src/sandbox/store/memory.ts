import type { LedgerEntry, Owner, RecordKind, Store } from "./store.ts";

/** A store that is gone when the sandbox stops. */
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
