import { followOpenWork } from "../../src/session/open-work.ts";
import { createStore } from "../../src/session/store.ts";
import { createSessionTasks } from "../../src/session/tasks.ts";
import { bulkFor, noteRequests, recordedRun } from "../bulk/bulking.ts";
import { fakeClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";

test("an entry that changes is counted within five seconds, however long the last count took", async () => {
  const clock = fakeClock();
  const progress = createStore(0);
  let minutes = 0;
  vi.spyOn(performance, "now").mockImplementation(() => ++minutes * 60_000);
  let counts = 0;
  const openWork = followOpenWork({
    baseUrl: "https://api.example.com",
    progress,
    runs: createStore(new Map()),
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

test("a run of this console counts as stopped when its task ends with rows left, and not before", async () => {
  const baseUrl = "https://api.example.com";
  const clock = fakeClock();
  const context = await bulkFor({ folder: journalFolder(), baseUrl });
  // The rows are recorded and the run has no process, as before its first request.
  const run = await recordedRun(context, "notes", noteRequests(2));
  const { runs } = createSessionTasks(clock);
  const { promise, reject } = Promise.withResolvers<never>();
  const ended = runs.start(run, { kind: "sending", progress: null }, () => promise);
  const openWork = followOpenWork({
    baseUrl,
    progress: createStore(0),
    runs: runs.all,
    clock,
    existingWrites: async () => ({ context }),
    countCohorts: async () => [],
  });
  vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  onTestFinished(openWork.subscribe(() => {}));
  const runsLeft = () => {
    const { journal } = openWork.get();
    return journal.kind === "known" ? journal.work.runs.map(({ id }) => id) : journal;
  };
  await clock.advance(250);
  await clock.untilSleeping();
  expect(runsLeft()).toEqual([]);
  reject(new Error("The profile was closed."));
  await ended;
  await clock.advance(250);
  await clock.untilSleeping();
  expect(runsLeft()).toEqual([run]);
});
