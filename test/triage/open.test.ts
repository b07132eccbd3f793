import {
  needCount,
  needWords,
  type Open,
  type OpenSources,
  openOf,
  openParts,
  watchedEntry,
  watchedParts,
} from "../../src/triage/open/open.ts";
import { noWork } from "../../src/triage/open/work-counts.ts";
import { cohortState, notFound, type SeenState } from "../../src/watch/timeline.ts";
import { watchStateOf } from "../../src/watch/watched.ts";

const watched = (
  kind: "account" | "supply-point" | "cohort",
  trouble: unknown,
  ...states: readonly (string | SeenState)[]
) => ({
  ...watchStateOf({
    kind,
    supplier: "ACME",
    number: "E-1",
    addedAt: 0,
    timeline: states.map((state, n) => ({
      ...(typeof state === "string" ? { state } : state),
      firstSeenAt: n,
      lastSeenAt: n,
    })),
  }).watched,
  trouble,
});
const offline = new Error("no answer");

describe("what a watched subject needs", () => {
  test.each([
    ["an open account", watched("account", null, "UNKNOWN"), 0],
    ["an account not checked yet", watched("account", null), 0],
    ["an imported account", watched("account", null, "COMPLETED"), 0],
    ["an account that failed", watched("account", null, "IN_PROGRESS", "UNKNOWN"), 1],
    ["an account that was not found", watched("account", null, notFound), 1],
    ["an account that cannot be checked", watched("account", offline, "UNKNOWN"), 1],
    ["a failed account that cannot be checked", watched("account", offline, notFound), 1],
    ["a supply point in error", watched("supply-point", null, "ERRORED"), 1],
    ["a supply point that was not found", watched("supply-point", null, notFound), 1],
    ["a cohort", watched("cohort", null, cohortState({ done: 50, open: 7, failed: 3 })), 3],
    [
      "a cohort without failures",
      watched("cohort", null, cohortState({ done: 50, open: 7, failed: 0 })),
      0,
    ],
  ])("%s is the same number on the watch list and on the board", (_, subject, expected) => {
    const open = openOf({
      work: noWork,
      watched: [watchedEntry(subject)],
      lists: [],
      cohorts: [],
    });
    expect(needCount(openParts(open)).count).toBe(expected);
    expect(needCount(watchedParts([subject])).count).toBe(expected);
  });
});

test("the number of things that need someone is the sum of all kinds but what is only watched", () => {
  const open: Open = {
    entries: { unknown: 2, rejected: 1, retryable: 1, unsent: 4 },
    rejectedRows: 7,
    runs: 1,
    watched: { open: 12, openItems: 500, failed: 3, unchecked: 2 },
    lists: [
      { supplier: "ACME", gone: { count: 5, atLeast: true }, isHeldBack: true, hasFailed: true },
    ],
    cohorts: [
      { name: "wave-3", supplier: "ACME", unlisted: 11 },
      { name: "wave-4", supplier: "ACME", unlisted: null },
    ],
  };
  const needing = needCount(openParts(open));
  expect(needing).toEqual({ count: 2 + 1 + 1 + 4 + 7 + 1 + 3 + 2 + 5 + 1 + 11, atLeast: true });
  expect(needWords(needing)).toContain("38");
});

describe("the open work of a team", () => {
  const one = { person: "op2", login: "op2", machine: "laptop", importSupplier: "ACME" };
  const other = { ...one, person: "op3", login: "op3", importSupplier: "NORTH" };
  const wordsOf = (
    team: NonNullable<OpenSources["team"]>,
    suppliers: readonly string[] | null = null,
  ) =>
    openParts(openOf({ work: null, watched: [], lists: [], cohorts: [], team, suppliers })).map(
      ({ kind, words, short, brief }) => [kind, words, short, brief],
    );

  test("names the person whose entries are open, on all machines together", () => {
    const team = [
      { ...one, unknown: 1, retryable: 0 },
      { ...one, machine: "bastion", unknown: 2, retryable: 1 },
    ];
    expect(wordsOf(team)).toEqual([
      ["team-unknown", "3 entries of op2 unknown", "3 unknown of colleagues", "3? team"],
      ["team-retryable", "1 entry of op2 retryable", "1 retryable of colleagues", "1○ team"],
    ]);
  });

  test("counts the entries of each of several people, and none of other suppliers", () => {
    const team = [
      { ...one, unknown: 2, retryable: 0 },
      { ...other, unknown: 1, retryable: 0 },
    ];
    expect(wordsOf(team)[0]?.[1]).toBe("3 entries of colleagues unknown (op2 2, op3 1)");
    expect(wordsOf(team, ["NORTH"])[0]?.[1]).toBe("1 entry of op3 unknown");
    expect(wordsOf([])).toEqual([]);
  });
});
