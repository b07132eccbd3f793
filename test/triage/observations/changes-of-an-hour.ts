/** An hour of a supplier with a million accounts: 1 % of them change, and a tenth of these are new. */
import { createHash } from "node:crypto";
import type { Contents, Moves } from "../../../src/triage/observations/comparison.ts";

const accounts = 1_000_000;
const imported = 9_000;
const staged = 1_000;
const hourMs = 3_600_000;

/** Returns a whole number below `below` that looks random, and is the same for the same `n`. */
function drawn(n: number, below: number): number {
  return createHash("sha256").update(`${n}`).digest().readUInt32LE() % below;
}

function service(n: number): string {
  return `A-${createHash("sha256").update(`service ${n}`).digest("hex").slice(0, 8).toUpperCase()}`;
}

/** Returns the rows that are imported in the hour, ascending. */
function importedRows(): readonly number[] {
  const rows = new Set<number>();
  for (let n = 0; rows.size < imported; n++) rows.add(drawn(n, accounts));
  return [...rows].toSorted((a, b) => a - b);
}

function createdIn(hour: number, n: number): number {
  return hour + drawn(n, hourMs);
}

/** Returns the changes as the engine notes them. The hour begins at `hour`, in epoch milliseconds. */
export function changesOfAnHour(hour = Date.UTC(2026, 10, 20)): {
  readonly moves: Moves;
  readonly contents: Contents;
} {
  const rows = importedRows();
  const added = Array.from({ length: staged }, (_, n) => accounts + n);
  return {
    moves: {
      rows: [...rows, ...added],
      moves: [...rows.map(() => 10), ...added.map(() => 1)],
      renumbered: new Map(),
    },
    contents: {
      numbers: added.map((n) => `EXT-${n}`),
      services: [...rows.map(service), ...added.map(() => "")],
      created: [...rows.map((row) => createdIn(hour, row)), ...added.map(() => Number.NaN)],
    },
  };
}

/** Returns the body of the list before the hour, of which all accounts are pending, or of the one after it. */
export function bodyOfHour(when: "before" | "after", hour = Date.UTC(2026, 10, 20)): Buffer {
  const done = new Set(when === "before" ? [] : importedRows());
  const rows = Array.from({ length: accounts + (when === "before" ? 0 : staged) }, (_, n) =>
    done.has(n)
      ? `{"external_account_number":"EXT-${n}","service_account_number":"${service(n)}","account_created_at":"${new Date(createdIn(hour, n)).toISOString()}"}`
      : `{"external_account_number":"EXT-${n}","service_account_number":null,"account_created_at":null}`,
  );
  return Buffer.from(`[${rows.join(",")}]`);
}
