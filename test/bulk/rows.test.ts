import { countRows, lineAt, type RowStates, readRunRows } from "../../src/bulk/rows.ts";
import { type Journal, openJournal } from "../../src/writes/journal/open-journal.ts";
import { openFolders } from "../helpers/folders.ts";

const last = Number.MAX_SAFE_INTEGER;

/** A run of which every tenth row was rejected, and every hundredth is unknown. */
async function fill(journal: Journal, rows: number): Promise<void> {
  await journal.commit((open) => {
    open.run(
      `INSERT INTO run (id, kind, profile, base_url, source, sha256, reading, row_count,
         request_count, created_at, state, renewed_at, service)
       VALUES ('r1', 'status', 'test', 'http://127.0.0.1', '-', '', '{}', ?, ?, 1, 'stopped', 1, 'http://127.0.0.1')`,
      rows,
      rows,
    );
    for (let n = 1; n <= rows; n++) {
      open.run(
        "INSERT INTO run_row (run, line, outcome) VALUES ('r1', ?, ?)",
        n * 2,
        n % 100 === 0 ? "unknown" : n % 10 === 0 ? "rejected" : "confirmed",
      );
    }
  });
}

test("rows with chosen outcomes are paged from any line in line order", async () => {
  const folders = await openFolders();
  const journal = await openJournal({ folder: folders.state });
  await fill(journal, 1_000);
  const bad: RowStates = ["rejected", "unknown", "retryable"];
  const lines = (filter: Parameters<typeof readRunRows>[2]) =>
    readRunRows(journal, "r1", filter).map(({ line }) => line);
  expect(lines({ states: null, afterLine: 0, limit: 3 })).toEqual([2, 4, 6]);
  expect(lines({ states: null, beforeLine: last, limit: 3 })).toEqual([1996, 1998, 2000]);
  expect(lines({ states: bad, afterLine: 170, limit: 4 })).toEqual([180, 200, 220, 240]);
  expect(lines({ states: bad, beforeLine: 220, limit: 3 })).toEqual([160, 180, 200]);
  expect(lines({ states: ["retryable"], afterLine: 0, limit: 3 })).toEqual([]);
  expect(lines({ states: null, afterLine: 2_000, limit: 3 })).toEqual([]);
  expect(lineAt(journal, "r1", null, 500)).toBe(1_002);
  expect(lineAt(journal, "r1", ["unknown"], 3)).toBe(800);
  expect(lineAt(journal, "r1", bad, 9)).toBe(200);
  expect(lineAt(journal, "r1", bad, 100)).toBeNull();
  expect(countRows(journal, "r1", bad, { from: 0, before: last })).toBe(100);
  expect(countRows(journal, "r1", bad, { from: 180, before: 220 })).toBe(2);
  expect(countRows(journal, "r1", null, { from: 0, before: 11 })).toBe(5);
  expect(countRows(journal, "other", null, { from: 0, before: last })).toBe(0);
  await journal.close();
});

test("rows of an outcome are read through the index, without a scan of the run", async () => {
  const folders = await openFolders();
  const journal = await openJournal({ folder: folders.state });
  await fill(journal, 1_000);
  const plans: string[] = [];
  const explained: Journal = {
    ...journal,
    read: (work) =>
      journal.read((rows) =>
        work({
          ...rows,
          all: (sql, ...values) => {
            const steps = rows.all(`EXPLAIN QUERY PLAN ${sql}`, ...values);
            plans.push(String(steps[0]?.detail));
            return rows.all(sql, ...values);
          },
        }),
      ),
  };
  const found = readRunRows(explained, "r1", {
    states: ["unknown", "rejected"],
    afterLine: 170,
    limit: 4,
  });
  expect(found.map(({ line }) => line)).toEqual([180, 200, 220, 240]);
  expect(plans).toHaveLength(2);
  for (const plan of plans)
    expect(plan).toMatch(/INDEX run_row_outcome \(run=\? AND outcome=\? AND line>\?\)/);
  await journal.close();
});
