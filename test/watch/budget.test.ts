import { createBudget } from "../../src/watch/budget.ts";
import { fakeClock } from "../helpers/clock.ts";

const never = new AbortController().signal;

/** A budget, and checks that end on command, with their start times. */
function setUp(limits: { perSecond: number; burst: number; inFlight: number }) {
  const clock = fakeClock(0);
  const budget = createBudget(clock, limits);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const look = () => {
    began.push(clock.now());
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const ask = (count: number, signal = never) =>
    Array.from({ length: count }, () => budget.spend(look, signal));
  return { clock, budget, began, ends, ask };
}

test("after a quiet time some start at once, the others at the rate, none earlier", async () => {
  const { clock, began, ask } = setUp({ perSecond: 10, burst: 3, inFlight: 100 });
  ask(6);
  await clock.advance(10_000);
  expect(began).toEqual([0, 0, 0, 100, 200, 300]);
  expect(clock.pending()).toBe(0);
});

test("the budget limits concurrent checks", async () => {
  const { clock, began, ends, ask } = setUp({ perSecond: 1_000, burst: 100, inFlight: 2 });
  ask(3);
  await clock.advance(5_000);
  expect(began).toEqual([0, 0]);
  ends[0]?.();
  await clock.advance(0);
  expect(began).toEqual([0, 0, 5_000]);
});

test("a check canceled in the queue is never made and leaves no timer", async () => {
  const { clock, began, ask } = setUp({ perSecond: 1, burst: 1, inFlight: 8 });
  const stop = new AbortController();
  ask(1);
  const [waiting] = ask(1, stop.signal);
  expect(clock.pending()).toBe(1);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(clock.pending()).toBe(0);
  await clock.advance(5_000);
  expect(began).toEqual([0]);
});

test("an abandoned check frees its slot even if it ignores the signal", async () => {
  const { clock, began, ask } = setUp({ perSecond: 100, burst: 10, inFlight: 1 });
  const stop = new AbortController();
  const [deaf] = ask(1, stop.signal);
  ask(1);
  await clock.advance(1_000);
  expect(began).toHaveLength(1);
  stop.abort();
  await clock.advance(0);
  expect(began).toHaveLength(2);
  expect(deaf).toBeInstanceOf(Promise);
});

test("a failed check frees its slot, and its error is passed on unchanged", async () => {
  const { clock, budget, began, ask } = setUp({ perSecond: 100, burst: 10, inFlight: 1 });
  const failing = budget.spend(() => Promise.reject(new TypeError("odd")), never);
  await expect(failing).rejects.toThrow(TypeError);
  ask(1);
  await clock.advance(0);
  expect(began).toHaveLength(1);
});

test("a clock that is set back blocks no check", async () => {
  const clock = fakeClock();
  const budget = createBudget(clock, { perSecond: 1, burst: 1, inFlight: 8 });
  await budget.spend(async () => {}, never);
  clock.set(-3_600_000);
  const second = budget.spend(async () => {}, never);
  await clock.advance(1_000);
  await second;
});
