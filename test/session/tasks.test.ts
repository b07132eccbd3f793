import type { RunEnd } from "../../src/bulk/run-record.ts";
import {
  createSessionTasks,
  createTasks,
  type EntryEnd,
  type RunStage,
  runningIds,
  skipWait,
  startEntry,
  type TaskControls,
  type Tasks,
} from "../../src/session/tasks.ts";
import { fakeClock } from "../helpers/clock.ts";

/** Work that runs until its first cancel, and then until `release` or its second cancel. */
function heldWork() {
  const release = Promise.withResolvers<void>();
  let controls: TaskControls<string> | null = null;
  return {
    release: release.resolve,
    controls: () => controls,
    run: async (given: TaskControls<string>): Promise<string> => {
      controls = given;
      const { stop, cutOff } = given;
      const cut = new Promise((resolve) => cutOff.addEventListener("abort", resolve));
      await new Promise((resolve) => stop.addEventListener("abort", resolve));
      await Promise.race([release.promise, cut]);
      return cutOff.aborted ? "cut off" : "stopped";
    },
  };
}

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

function tasksOn(clock = fakeClock()): Tasks<string, string, string> {
  return createTasks<string, string, string>(clock);
}

const running = (tasks: Tasks<string, string, string>) => runningIds(tasks.all.get());

describe("one task", () => {
  test("runs with its first progress and ends with what its work resolves with", async () => {
    const tasks = tasksOn();
    const over = tasks.start("a", "first", async () => "done");
    expect(tasks.all.get().get("a")).toEqual({
      kind: "running",
      progress: "first",
      stopping: false,
    });
    const ended = { kind: "ended", progress: "first", end: "done" };
    expect(await over).toEqual(ended);
    expect(tasks.all.get().get("a")).toEqual(ended);
    expect(running(tasks)).toEqual([]);
  });

  test("shows each change of its progress, made from the one before", async () => {
    const tasks = tasksOn();
    const seen: unknown[] = [];
    tasks.all.subscribe(() => seen.push(tasks.all.get().get("a")?.progress));
    await tasks.start("a", "a", async ({ update }) => {
      update((before) => `${before}b`);
      update((before) => `${before}c`);
      return "done";
    });
    expect(seen).toEqual(["a", "ab", "abc", "abc"]);
  });

  test("fails with what its work rejects with, and never rejects itself", async () => {
    const tasks = tasksOn();
    const error = new Error("disk");
    const failed = { kind: "failed", progress: "halfway", error };
    const over = tasks.start("a", "first", async ({ update }) => {
      update(() => "halfway");
      throw error;
    });
    expect(await over).toEqual(failed);
    expect(tasks.all.get().get("a")).toEqual(failed);
  });

  test("ignores progress that is reported after its end", async () => {
    const tasks = tasksOn();
    let late: TaskControls<string>["update"] = () => {};
    await tasks.start("a", "first", async ({ update }) => {
      late = update;
      return "done";
    });
    const ended = tasks.all.get();
    late(() => "late");
    expect(tasks.all.get()).toBe(ended);
  });

  test("ignores progress of an earlier task with its id", async () => {
    const tasks = tasksOn();
    let late: TaskControls<string>["update"] = () => {};
    await tasks.start("a", "first", async ({ update }) => {
      late = update;
      return "done";
    });
    const second = heldWork();
    tasks.start("a", "second", second.run);
    late(() => "late");
    expect(tasks.all.get().get("a")?.progress).toBe("second");
  });
});

describe("two tasks with one id", () => {
  test("do not run at a time; the second may start when the first has ended", async () => {
    const tasks = tasksOn();
    const first = heldWork();
    const over = tasks.start("a", "first", first.run);
    const never = vi.fn(async () => "never");
    expect(tasks.start("a", "second", never)).toBeNull();
    expect(never).not.toHaveBeenCalled();
    expect(tasks.all.get().get("a")?.progress).toBe("first");
    tasks.cancel("a");
    first.release();
    await over;
    expect(await tasks.start("a", "second", async () => "again")).toMatchObject({ end: "again" });
  });
});

