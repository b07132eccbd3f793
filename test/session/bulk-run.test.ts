import { ServiceError } from "../../src/api/errors.ts";
import { readRequests } from "../../src/bulk/input/read-planned.ts";
import { recordRequests } from "../../src/bulk/record.ts";
import type { RunCounts, RunRecord } from "../../src/bulk/run-record.ts";
import { readingText } from "../../src/bulk/run-settings.ts";
import { createRun, readRun } from "../../src/bulk/runs.ts";
import { type AccountRows, sourceBytes } from "../../src/bulk/source.ts";
import type { ActionId } from "../../src/keys/bindings.ts";
import { defaultKeymap, keyWord } from "../../src/keys/keymap.ts";
import { carryOutRun, runEndWords } from "../../src/session/bulk-run.ts";
import { createSessionTasks, type RunStage } from "../../src/session/tasks.ts";
import { accountOf, bulkFor, sandboxWith } from "../bulk/bulking.ts";
import { options } from "../bulk/input/inputs.ts";
import { none, noneLeftAlone } from "../bulk/no-counts.ts";
import { fakeClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";

function record(counts: Partial<RunCounts>, more: Partial<RunRecord> = {}): RunRecord {
  return {
    id: "r7k2qd",
    kind: "notes",
    profile: "test",
    baseUrl: "http://127.0.0.1",
    source: "console",
    sha256: "",
    results: null,
    reading: {},
    createdAt: 0,
    changedAt: 0,
    endedAt: null,
    state: "stopped",
    process: null,
    stoppedBecause: null,
    rows: 10,
    requests: 10,
    counts: { ...none, ...counts },
    leftAlone: noneLeftAlone,
    ...more,
  };
}

const key = (id: ActionId) => keyWord(id, defaultKeymap);

test("the end of a run says what is left, and never more than is known", () => {
  const progress = { kind: "sending", progress: null } as const;
  const ended = { kind: "ended", progress, end: { kind: "ended" } } as const;
  expect(runEndWords(record({ confirmed: 9, exists: 1 }, { state: "ended" }), ended, key)).toEqual([
    "Run r7k2qd has ended: 9 confirmed, 1 already existed. L shows it.",
    "ok",
  ]);
  expect(
    runEndWords(record({ confirmed: 9, rejected: 1 }, { state: "ended" }), ended, key)[1],
  ).toBe("waiting");
  const end = { kind: "service-down", why: "it answered 503" } as const;
  const down = { kind: "ended", progress, end } as const;
  expect(runEndWords(record({ confirmed: 4, waiting: 6 }), down, key)[0]).toBe(
    "Run r7k2qd has stopped, 6 rows left: The service remained unavailable: it answered 503. L shows it.",
  );
  const unsent = { ...ended, end: { kind: "unsent", rows: 1 } } as const;
  expect(runEndWords(record({ confirmed: 9, waiting: 1 }), unsent, key)[0]).toBe(
    "Run r7k2qd has stopped, 1 row left: 1 row could not be sent. L shows it.",
  );
  const noToken = new ServiceError("credentials", "there is no API key");
  const locked = { ...ended, end: { kind: "credentials", error: noToken } } as const;
  expect(runEndWords(record({ waiting: 10 }), locked, key)[0]).toMatch(
    /^Run r7k2qd has stopped, 10 rows left: Sending its rows: there is no token to use\. /,
  );
  const cut = { kind: "failed", progress, error: new Error("aborted") } as const;
  expect(runEndWords(record({ waiting: 10 }, { state: "unrecorded" }), cut, key)[0]).toBe(
    "Run r7k2qd was not fully recorded, so nothing was sent. L shows it.",
  );
});

const reading = options("notes");

/** A run of `rows` notes that is not recorded yet. */
async function newRun(rows: number) {
  const { baseUrl, apiKey } = await sandboxWith();
  const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
  const run = await createRun(context, {
    kind: "notes",
    source: "console",
    sha256: "",
    results: null,
    reading: readingText(reading),
    rows,
    requests: rows,
  });
  const counts = () => readRun(context, run).counts;
  return { context, run, counts, tasks: createSessionTasks(fakeClock()) };
}

const first: RunStage = { kind: "sending", progress: null };

/** The rows of the run; `onLast` is called before the last one is read. */
function source(rows: number, onLast = () => {}): AccountRows {
  return {
    kind: "accounts",
    supplier: "ACME",
    itemsOf: () => [{ body: "Row" }],
    *numbers() {
      for (let row = 1; row <= rows; row++) {
        if (row === rows) onLast();
        yield accountOf(row);
      }
    },
  };
}

const planned = (rows: number) =>
  readRequests(sourceBytes(source(rows), new AbortController().signal), reading);

/** A profile and a lock that let everything be sent. */
const fine = () => null;

test("a run whose profile changes while it is sending sends no further row", async () => {
  const { context, run, tasks, counts } = await newRun(20);
  await recordRequests(context, run, planned(20), { signal: new AbortController().signal });
  let asked = 0;
  const refusal = () => (++asked > 5 ? "The profile p is now read-only." : null);
  const ended = await tasks.runs.start(run, first, (controls) =>
    carryOutRun(context, run, null, controls, refusal),
  );
  expect(ended).toMatchObject({ kind: "ended", end: { kind: "stopped" } });
  expect(counts()).toMatchObject({ confirmed: 5, waiting: 15 });
});

test("a run that is canceled while it is recorded ends at once, with nothing sent", async () => {
  const { context, run, tasks, counts } = await newRun(3);
  const ended = await tasks.runs.start(run, first, (controls) =>
    carryOutRun(
      context,
      run,
      source(3, () => tasks.runs.cancel(run)),
      controls,
      fine,
    ),
  );
  expect(ended).toMatchObject({ kind: "failed" });
  expect(readRun(context, run).state).toBe("unrecorded");
  expect(counts()).toMatchObject({ confirmed: 0, sending: 0, unknown: 0 });
});

test("a run shows how many rows are recorded, then what it sends", async () => {
  const { context, run, tasks, counts } = await newRun(2);
  const stages: string[] = [];
  tasks.runs.all.subscribe(() => {
    const kind = tasks.runs.all.get().get(run)?.progress.kind;
    if (kind !== undefined && stages.at(-1) !== kind) stages.push(kind);
  });
  const ended = await tasks.runs.start(run, first, (controls) =>
    carryOutRun(context, run, source(2), controls, fine),
  );
  expect(stages).toEqual(["sending", "recording", "sending"]);
  expect(ended).toMatchObject({ kind: "ended", end: { kind: "ended" } });
  expect(counts()).toMatchObject({ confirmed: 2 });
});

test("a run that is canceled before its first request leaves its rows to be resumed", async () => {
  const { context, run, tasks, counts } = await newRun(2);
  await recordRequests(context, run, planned(2), { signal: new AbortController().signal });
  const send = () =>
    tasks.runs.start(run, first, (controls) => carryOutRun(context, run, null, controls, fine));
  const over = send();
  tasks.runs.cancel(run);
  expect(await over).toMatchObject({ kind: "ended", end: { kind: "stopped" } });
  expect(counts()).toMatchObject({ waiting: 2 });
  expect(await send()).toMatchObject({ kind: "ended", end: { kind: "ended" } });
  expect(counts()).toMatchObject({ confirmed: 2 });
});
