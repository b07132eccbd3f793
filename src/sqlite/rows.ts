/**
 * Reads and writes SQLite rows as typed records. The tables are STRICT, so a column has its
 * declared type or null.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

/** The last JavaScript date, in epoch milliseconds. The first is its negative. */
export const lastInstant = 8.64e15;

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Runs statements on one connection. Each SQL text is prepared once. */
export interface Rows {
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Returns the first column of the first row as a number, or 0 without a row. */
  number(sql: string, ...values: SQLInputValue[]): number;
  run(sql: string, ...values: SQLInputValue[]): number;
  insert(table: string, columns: Columns): number;
  replace(table: string, columns: Columns): void;
  update(table: string, columns: Columns, where: string, ...values: SQLInputValue[]): number;
}

type Columns = Readonly<Record<string, SQLInputValue>>;

export function rowsOf(database: DatabaseSync): Rows {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const cached = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, cached);
    return cached;
  };
  const put = (verb: string, table: string, columns: Columns): number => {
    const names = Object.keys(columns);
    const sql = `${verb} INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    return Number(statement(sql).run(...Object.values(columns)).lastInsertRowid);
  };
  const run: Rows["run"] = (sql, ...values) => Number(statement(sql).run(...values).changes);
  return {
    all: (sql, ...values) => statement(sql).all(...values),
    get: (sql, ...values) => statement(sql).get(...values),
    number: (sql, ...values) => Number(Object.values(statement(sql).get(...values) ?? {})[0] ?? 0),
    run,
    insert: (table, columns) => put("INSERT", table, columns),
    replace: (table, columns) => void put("INSERT OR REPLACE", table, columns),
    update: (table, columns, where, ...values) => {
      const set = Object.keys(columns).map((name) => `${name} = ?`);
      const sql = `UPDATE ${table} SET ${set.join(", ")} WHERE ${where}`;
      return run(sql, ...Object.values(columns), ...values);
    },
  };
}

/** Returns a column as text, or an empty text if the column has no text. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

export function maybeText(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

/**
 * Returns a column as an instant in epoch milliseconds. An impossible value becomes the first or
 * the last possible date.
 */
export function instant(row: Row, column: string): number {
  return Math.max(-lastInstant, Math.min(lastInstant, whole(row, column)));
}

export function maybeInstant(row: Row, column: string): number | null {
  return maybeWhole(row, column) === null ? null : instant(row, column);
}

/** Returns a column as a number, or 0 if the column is null. */
export function whole(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

export function maybeWhole(row: Row, column: string): number | null {
  const value = row[column];
  return value === null || value === undefined ? null : Number(value);
}
