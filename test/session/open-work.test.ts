import { followOpenWork } from "../../src/session/open-work.ts";
import { createStore } from "../../src/session/store.ts";
import { fakeClock } from "../helpers/clock.ts";

test("an entry that changes is counted within five seconds, however long the last count took", async () => {
  const clock = fakeClock();
  const progress = createStore(0);
  let minutes = 0;
  vi.spyOn(performance, "now").mockImplementation(() => ++minutes * 60_000);
  let counts = 0;
  const openWork = followOpenWork({
    baseUrl: "https://api.example.com",
    progress,
    clock,
    existingWrites: async () => null,
    countCohorts: async () => {
      counts += 1;
      return [];
    },
  });
  const stop = openWork.subscribe(() => {});
  onTestFinished(() => {
    stop();
    vi.restoreAllMocks();
  });
  await clock.advance(250);
  expect(counts).toBe(1);
  await clock.untilSleeping();
  progress.set(1);
  await clock.advance(5_000);
  expect(counts).toBe(2);
});
