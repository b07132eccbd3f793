import type { AccountBatch } from "../../src/accounts/ingest/batch.ts";
import { AccountTable } from "../../src/accounts/table.ts";
import { recordedRows } from "../../src/session/observed-lists.ts";
import type { ListRows, Recorded } from "../../src/triage/observations/observations.ts";
import { batchOf, manyRows } from "../accounts/rows.ts";

const decoder = new TextDecoder();

/** A recorder that writes down what it is given. */
function written(
  finish: () => Promise<Recorded> = async () => ({ kind: "late" }),
  compared: () => Promise<void> = () => Promise.resolve(),
) {
  const log: string[] = [];
  const numbers: string[] = [];
  return {
    log,
    numbers,
    take: ({ count, text, ends }: ListRows) => {
      log.push(`${count}`);
      for (let row = 0; row < count; row++) {
        const from = row === 0 ? 0 : (ends[row * 3 - 1] as number);
        numbers.push(decoder.decode(text.subarray(from, ends[row * 3])));
      }
      return compared();
    },
    discard: () => void log.push("discard"),
    finish: () => {
      log.push("finish");
      return finish();
    },
  };
}

async function* listOf(
  batches: readonly AccountBatch[],
  isWhole = true,
): AsyncGenerator<AccountBatch, { unreadableRows: number }, void> {
  yield* batches;
  return { unreadableRows: isWhole ? 0 : 1 };
}

/** Loads a list into a table, and returns the promise of its recording, or null if there is none. */
async function load(
  table: AccountTable,
  list: ReturnType<typeof listOf>,
  begin: Parameters<typeof recordedRows>[2],
) {
  const recordings: Promise<void>[] = [];
  const rows = recordedRows(list, table, begin, (one) => void recordings.push(one));
  for await (const batch of rows) table.append(batch);
  return { recorded: recordings[0] ?? null };
}

const inBatches = (rows: ReturnType<typeof manyRows>, size: number) =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, nth) =>
    batchOf(rows.slice(nth * size, (nth + 1) * size)),
  );

const smallTable = () => new AccountTable({ maxBytes: 30_000 });

describe("a list that is recorded from its table", () => {
  test("is finished when it is complete, with every row", async () => {
    const recorder = written();
    const batches = [batchOf([["a"]]), batchOf([["b", "A-1"]])];
    const { recorded } = await load(new AccountTable(), listOf(batches), () => recorder);
    await recorded;
    expect(recorder.log).toEqual(["2", "finish"]);
    expect(recorder.numbers).toEqual(["a", "b"]);
  });

  test("an empty list is recorded as well", async () => {
    const recorder = written();
    const { recorded } = await load(new AccountTable(), listOf([]), () => recorder);
    await recorded;
    expect(recorder.log).toEqual(["finish"]);
  });

  test("nothing is recorded of a list that is not complete", async () => {
    const begin = () => {
      throw new Error("the recording began");
    };
    const list = listOf([batchOf([["a"]])], false);
    expect(await load(new AccountTable(), list, begin)).toEqual({ recorded: null });
  });

  test("recording begins when the last row is in the table", async () => {
    const table = new AccountTable();
    const begun: number[] = [];
    const batches = [batchOf(manyRows(20_000)), batchOf(manyRows(5))];
    const { recorded } = await load(table, listOf(batches), () => {
      begun.push(table.rows);
      return written();
    });
    await recorded;
    expect(begun).toEqual([20_005]);
  });

  test("a full block waits for the one before, and the load for nothing", async () => {
    const compared = Promise.withResolvers<void>();
    const waits = [compared.promise];
    const recorder = written(undefined, async () => waits.shift());
    const rows = manyRows(40_000);
    const batches = inBatches(rows, 10_000);
    const { recorded } = await load(new AccountTable(), listOf(batches), () => recorder);
    await new Promise((resolve) => setImmediate(resolve));
    expect(recorder.log).toEqual(["16384"]);
    compared.resolve();
    await recorded;
    expect(recorder.log).toEqual(["16384", "16384", "7232", "finish"]);
    expect(recorder.numbers).toEqual(rows.map(([number]) => number));
  });

  test("rows for which the table has no room are recorded too", async () => {
    const recorder = written();
    const table = smallTable();
    const rows = manyRows(1_000);
    const { recorded } = await load(table, listOf(inBatches(rows, 100)), () => recorder);
    await recorded;
    expect(table.rows).toBeLessThan(rows.length);
    expect(recorder.numbers).toEqual(rows.map(([number]) => number));
  });

  test("what was recorded of a list that has too many rows is discarded where it is cut off", async () => {
    const recorder = written();
    const list = listOf([batchOf(manyRows(1_000))], false);
    expect(await load(smallTable(), list, () => recorder)).toEqual({ recorded: null });
    expect(recorder.log.at(-1)).toBe("discard");
    expect(recorder.log).not.toContain("finish");
  });

  test("ends also where recording fails", async () => {
    const recorder = written(() => Promise.reject(new Error("disk full")));
    const { recorded } = await load(new AccountTable(), listOf([]), () => recorder);
    await expect(recorded).resolves.toBeUndefined();
  });
});
