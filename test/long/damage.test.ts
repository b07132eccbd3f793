/** Promise: whatever is damaged in the file, a reader gets what was stored or the word for damage. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAppError } from "../../src/errors/app-error.ts";
import { agesIn } from "../../src/triage/observations/ages.ts";
import { type ObservationDatabase, openEngine } from "../../src/triage/observations/engine.ts";
import { observationsKind } from "../../src/triage/observations/schema.ts";
import { batchOf, type Row } from "../accounts/rows.ts";
import { assert, asyncProperty, constantFrom, double, record } from "../helpers/fast-check.ts";

const key = ["https://service.example", "ACME"] as const;
const [origin, supplier] = key;
const hour = 3_600_000;
const start = Date.parse("2026-01-15T09:00:00Z");
const created = "2026-01-02T03:04:05Z";
const subject = { kind: "account", supplier, number: "E-1" } as const;

let home: string;
let whole: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "supplyline-damage-"));
  whole = join(home, "whole.sqlite");
  const { engine } = await openEngine(home);
  const numbers = Array.from({ length: 300 }, (_, at) => `E-${at}`);
  const list = (at: number, rows: readonly Row[]) => {
    engine.take(at, ...key, batchOf(rows));
    return engine.finish(at, { origin, supplier, at, now: at, trusted: null });
  };
  list(
    start,
    numbers.map((number, at): Row => (at % 3 ? [number] : [number, `A-${at}`, created])),
  );
  list(
    start + hour,
    numbers.slice(9).map((number): Row => [number, "A-7", created]),
  );
  list(
    start + 2 * hour,
    [...numbers.slice(20), "E-new"].map((number): Row => [number, "A-8"]),
  );
  list(
    start + 3 * hour,
    [...numbers.slice(0, 90), "E-held"].map((number): Row => [number]),
  );
  engine.addChecks(origin, [{ subject, state: "IN_PROGRESS", at: start }], null);
  engine.close();
  copyFileSync(join(home, observationsKind.file), whole);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Everything that is read of a supplier, each as text or as the kind of its error. */
function everything(engine: ObservationDatabase): Record<string, string> {
  const now = start + 4 * hour;
  const readers: Readonly<Record<string, () => unknown>> = {
    ages: () => {
      const ages = agesIn(engine.ages(...key, start) ?? expect.unreachable());
      const rows = Array.from({ length: ages.rows }, (_, row) =>
        [
          ages.externalAt(row),
          ages.firstSeen(row),
          ages.pendingSince(row),
          ages.goneAt(row),
        ].join(),
      );
      return [
        ages.observedAt,
        ages.historySince,
        ...rows,
        ...[...ages.gone()].map(({ external }) => external),
      ];
    },
    changes: () => engine.changes({ origin, supplier, since: null }, null, 99_999),
    counts: () => engine.counts(...key, null),
    summary: () => engine.summary(...key, now),
    stored: () => engine.stored().length,
    timeline: () => engine.timeline(origin, subject),
    confirm: () => engine.confirm(...key, now, null),
    record: () => {
      engine.take(
        1,
        ...key,
        batchOf([["E-3"], ...Array.from({ length: 250 }, (_, at): Row => [`E-${at + 40}`, "A-8"])]),
      );
      return engine.finish(1, { origin, supplier, at: now, now, trusted: null });
    },
    agesAfter: () => agesIn(engine.ages(...key, start) ?? expect.unreachable()).rows,
  };
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => {
      try {
        return [name, JSON.stringify(read())];
      } catch (error) {
        if (!isAppError(error, "file")) throw error;
        return [name, error.kind];
      }
    }),
  );
}

/** What is read of a copy in which something was changed. */
async function readDamaged(
  damage: (database: DatabaseSync) => void,
): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(home, "copy-"));
  const path = join(folder, observationsKind.file);
  copyFileSync(whole, path);
  const database = new DatabaseSync(path);
  database.exec("PRAGMA foreign_keys = OFF");
  damage(database);
  database.close();
  const { engine } = await openEngine(folder);
  try {
    return everything(engine);
  } finally {
    engine.close();
    rmSync(folder, { recursive: true });
  }
}

const blobs = [
  ["part", "bytes"],
  ["observation", "delta"],
  ["held", "delta"],
  ["held_part", "bytes"],
] as const;

const harms: Readonly<Record<string, (bytes: Uint8Array, at: number) => Uint8Array>> = {
  emptied: () => new Uint8Array(0),
  truncated: (bytes, at) => bytes.slice(0, at),
  flipped: (bytes, at) => {
    const other = bytes.slice();
    other[at] = (other[at] as number) ^ 0x10;
    return other;
  },
  zeroed: (bytes) => new Uint8Array(bytes.length),
  extended: (bytes) => Buffer.concat([bytes, bytes]),
};

test("a block that is emptied, cut, changed or doubled is damage, and never another answer", async () => {
  const right = await readDamaged(() => {});
  const one = record({
    where: constantFrom(...blobs),
    harm: constantFrom(...Object.keys(harms)),
    row: double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    at: double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  await assert(
    asyncProperty(one, async ({ where: [table, column], harm, row, at }) => {
      const read = await readDamaged((database) => {
        const rows = database
          .prepare(
            `SELECT rowid AS id, ${column} AS bytes FROM ${table} WHERE ${column} IS NOT NULL`,
          )
          .all();
        const chosen = rows[Math.floor(row * rows.length)] ?? expect.unreachable();
        const bytes = chosen.bytes as Uint8Array;
        const harmed = harms[harm]?.(bytes, Math.floor(at * bytes.length)) ?? bytes;
        database
          .prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`)
          .run(harmed, chosen.id as number);
      });
      for (const [name, value] of Object.entries(read)) {
        expect([name, value]).toEqual([name, value === "corrupt" ? value : right[name]]);
        // The next list is compared with what was confirmed.
        if (name === "confirm" && value === "corrupt") break;
      }
    }),
    { numRuns: 60 },
  );
});

const columns = {
  list: [
    "observations",
    "first_at",
    "last_at",
    "seq",
    "folded_seq",
    "folded_at",
    "unfolded",
    "rows",
  ],
  observation: ["seq", "at", "pending", "imported", "gone", "tally"],
  part: ["list", "kind", "block"],
  held: ["at", "before", "now", "entries", "rows"],
  sighting: ["at", "timeline"],
} as const;

test("a number or text that no list has led to ends no call with a fault of the program", async () => {
  const one = record({
    where: constantFrom(
      ...Object.entries(columns).flatMap(([table, names]) =>
        names.map((name) => [table, name] as const),
      ),
    ),
    row: double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    value: constantFrom<(number | bigint)[]>(0, 1, 2, 5, -1, 2 ** 20, 2 ** 31, 2 ** 40, 2n ** 62n),
    words: constantFrom("", "[", "null", "{}", '[{"state":7}]', "[1e999]", "[-1]"),
  });
  await assert(
    asyncProperty(one, async ({ where: [table, column], row, value, words }) => {
      await readDamaged((database) => {
        const rows = database
          .prepare(`SELECT ${table === "sighting" ? 1 : "rowid"} AS id FROM ${table}`)
          .all();
        const { id } = rows[Math.floor(row * rows.length)] ?? expect.unreachable();
        const isText = column === "tally" || column === "timeline";
        try {
          database
            .prepare(
              `UPDATE ${table} SET ${column} = ? WHERE ${table === "sighting" ? 1 : "rowid"} = ?`,
            )
            .run(isText ? words : value, id as number);
        } catch {
          // The table does not take such a value.
        }
      });
    }),
    { numRuns: 60 },
  );
});
