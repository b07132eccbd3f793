import { describe, expect, test } from "vitest";
import { AccountTable } from "../../src/accounts/table.ts";
import { RecordedTable } from "../../src/session/recorded-table.ts";
import type { ListRows, Recorded } from "../../src/triage/observations/observations.ts";
import { batchOf, manyRows } from "../accounts/rows.ts";

const decoder = new TextDecoder();

/** A recorder that writes down what it is given. */
function written(
  finish: () => Promise<Recorded> = async () => ({ kind: "late" }),
  room: () => Promise<void> | null = () => null,
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
      return room();
    },
    discard: () => void log.push("discard"),
    finish: () => {
      log.push("finish");
      return finish();
    },
  };
}

describe("a list that is recorded from its table", () => {
  test("is finished when it is complete, with every row", async () => {
    const recorder = written();
    const table = new AccountTable();
    const list = new RecordedTable(table, () => recorder);
    for (const batch of [batchOf([["a"]]), batchOf([["b", "A-1"]])]) {
      table.append(batch);
      list.added(batch);
    }
    list.complete();
    list.drop();
    await list.recorded;
    expect(recorder.log).toEqual(["2", "finish"]);
    expect(recorder.numbers).toEqual(["a", "b"]);
  });

  test("an empty list is recorded as well", async () => {
    const recorder = written();
    const list = new RecordedTable(new AccountTable(), () => recorder);
    list.complete();
    await list.recorded;
    expect(recorder.log).toEqual(["finish"]);
  });

  test("nothing is recorded of a list that is not complete", async () => {
    const table = new AccountTable();
    const list = new RecordedTable(table, () => {
      throw new Error("the recording began");
    });
    const batch = batchOf([["a"]]);
    table.append(batch);
    list.added(batch);
    list.drop();
    list.complete();
    await list.recorded;
  });

  test("recording begins when the last row is in the table", async () => {
    const log: string[] = [];
    const table = new AccountTable();
    const list = new RecordedTable(table, () => {
      log.push("begin");
      return written();
    });
    for (const rows of [manyRows(20_000), manyRows(5)]) {
      const batch = batchOf(rows);
      table.append(batch);
      list.added(batch);
      await new Promise((resolve) => setImmediate(resolve));
    }
    log.push("last row");
    list.complete();
    await list.recorded;
    expect(log).toEqual(["last row", "begin"]);
  });

  test("a full block waits for room, and the load for nothing", async () => {
    const room = Promise.withResolvers<void>();
    const waits = [room.promise];
    const recorder = written(undefined, () => waits.shift() ?? null);
    const table = new AccountTable();
    const list = new RecordedTable(table, () => recorder);
    const rows = manyRows(40_000);
    for (let at = 0; at < rows.length; at += 10_000) {
      const batch = batchOf(rows.slice(at, at + 10_000));
      table.append(batch);
      list.added(batch);
    }
    list.complete();
    await new Promise((resolve) => setImmediate(resolve));
    expect(recorder.log).toEqual(["16384"]);
    room.resolve();
    await list.recorded;
    expect(recorder.log).toEqual(["16384", "16384", "7232", "finish"]);
    expect(recorder.numbers).toEqual(rows.map(([number]) => number));
  });

  test("rows for which the table has no room are recorded too", async () => {
    const recorder = written();
    const table = new AccountTable({ maxBytes: 30_000 });
    const list = new RecordedTable(table, () => recorder);
    const rows = manyRows(1_000);
    for (let at = 0; at < rows.length; at += 100) {
      const batch = batchOf(rows.slice(at, at + 100));
      table.append(batch);
      list.added(batch);
    }
    list.complete();
    await list.recorded;
    expect(table.rows).toBeLessThan(rows.length);
    expect(recorder.numbers).toEqual(rows.map(([number]) => number));
  });

  test("what was recorded of a list that has too many rows is discarded where it is cut off", async () => {
    const recorder = written();
    const table = new AccountTable({ maxBytes: 30_000 });
    const list = new RecordedTable(table, () => recorder);
    const batch = batchOf(manyRows(1_000));
    table.append(batch);
    list.added(batch);
    await new Promise((resolve) => setImmediate(resolve));
    list.drop();
    await list.recorded;
    expect(recorder.log.at(-1)).toBe("discard");
    expect(recorder.log).not.toContain("finish");
  });

  test("ends also where recording fails", async () => {
    const recorder = written(() => Promise.reject(new Error("disk full")));
    const list = new RecordedTable(new AccountTable(), () => recorder);
    list.complete();
    await expect(list.recorded).resolves.toBeUndefined();
  });
});
