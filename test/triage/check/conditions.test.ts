import {
  type CheckConditions,
  type CheckFacts,
  conditionsOf,
  conditionWords,
  isAlarming,
} from "../../../src/triage/check/conditions.ts";

const hour = 3_600_000;
const now = Date.parse("2026-11-22T12:00:00Z");
const none = { count: 0, sample: [] };

/** A supplier observed for a week, with nothing wrong. */
const quiet: CheckFacts = {
  listedAt: now,
  pending: 0,
  historySince: now - 168 * hour,
  isHeldBack: false,
  unstoredSince: null,
  older: none,
  newest: [],
  ahead: 0,
  gone: { accounts: [], atLeast: false },
  colleagues: null,
  unknownWrites: none,
  notImported: none,
};

const some = (...sample: string[]) => ({ count: sample.length, sample });
const newest = (ago: number) => [{ external: "NEW", service: "A-1", createdAt: now - ago }];

/** Returns the result of the only condition. */
function judged(asked: CheckConditions, facts: Partial<CheckFacts>) {
  const all = { ...quiet, ...facts };
  const [one, ...others] = conditionsOf(asked, all);
  if (one === undefined || others.length > 0) throw new Error("ask about one condition");
  return { ...one, words: conditionWords(one, all) };
}

describe("accounts pending for longer", () => {
  const asked = { pendingOlderThan: 24 * hour };

  test("are counted, with five examples at most", () => {
    const older = { count: 7, sample: ["A", "B", "C", "D", "E"] };
    expect(judged(asked, { pending: 9, older })).toMatchObject({
      condition: "pending-older-than",
      met: true,
      figure: 7,
      limit: 86_400,
      sample: ["A", "B", "C", "D", "E"],
      words: "7 accounts pending for more than 1 d",
    });
    expect(judged(asked, { pending: 9 })).toMatchObject({ met: false, figure: 0, sample: [] });
  });

  test("are not known while history is shorter and accounts are pending", () => {
    const short = { pending: 1, historySince: now - 2 * hour };
    expect(judged(asked, short)).toMatchObject({
      met: null,
      figure: 0,
      notKnown: "short-history",
      words:
        "0 accounts pending for more than 1 d; not known: lists are stored only since 2026-11-22 10:00 UTC",
    });
    expect(judged(asked, { pending: 1, historySince: null })).toMatchObject({
      met: null,
      notKnown: "no-history",
      words: expect.stringContaining("no earlier list is known on this machine"),
    });
    expect(judged(asked, { pending: 0, historySince: null })).toMatchObject({ met: false });
  });

  test("are not known if lists are not stored for longer, and accounts came since", () => {
    const pending = { pending: 1, historySince: now - 48 * hour };
    expect(judged(asked, { ...pending, unstoredSince: now - 25 * hour })).toMatchObject({
      met: null,
      notKnown: "not-stored",
      words: expect.stringContaining("lists are not stored since 2026-11-21 11:00 UTC"),
    });
    expect(judged(asked, { ...pending, unstoredSince: now - 23 * hour }).met).toBe(false);
    const older = some("OLD");
    expect(judged(asked, { ...pending, older, unstoredSince: now - 25 * hour }).met).toBe(true);
  });

  test("history that is exactly as long is enough", () => {
    expect(judged(asked, { pending: 1, historySince: now - 24 * hour })).toMatchObject({
      met: false,
    });
  });
});

describe("no import for", () => {
  const asked = { noImportFor: 2 * hour };

  test("is measured from the newest creation time, in seconds", () => {
    expect(judged(asked, { newest: newest(3 * hour), pending: 4 })).toMatchObject({
      met: true,
      figure: 10_800,
      limit: 7_200,
      sample: ["NEW"],
      words: "last import 3 h ago (limit 2 h)",
    });
    expect(judged(asked, { newest: newest(hour), pending: 4 })).toMatchObject({ met: false });
    expect(judged(asked, { newest: newest(2 * hour), pending: 4 })).toMatchObject({ met: false });
  });

  test("a creation time from a clock that is ahead is now", () => {
    expect(judged(asked, { newest: newest(-hour) })).toMatchObject({ met: false, figure: 0 });
  });

  test("without any import it is measured from the first stored list", () => {
    expect(judged(asked, { pending: 3, historySince: now - 5 * hour })).toMatchObject({
      met: true,
      figure: 18_000,
      words: "none imported for at least 5 h (limit 2 h)",
    });
    expect(judged(asked, { pending: 3, historySince: now - hour })).toMatchObject({
      met: null,
      figure: 3_600,
      notKnown: "short-history",
    });
    expect(judged(asked, { pending: 0, historySince: null })).toMatchObject({ met: false });
  });
});

describe("gone accounts", () => {
  const asked = { gone: true };

  test("are those that were verified", () => {
    const accounts = ["A", "B", "C", "D", "E", "F"];
    expect(judged(asked, { gone: { accounts, atLeast: false } })).toMatchObject({
      met: true,
      figure: 6,
      sample: accounts.slice(0, 5),
      words: "6 accounts gone",
    });
    expect(judged(asked, { gone: { accounts, atLeast: true } })).toMatchObject({
      met: true,
      words: "at least 6 accounts gone",
    });
    expect(judged(asked, {})).toMatchObject({ met: false, figure: 0 });
  });

  test("are not known without a stored list, or where none of the verified is among many", () => {
    expect(judged(asked, { gone: null })).toMatchObject({ met: null, notKnown: "no-history" });
    expect(judged(asked, { gone: { accounts: [], atLeast: true } })).toMatchObject({
      met: null,
      notKnown: "unverified",
    });
  });
});

test("unknown entries and accounts of a list that are not imported are counted", () => {
  expect(judged({ unknownWrites: true }, { unknownWrites: some("A") })).toMatchObject({
    met: true,
    figure: 1,
    sample: ["A"],
    words: "1 entry with an unknown outcome",
  });
  expect(judged({ list: "cohort" }, { notImported: some("A", "B") })).toMatchObject({
    condition: "cohort",
    met: true,
    figure: 2,
    words: "2 of the cohort not imported",
  });
  expect(judged({ list: "source" }, {})).toMatchObject({ condition: "source", met: false });
});

test("a list that is held back proves no absence of anything", () => {
  const isHeldBack = true;
  for (const asked of [{ pendingOlderThan: hour }, { gone: true }, { list: "cohort" }] as const)
    expect(judged(asked, { isHeldBack })).toMatchObject({ met: null, notKnown: "held-back" });
  expect(judged({ unknownWrites: true }, { isHeldBack })).toMatchObject({ met: false });
  expect(judged({ pendingOlderThan: hour }, { isHeldBack, older: some("A") })).toMatchObject({
    met: true,
  });
});

test("conditions come in the order of the help, and what is not known alarms", () => {
  const asked = {
    unknownWrites: true,
    gone: true,
    noImportFor: hour,
    pendingOlderThan: hour,
    list: "source",
  } as const;
  const conditions = conditionsOf(asked, { ...quiet, gone: null });
  expect(conditions.map(({ condition }) => condition)).toEqual([
    ...["pending-older-than", "no-import-for", "gone", "unknown-writes", "source"],
  ]);
  expect(conditions.map(isAlarming)).toEqual([false, false, true, false, false]);
});