describe("a cancel", () => {
  test("waits for what is in flight the first time, and cuts it off the second time", async () => {
    const tasks = tasksOn();
    const work = heldWork();
    const over = tasks.start("a", "first", work.run);
    tasks.cancel("a", "the reason");
    expect(tasks.all.get().get("a")).toMatchObject({ kind: "running", stopping: true });
    expect(work.controls()?.stop.reason).toBe("the reason");
    expect(work.controls()?.cutOff.aborted).toBe(false);
    tasks.cancel("a");
    expect(work.controls()?.cutOff.aborted).toBe(true);
    expect(await over).toMatchObject({ kind: "ended", end: "cut off" });
    expect(running(tasks)).toEqual([]);
  });

  test("keeps a task shown as stopping while it still reports progress", () => {
    const tasks = tasksOn();
    const work = heldWork();
    tasks.start("a", "first", work.run);
    tasks.cancel("a");
    work.controls()?.update(() => "draining");
    expect(tasks.all.get().get("a")).toEqual({
      kind: "running",
      progress: "draining",
      stopping: true,
    });
  });

  test("does nothing to a task that has ended or never was", async () => {
    const tasks = tasksOn();
    await tasks.start("a", "first", async () => "done");
    const before = tasks.all.get();
    tasks.cancel("a");
    tasks.cancel("b");
    expect(tasks.all.get()).toBe(before);
  });

  test("leaves the other tasks alone", () => {
    const tasks = tasksOn();
    const [one, other] = [heldWork(), heldWork()];
    tasks.start("one", "", one.run);
    tasks.start("other", "", other.run);
    tasks.cancel("one");
    expect(other.controls()?.stop.aborted).toBe(false);
    expect(tasks.all.get().get("other")).toMatchObject({ stopping: false });
  });
});

describe("a session that is closed", () => {
  test("stops what is running with the reason it is given, and waits for its end", async () => {
    const clock = fakeClock();
    const tasks = tasksOn(clock);
    const reasons: unknown[] = [];
    const work = async ({ stop }: TaskControls<string>) => {
      await until(stop);
      await clock.sleep(60_000);
      reasons.push(stop.reason);
      return "recorded";
    };
    tasks.start("a", "", work);
    tasks.start("b", "", work);
    let isOver = false;
    const ended = tasks.end({ reason: "hung up" }).then(() => {
      isOver = true;
    });
    await clock.untilSleeping(2);
    await clock.advance(59_999);
    expect([isOver, running(tasks)]).toEqual([false, ["a", "b"]]);
    await clock.advance(1);
    await ended;
    expect([...tasks.all.get().values()].map(({ kind }) => kind)).toEqual(["ended", "ended"]);
    expect(reasons).toEqual(["hung up", "hung up"]);
  });

  test("waits for what is in flight, but no longer than it has patience", async () => {
    const clock = fakeClock();
    const tasks = tasksOn(clock);
    const quick = heldWork();
    const stuck = heldWork();
    tasks.start("quick", "", quick.run);
    tasks.start("stuck", "", stuck.run);
    const ended = tasks.end({ patienceMs: 5_000 });
    quick.release();
    await clock.untilSleeping();
    await clock.advance(4_999);
    expect(running(tasks)).toEqual(["stuck"]);
    expect(stuck.controls()?.cutOff.aborted).toBe(false);
    await clock.advance(1);
    await ended;
    expect(running(tasks)).toEqual([]);
    expect(quick.controls()?.cutOff.aborted).toBe(false);
  });

  test("does not wait for a task that never ends", async () => {
    const clock = fakeClock();
    const tasks = tasksOn(clock);
    tasks.start("deaf", "", () => new Promise(() => {}));
    const ended = tasks.end({ patienceMs: 5_000 });
    await clock.untilSleeping();
    await clock.advance(10_000);
    await ended;
    expect(running(tasks)).toEqual(["deaf"]);
  });

  test("waits no longer than its tasks take", async () => {
    const clock = fakeClock();
    const tasks = tasksOn(clock);
    const quick = heldWork();
    tasks.start("quick", "", quick.run);
    const ended = tasks.end({ patienceMs: 5_000 });
    quick.release();
    await ended;
    expect(clock.pending()).toBe(0);
    expect(quick.controls()?.cutOff.aborted).toBe(false);
  });

  test("does not cut off a task that was already stopped", async () => {
    const clock = fakeClock();
    const tasks = tasksOn(clock);
    const work = heldWork();
    tasks.start("a", "", work.run);
    tasks.cancel("a");
    const ended = tasks.end({ patienceMs: 5_000 });
    expect(work.controls()?.cutOff.aborted).toBe(false);
    work.release();
    await ended;
  });

  test("leaves the tasks of the next session alone", async () => {
    const [before, after] = [createSessionTasks(fakeClock()), createSessionTasks(fakeClock())];
    startEntry(before, 1, "Verifying", stopped);
    startEntry(after, 1, "Verifying", stopped);
    await before.entries.end();
    expect(runningIds(before.entries.all.get())).toEqual([]);
    expect(runningIds(after.entries.all.get())).toEqual([1]);
  });
});

