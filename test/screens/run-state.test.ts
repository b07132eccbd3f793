import { expect, test } from "vitest";
import type { RunCounts, RunRecord } from "../../src/bulk/run-record.ts";
import { runState, runUrgency } from "../../src/screens/runs/run-state.ts";
import { type RunView, withTask } from "../../src/screens/runs/run-views.ts";
import type { RunTask } from "../../src/session/tasks.ts";
import { none } from "../bulk/no-counts.ts";

function viewOf(state: RunRecord["state"], counts: Partial<RunCounts>): RunView {
  const record = { id: "r1", state, process: null, counts: { ...none, ...counts } } as RunRecord;
  return { record, task: null };
}

test("runs with unknown rows come first, then stopped ones, those with rejected rows, and the others", () => {
  const runs = {
    done: viewOf("ended", { confirmed: 3 }),
    rejected: viewOf("ended", { rejected: 1 }),
    stopped: viewOf("stopped", { waiting: 2, rejected: 1 }),
    unknown: viewOf("ended", { unknown: 1, rejected: 5 }),
  };
  const names = Object.entries(runs).toSorted(
    ([, one], [, other]) => runUrgency(one) - runUrgency(other),
  );
  expect(names.map(([name]) => name)).toEqual(["unknown", "stopped", "rejected", "done"]);
});

test("a finished run with unknown rows is in doubt, one with rejected rows has failed", () => {
  expect(runState(viewOf("ended", { unknown: 1, rejected: 5 })).tone).toBe("unknown");
  expect(runState(viewOf("ended", { rejected: 5 })).tone).toBe("bad");
});

test.each(["unrecorded", "recording", "running"] as const)(
  "a run that ended after it was read as %s is not shown as stopped, or as that of a process",
  (state) => {
    const progress = { kind: "sending", progress: null } as const;
    const task: RunTask = { kind: "ended", progress, end: { kind: "ended" } };
    const { record } = viewOf(state, { waiting: 2 });
    const found = { record: { ...record, process: 77 }, wasRunningHere: true };
    const { text } = runState(withTask(found, new Map([["r1", task]])));
    expect(text).toBe("running here");
  },
);
