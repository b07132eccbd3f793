import { expect, it, vi } from "vitest";
import {
  type Came,
  createRunningWrites,
  type RunOptions,
} from "../../src/session/running-writes.ts";

const nothing: Came = { outcome: "unknown", result: null };

const untilStopped = ({ signal }: RunOptions) =>
  new Promise<Came>((resolve) => signal.addEventListener("abort", () => resolve(nothing)));

it("a session that is left stops what is under way, and waits for its end", async () => {
  const running = createRunningWrites();
  const ends = [running.start(1, "Verifying", untilStopped), running.start(2, "x", untilStopped)];
  await running.stop();
  expect([...running.progress.get().values()].map(({ kind }) => kind)).toEqual(["ended", "ended"]);
  expect(await Promise.all(ends)).toHaveLength(2);
});

it("one entry is not run twice at a time, and can be run again afterwards", async () => {
  const running = createRunningWrites();
  const first = running.start(1, "Verifying", untilStopped);
  expect(running.start(1, "Sending again", untilStopped)).toBeNull();
  running.cancel(1);
  await first;
  expect(running.start(1, "Sending again", async () => nothing)).not.toBeNull();
});

it("what has left this machine is remembered, a countdown can be cut short, a failure is kept", async () => {
  const running = createRunningWrites();
  const skip = vi.fn();
  const failure = new Error("disk");
  const over = running.start(7, "Sending again", async ({ onEvent }) => {
    onEvent({ kind: "headers-sent", journalId: 7, n: 1 });
    onEvent({ kind: "waiting", journalId: 7, why: "settle", before: "resend", until: 1, skip });
    expect(running.progress.get().get(7)).toMatchObject({ kind: "running", sent: true });
    running.skip(7);
    throw failure;
  });
  expect(await over).toEqual({ kind: "failed", doing: "Sending again", error: failure });
  expect(skip).toHaveBeenCalledOnce();
  running.skip(7);
  expect(skip).toHaveBeenCalledOnce();
});
