import { expect, it } from "vitest";
import type { RunCounts, RunRecord } from "../../src/bulk/run-record.ts";
import type { ActionId } from "../../src/keys/bindings.ts";
import { defaultKeymap, keyWord } from "../../src/keys/keymap.ts";
import { runEndWords } from "../../src/session/run-task.ts";

const none: RunCounts = {
  waiting: 0,
  sending: 0,
  confirmed: 0,
  exists: 0,
  rejected: 0,
  retryable: 0,
  unknown: 0,
  closed: 0,
};

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
    endedAt: null,
    state: "stopped",
    stoppedBecause: null,
    rows: 10,
    requests: 10,
    counts: { ...none, ...counts },
    ...more,
  };
}

const key = (id: ActionId) => keyWord(id, defaultKeymap);

it("the end of a run says what is left, and never more than is known", () => {
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
    "Run r7k2qd has stopped, 6 rows left: The service stayed down: it answered 503. L shows it.",
  );
  const cut = { kind: "failed", progress, error: new Error("aborted") } as const;
  expect(runEndWords(record({ waiting: 10 }, { state: "unrecorded" }), cut, key)[0]).toBe(
    "Run r7k2qd was not recorded whole: nothing of it was sent. L shows it.",
  );
});
