/** SQLite rows as typed records. The tables are STRICT, so a column has its type or null. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

/** The last instant that a date can hold, and its negative the first, in epoch milliseconds. */
export const lastInstant = 8.64e15;

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Statements on one connection; each text is prepared once. */
export interface Rows {
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  iterate(sql: string, ...values: SQLInputValue[]): Iterable<Row>;
  /** Returns how many rows changed, and the id of an inserted one. */
  run(sql: string, ...values: SQLInputValue[]): { readonly changes: number; readonly id: number };
}

export function rowsOf(database: DatabaseSync): Rows {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  return {
    all: (sql, ...values) => statement(sql).all(...values),
    get: (sql, ...values) => statement(sql).get(...values),
    // Of its own: a shared statement would be reset by the next use while rows are still read.
    iterate: (sql, ...values) => database.prepare(sql).iterate(...values),
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = statement(sql).run(...values);
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
  };
}

export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

export function maybeText(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

/** A point in time, in epoch milliseconds, moved to where dates begin or end if it lies beyond. */
export function instant(row: Row, column: string): number {
  return Math.max(-lastInstant, Math.min(lastInstant, whole(row, column)));
}

export function maybeInstant(row: Row, column: string): number | null {
  return maybeWhole(row, column) === null ? null : instant(row, column);
}

export function whole(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

export function maybeWhole(row: Row, column: string): number | null {
  const value = row[column];
  return value === null || value === undefined ? null : Number(value);
}
