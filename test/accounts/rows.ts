import type { AccountBatch } from "../../src/accounts/ingest/batch.ts";
import { AccountRowReader } from "../../src/accounts/ingest/reader.ts";
import type { ShownInstant } from "../../src/accounts/shown-instant.ts";
import { AccountTable } from "../../src/accounts/table.ts";

/** A row in few words: external, service, created. */
export type Row = readonly [
  external: string,
  service?: string | null | undefined,
  created?: string | null | undefined,
];

/** Rows as they leave the reader. */
export function batchOf(rows: readonly Row[]): AccountBatch {
  const reader = new AccountRowReader();
  const items = rows.map(([external, service, created]) => ({
    external_account_number: external,
    service_account_number: service ?? null,
    account_created_at: created ?? null,
  }));
  const first = reader.push(Buffer.from(JSON.stringify(items)));
  const { batch, problem } = reader.end();
  if (problem !== null || batch !== null) throw new Error(`unexpected: ${problem}`);
  return (
    first ?? {
      count: 0,
      text: new Uint8Array(),
      ends: new Uint32Array(),
      flags: new Uint8Array(),
      createdAt: new Float64Array(),
      extras: new Map(),
    }
  );
}

export function tableOf(rows: readonly Row[], options?: { maxBytes?: number }): AccountTable {
  const table = new AccountTable(options);
  table.append(batchOf(rows));
  return table;
}

/** A number of rows like those of a supplier: every fifth one pending. */
export function manyRows(count: number): Row[] {
  return Array.from({ length: count }, (_, at): Row => {
    const external = `EXT-${String((at * 7919) % 1_000_003).padStart(7, "0")}`;
    if (at % 5 === 0) return [external];
    const created = new Date(Date.UTC(2026, 0, 1) + at * 25_000).toISOString().replace(".000", "");
    return [external, `A-${((at * 48_271) % 65_536).toString(16).toUpperCase()}`, created];
  });
}

/** Formats times as a screen with this text does. */
export function shownAs(text: (ms: number) => string): ShownInstant {
  const encoder = new TextEncoder();
  return {
    text,
    write: (ms, into, at) => at + encoder.encodeInto(text(ms), into.subarray(at)).written,
  };
}

/** The screen's way to write a time, for tests: in UTC. */
export function shown(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
