import { inOrder } from "../../src/commands/accounts/status.ts";
import { mostSevere } from "../../src/commands/exit-codes.ts";

test.each([
  [[], 0],
  [[0, 0], 0],
  [[0, 10], 10],
  [[10, 8], 8],
  [[8, 9], 9],
  [[9, 5], 5],
  [[5, 4], 4],
  [[4, 6], 6],
  [[6, 7], 7],
  [[7, 3], 3],
  [[3, 2], 2],
  [[2, 1], 1],
  [[1, 130], 130],
])("of %j the most severe is %i", (codes, expected) => {
  expect(mostSevere(codes)).toBe(expected);
  expect(mostSevere(codes.toReversed())).toBe(expected);
});

test("work is done several at a time and handed over in order", async () => {
  const started: number[] = [];
  const finish = new Map<number, () => void>();
  const work = (item: number) => {
    started.push(item);
    return new Promise<number>((resolve) => finish.set(item, () => resolve(item * 10)));
  };
  const results = inOrder([1, 2, 3, 4], 3, work);
  const first = results.next();
  expect(started).toEqual([1, 2, 3]);
  finish.get(3)?.();
  finish.get(2)?.();
  finish.get(1)?.();
  expect((await first).value).toBe(10);
  const rest = [await results.next(), await results.next()];
  expect(rest.map(({ value }) => value)).toEqual([20, 30]);
  const last = results.next();
  finish.get(4)?.();
  expect((await last).value).toBe(40);
});
