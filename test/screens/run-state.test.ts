import type { RowsLeftAlone, RunCounts, RunRecord } from "../../src/bulk/run-record.ts";
import { rowsLeft } from "../../src/bulk/run-words.ts";
import type { ActionId } from "../../src/keys/bindings.ts";
import { defaultKeymap, keyWord } from "../../src/keys/keymap.ts";
import { emptyWords, worstTab } from "../../src/screens/runs/run-screen.tsx";
import { isOver, nextSteps, runState, runUrgency } from "../../src/screens/runs/run-state.ts";
import { type RunView, withTask } from "../../src/screens/runs/run-views.ts";
import type { RunTask } from "../../src/session/tasks.ts";
import { none, noneLeftAlone } from "../bulk/no-counts.ts";

function viewOf(
  state: RunRecord["state"],
  counts: Partial<RunCounts>,
  alone: Partial<RowsLeftAlone> = {},
): RunView {
  const facts = { id: "r1", kind: "payment-instructions", baseUrl: "", process: null } as const;
  const leftAlone = { ...noneLeftAlone, ...alone };
  const record = { ...facts, state, counts: { ...none, ...counts }, leftAlone } as RunRecord;
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

test("a run with rows that are held back or retryable is never finished in green", () => {
  const held = viewOf("ended", { waiting: 2 }, { heldBack: 2, earlier: [528, 529] });
  expect(runState(held)).toMatchObject({ text: "2 held back", tone: "waiting" });
  expect(runState(viewOf("ended", { retryable: 1 })).tone).toBe("waiting");
  expect(runState(viewOf("ended", { confirmed: 1 })).tone).toBe("ok");
});

test.each<[string, Partial<RunCounts>, Partial<RowsLeftAlone>]>([
  ["unknown", { unknown: 1, rejected: 5, waiting: 1 }, { heldBack: 1 }],
  ["rejected", { rejected: 5, waiting: 1 }, { heldBack: 1 }],
  ["attention", { retryable: 1, waiting: 1 }, { heldBack: 1 }],
  ["waiting", { confirmed: 5, waiting: 1 }, { heldBack: 1 }],
  ["all", { confirmed: 5, waiting: 1 }, {}],
  ["all", { confirmed: 5, closed: 1 }, {}],
])("a run opens with the rows that need someone: %s", (tab, counts, alone) => {
  expect(worstTab(viewOf("ended", counts, alone).record).id).toBe(tab);
});

test("a run that is recorded and is about to be sent here is not over", () => {
  const recorded = viewOf("stopped", { waiting: 2 });
  const progress = { kind: "recording", recorded: 2 } as const;
  expect(isOver(recorded)).toBe(true);
  expect(isOver({ ...recorded, task: { kind: "running", progress, stopping: false } })).toBe(false);
  expect(isOver(viewOf("running", { waiting: 2 }))).toBe(false);
});

const key = (id: ActionId) => keyWord(id, defaultKeymap);

test.each<[string, RunView, RegExp]>([
  [
    "held back",
    viewOf("ended", { waiting: 2 }, { heldBack: 2, earlier: [528, 529] }),
    /^2 held back: sent before as entries 528, 529\. u on /,
  ],
  [
    "retryable in doubt",
    viewOf("ended", { retryable: 1 }, { retryable: 1 }),
    /^1 retryable.* u on /,
  ],
  [
    "unknown and cannot be verified",
    viewOf("ended", { unknown: 3 }, { unknown: 3 }),
    /^3 unknown, cannot be verified\. Check .* c closes/,
  ],
  ["rejected", viewOf("ended", { rejected: 2 }), /^2 rejected\. e corrects one; F writes them /],
  ["retryable without an effect", viewOf("ended", { retryable: 1 }), /Ctrl-R continues with 1 row/],
])("a run whose rows are %s names the key that goes on, and no other", (_what, view, line) => {
  const steps = nextSteps(view, { baseUrl: "", key, width: 200 });
  expect(steps).toEqual([expect.stringMatching(line)]);
  expect(rowsLeft(view.record) > 0).toBe(steps.join(" ").includes(key("resume-run")));
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

test("a tab whose rows were recorded after it was read is being read, and not empty", () => {
  const { counts } = viewOf("running", { waiting: 20 }).record;
  expect(emptyWords({ label: "All", states: null }, counts)).toBe("Reading the rows…");
  const confirmed = { label: "Confirmed", states: ["confirmed"] } as const;
  expect(emptyWords(confirmed, counts)).toBe("This run has no row in the tab Confirmed.");
});
