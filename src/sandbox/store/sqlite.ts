/**
 * The store of a sandbox with a data folder, which lasts across restarts. This module is loaded
 * only if there is such a folder.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { LedgerEntry, Store } from "./store.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS record (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, supplier TEXT NOT NULL, identifier TEXT NOT NULL,
    key TEXT NOT NULL, value TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS record_place ON record (kind, supplier, identifier, key);
  CREATE TABLE IF NOT EXISTS ledger (n INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL) STRICT;
`;

/**
 * Creates a folder and its parents, because Node's recursive mkdir never returns if the system
 * refuses a folder with ENOENT (below /proc).
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  chmodSync(folder, 0o700);
}

/**
 * Opens or creates `sandbox.sqlite` (0600) in the folder (created with 0700). Throws the error of
 * the file system or SQLite if the folder cannot be used.
 */
export function sqliteStore(folder: string): Store {
  // An existing folder keeps the mode that its owner gave it.
  makeFolder(resolve(folder));
  const file = join(folder, "sandbox.sqlite");
  // The file exists before SQLite opens it, because the -wal and -shm files get its mode.
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;",
  );
  database.exec(schema);

  const recordKey = "kind = ? AND supplier = ? AND identifier = ? AND key = ?";
  const find = database.prepare(`SELECT value FROM record WHERE ${recordKey} ORDER BY id`);
  const remove = database.prepare(`DELETE FROM record WHERE ${recordKey}`);
  const add = database.prepare(
    "INSERT INTO record (kind, supplier, identifier, key, value) VALUES (?, ?, ?, ?, ?)",
  );
  const append = database.prepare("INSERT INTO ledger (value) VALUES (?)");
  const ledger = database.prepare("SELECT n, value FROM ledger ORDER BY n");
  const setting = database.prepare("SELECT value FROM setting WHERE name = ?");
  const set = database.prepare("INSERT INTO setting (name, value) VALUES (?, ?)");

  const store: Store = {
    find: (kind, { supplier, identifier }, key) =>
      find.all(kind, supplier, identifier, key).map((row) => JSON.parse(String(row.value))),
    add: (kind, { supplier, identifier }, key, record) => {
      add.run(kind, supplier, identifier, key, JSON.stringify(record));
    },
    replace: (kind, owner, key, record) => {
      remove.run(kind, owner.supplier, owner.identifier, key);
      store.add(kind, owner, key, record);
    },
    append: (entry) => {
      append.run(JSON.stringify(entry));
    },
    ledger: () =>
      ledger.all().map((row): LedgerEntry => {
        const entry: Omit<LedgerEntry, "n"> = JSON.parse(String(row.value));
        return { n: Number(row.n), ...entry };
      }),
    setting: (name, create) => {
      const stored = setting.get(name)?.value;
      if (stored !== undefined) return String(stored);
      const value = create();
      set.run(name, value);
      return value;
    },
    atomically: (work) => {
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => database.close(),
  };
  return store;
}
