import { campaignClock } from "../../faults/matrix/campaign-clock.ts";

test("a long sleep is over once nothing else will happen, and not while a request is under way", async () => {
  let isBusy = true;
  const clock = campaignClock(0, 15_000, () => isBusy);
  let isOver = false;
  const pause = clock.sleep(16_000).then(() => {
    isOver = true;
  });
  await clock.sleep(100);
  expect([clock.now(), isOver]).toEqual([100, false]);
  isBusy = false;
  await pause;
  expect(clock.now()).toBe(16_000);
});