const unknown: EntryEnd = { outcome: "unknown", results: [] };

async function stopped({ signal }: { readonly signal: AbortSignal }): Promise<EntryEnd> {
  await until(signal);
  return unknown;
}

describe("an entry", () => {
  test("is not sent twice at a time, and can be sent again afterwards", async () => {
    const tasks = createSessionTasks(fakeClock());
    const first = startEntry(tasks, 1, "Verifying", stopped);
    expect(startEntry(tasks, 1, "Sending again", stopped)).toBeNull();
    tasks.entries.cancel(1);
    expect(await first).toMatchObject({ kind: "ended", end: unknown });
    expect(startEntry(tasks, 1, "Sending again", async () => unknown)).not.toBeNull();
  });

  test("remembers what has left this machine, lets a wait be cut short, and keeps a failure", async () => {
    const tasks = createSessionTasks(fakeClock());
    const skip = vi.fn();
    const failure = new Error("disk");
    const over = startEntry(tasks, 7, "Sending again", async ({ onEvent }) => {
      onEvent({ kind: "headers-sent", journalId: 7, n: 1 });
      onEvent({ kind: "waiting", journalId: 7, why: "settle", before: "resend", until: 1, skip });
      const task = tasks.entries.all.get().get(7);
      expect(task).toMatchObject({ kind: "running", progress: { sent: true } });
      expect(task?.progress.events.map(({ kind }) => kind)).toEqual(["headers-sent", "waiting"]);
      skipWait(tasks, 7);
      throw failure;
    });
    expect(await over).toMatchObject({
      kind: "failed",
      progress: { doing: "Sending again" },
      error: failure,
    });
    expect(skip).toHaveBeenCalledOnce();
    skipWait(tasks, 7);
    expect(skip).toHaveBeenCalledOnce();
  });

  test("has no wait to cut short once something else has happened", async () => {
    const tasks = createSessionTasks(fakeClock());
    const skip = vi.fn();
    await startEntry(tasks, 7, "Sending again", async ({ onEvent }) => {
      onEvent({ kind: "waiting", journalId: 7, why: "settle", before: "resend", until: 1, skip });
      onEvent({ kind: "headers-sent", journalId: 7, n: 2 });
      skipWait(tasks, 7);
      return unknown;
    });
    skipWait(tasks, 8);
    expect(skip).not.toHaveBeenCalled();
  });
});

test("a bulk run, a form and an entry with one id are three tasks", () => {
  const tasks = createSessionTasks(fakeClock());
  const stage: RunStage = { kind: "sending", progress: null };
  const held = () => new Promise<never>(() => {});
  expect(tasks.runs.start("1", stage, held as () => Promise<RunEnd>)).not.toBeNull();
  expect(tasks.forms.start("1", { entries: [] }, held)).not.toBeNull();
  expect(startEntry(tasks, 1, "Verifying", held)).not.toBeNull();
});
