import { AccountListStore } from "../../src/accounts/account-list.ts";
import { batchFilter, FilterRun } from "../../src/accounts/filter.ts";
import type { AccountFacts, AgeFacts, Loadable } from "../../src/accounts/filter-facts.ts";
import { applicableFilter } from "../../src/accounts/filter-facts.ts";
import { parseFilter } from "../../src/accounts/filter-query.ts";
import { FilterCache } from "../../src/accounts/filter-word.ts";
import type { AccountBatch } from "../../src/accounts/ingest/batch.ts";
import { BatchBuilder } from "../../src/accounts/ingest/batch-builder.ts";
import type { ListEnd } from "../../src/accounts/ingest/read-list.ts";
import type { AccountTable } from "../../src/accounts/table.ts";
import { batchOf, manyRows, type Row, tableOf } from "./rows.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 22, 18, 0);

interface Stored {
  readonly hoursPending: number | null;
  readonly isNew?: boolean;
}

const decoder = new TextDecoder();

/** Ages by number, as a store of observations would answer. */
function agesOf(stored: Readonly<Record<string, Stored>>): AgeFacts & { asked: number } {
  const names = Object.keys(stored);
  const places = new Map(names.map((name, at) => [name, at]));
  const at = (row: number) => stored[names[row] ?? ""];
  return {
    asked: 0,
    find(bytes, from, to) {
      this.asked += 1;
      return places.get(decoder.decode(bytes.subarray(from, to))) ?? -1;
    },
    pendingSince: (row) => now - (at(row)?.hoursPending ?? Number.NaN) * hour,
    isNew: (row) => at(row)?.isNew ?? true,
  };
}

function factsOf(of: {
  readonly ages?: Loadable<AgeFacts>;
  readonly cohorts?: Readonly<Record<string, readonly string[]>>;
  readonly withoutGone?: string | null;
}): AccountFacts {
  return {
    ages: of.ages ?? { kind: "unknown", why: "ACME was never observed." },
    cohort: (name) => {
      const members = of.cohorts?.[name];
      if (members === undefined) return { kind: "unknown", why: `There is no cohort "${name}".` };
      const has = (bytes: Uint8Array, from: number, to: number) =>
        members.includes(decoder.decode(bytes.subarray(from, to)));
      return { kind: "known", value: { has } };
    },
    withoutGone: of.withoutGone ?? null,
  };
}

const rows: readonly Row[] = [
  ["OLD"],
  ["YOUNG"],
  ["DONE", "A-1", "2026-11-20T10:00:00Z"],
  ["FRESH"],
  ["BACK"],
];
const ages = agesOf({
  OLD: { hoursPending: 216, isNew: false },
  YOUNG: { hoursPending: 3 },
  DONE: { hoursPending: null, isNew: false },
  // Stored as imported, and pending on this list.
  BACK: { hoursPending: null, isNew: false },
});
const facts = factsOf({
  ages: { kind: "known", value: ages },
  cohorts: { wave3: ["OLD", "DONE", "ELSEWHERE"] },
});

function goneBatch(externals: readonly string[]): AccountBatch {
  const builder = new BatchBuilder("gone");
  for (const external of externals) builder.addTexts(external, null, null);
  const batch = builder.take();
  if (batch === null) throw new Error("no rows");
  return batch;
}

const withGone: AccountTable = tableOf(rows);
withGone.append(goneBatch(["LOST"]));

const externalsOf = (table: AccountTable, found: readonly number[]) =>
  found.map((row) => table.externalAt(row));

function inTable(table: AccountTable, text: string, known = facts): readonly number[] {
  const run = new FilterRun(
    table,
    parseFilter(text, now),
    new FilterCache(undefined, { facts: known, now: () => now }),
  );
  while (!run.caughtUp) run.advance();
  return Array.from({ length: run.count }, (_, at) => run.rows.at(at));
}

const streamed = (batch: AccountBatch, text: string, known = facts) =>
  batchFilter(parseFilter(text, now), undefined, { facts: known, now })(batch);

describe("what a word about facts means", () => {
  test.each<[string, string[]]>([
    ["age:>24h", ["OLD"]],
    ["AGE:>1d", ["OLD"]],
    ["age:<2d", ["YOUNG", "FRESH", "BACK"]],
    ["age:>3h", ["OLD"]],
    ["age:>2h59m", ["OLD", "YOUNG"]],
    ["age:>2h age:<1d", ["YOUNG"]],
    ["!age:>24h", ["YOUNG", "DONE", "FRESH", "BACK", "LOST"]],
    ["!age:>24h pending", ["YOUNG", "FRESH", "BACK"]],
    ["since:2026-11-22", ["YOUNG", "FRESH", "BACK"]],
    ["since:today", ["YOUNG", "FRESH", "BACK"]],
    ["since:2026-11-13T18:00Z", ["OLD", "YOUNG", "FRESH", "BACK"]],
    ["since:2026-11-13T18:00:01Z", ["YOUNG", "FRESH", "BACK"]],
    ["since:4h", ["YOUNG", "FRESH", "BACK"]],
    ["!since:2026-11-22 pending", ["OLD"]],
    ["is:gone", ["LOST"]],
    ["!is:gone ~o", ["OLD", "YOUNG", "DONE"]],
    ["gone", ["LOST"]],
    ["imported", ["DONE"]],
    ["!imported", ["OLD", "YOUNG", "FRESH", "BACK", "LOST"]],
    ["is:new", ["YOUNG", "FRESH", "LOST"]],
    ["IS:NEW !is:gone", ["YOUNG", "FRESH"]],
    ["!is:new", ["OLD", "DONE", "BACK"]],
    ["cohort:wave3", ["OLD", "DONE"]],
    ["!cohort:wave3", ["YOUNG", "FRESH", "BACK", "LOST"]],
    ["cohort:wave3 age:>24h ext:o", ["OLD"]],
  ])("%s", (text, externals) => {
    expect(parseFilter(text, now).problem).toBeNull();
    expect(externalsOf(withGone, inTable(withGone, text))).toEqual(externals);
    const listed = batchOf(rows);
    const lost = goneBatch(["LOST"]);
    const all = [
      ...streamed(listed, text).map((row) => rows[row]?.[0]),
      ...streamed(lost, text).map(() => "LOST"),
    ];
    expect(all).toEqual(externals);
  });

  test.each([
    ["age:24h", '"age:24h" has no comparison: write > for longer or < for less, as in age:>24h.'],
    ["age:", '"age:" has no duration: write one, as in age:>24h or age:<2d.'],
    ["!age:>", '"!age:>" has no duration: write one, as in age:>24h or age:<2d.'],
    ["age:>24", '"age:>24" has no unit: write d, h, m or s, as in age:>24h.'],
    ["age:>2w", '"age:>2w" has an invalid duration: use d, h, m and s, as in age:>24h.'],
    ["since:", '"since:" has no time: write one, as in since:2026-11-20.'],
    [
      "since:20/11/2026",
      '"since:20/11/2026" has an invalid time: write it without spaces, as in since:2026-11-20 or since:2026-11-20T14:00.',
    ],
    ["since:2026-11-23", '"since:2026-11-23" is in the future: name a time before now.'],
    ["is:late", 'Unknown filter "is:late". Use is:marked, is:new or is:gone.'],
    ["is:", 'Unknown filter "is:". Use is:marked, is:new or is:gone.'],
    ["!is:pending", 'There is no "!is:pending": write !pending alone.'],
    ["cohort:", '"cohort:" has no name: write the name of a cohort after it.'],
    [
      "state:pending",
      'Unknown prefix "state": use ext:, svc:, created:, is:, age:, since: or cohort:, as in ext:state:pending.',
    ],
  ])("%s is refused, and the other words still hold", (text, problem) => {
    const query = parseFilter(`OLD ${text}`, now);
    expect(query.problem).toBe(problem);
    expect(query.words).toHaveLength(1);
  });
});

describe("what is not known", () => {
  const asked = (text: string, known: AccountFacts) =>
    applicableFilter(parseFilter(text, now), known);

  test("a word that cannot be answered is left out, with the reason", () => {
    const known = factsOf({ withoutGone: "Gone accounts are on the Gone tab." });
    for (const [text, why] of [
      ["age:>24h", "ACME was never observed."],
      ["since:yesterday", "ACME was never observed."],
      ["!is:new", "ACME was never observed."],
      ["is:gone", "Gone accounts are on the Gone tab."],
      ["cohort:wave9", 'There is no cohort "wave9".'],
    ] as const) {
      const { query, reading } = asked(`OLD ${text}`, known);
      expect({ problem: query.problem, reading }).toEqual({ problem: why, reading: null });
      expect(query.words).toHaveLength(1);
    }
  });

  test("what is being read is named", () => {
    const reading = { kind: "reading" } as const;
    const known = { ...facts, ages: reading, cohort: () => reading };
    expect(asked("OLD age:>1h", known).reading).toBe("ages");
    expect(asked("cohort:wave3", known).reading).toBe("cohort wave3");
    expect(asked("OLD is:gone", known).reading).toBeNull();
  });
});

/** 34,000 accounts in three blocks; every fifth is pending, for as many hours as its row. */
const many = manyRows(34_000);
const large = tableOf(many);
const pendingHours = new Map(many.flatMap(([name, service], at) => (service ? [] : [[name, at]])));
const manyAges = agesOf(
  Object.fromEntries(
    many.map(([name], at) => [
      name,
      { hoursPending: pendingHours.get(name) ?? null, isNew: at % 7 === 0 },
    ]),
  ),
);
const manyFacts = factsOf({ ages: { kind: "known", value: manyAges } });

test.each([
  "age:>20000h",
  "!age:>20000h",
  "age:<50h EXT-00",
  "is:new 9",
  "!is:new",
  "is:new is:gone",
])("%s finds the same rows in full blocks and row by row", (text) => {
  expect(inTable(large, text, manyFacts)).toEqual(streamed(batchOf(many), text, manyFacts));
});

test("ages are looked up once for each account, whatever is typed behind them", () => {
  const known = new FilterCache(undefined, { facts: manyFacts, now: () => now });
  const table = tableOf(many.slice(0, 16_384));
  manyAges.asked = 0;
  for (const text of ["age:>20h", "age:>200h", "since:2025-01-01", "age:>200h 1", "age:>200h 12"]) {
    const run = new FilterRun(table, parseFilter(text, now), known);
    while (!run.caughtUp) run.advance();
  }
  expect(manyAges.asked).toBe(3_277);
});

describe("in a list", () => {
  async function* source(): AsyncGenerator<AccountBatch, ListEnd, void> {
    yield batchOf(rows);
    return { rows: rows.length, unreadableRows: 0, bytes: 0, receivedAt: now };
  }
  const shown = (store: AccountListStore) => store.slice(0, 99).map(({ external }) => external);
  const all = ["OLD", "YOUNG", "DONE", "FRESH", "BACK"];

  test("rows stay as they are while ages are being read, and nothing is marked", async () => {
    const store = new AccountListStore({ now: () => now });
    store.setFacts({ ...facts, ages: { kind: "reading" } });
    store.setFilter("age:>24h");
    await store.load(source);
    expect(store.getSnapshot().filter).toEqual({
      text: "age:>24h",
      settled: false,
      problem: null,
      reading: "ages",
      cohort: null,
    });
    expect(shown(store)).toEqual(all);
    store.markMatching();
    expect(store.getSnapshot().marks).toBe(0);

    store.setFacts(facts);
    await store.settled();
    expect(store.getSnapshot().filter).toMatchObject({ settled: true, reading: null });
    expect(shown(store)).toEqual(["OLD"]);
    store.markMatching();
    expect(store.marks.externals()).toEqual(["OLD"]);
    store.dispose();
  });

  test("rows are chosen again when other ages are known", async () => {
    const store = new AccountListStore({ now: () => now });
    store.setFacts(facts);
    await store.load(source);
    store.setFilter("age:>24h");
    await store.settled();
    expect(shown(store)).toEqual(["OLD"]);
    const later = agesOf({ YOUNG: { hoursPending: 30 } });
    store.setFacts(factsOf({ ages: { kind: "known", value: later } }));
    await store.settled();
    expect(shown(store)).toEqual(["YOUNG"]);
    await store.load(source);
    await store.settled();
    expect(shown(store)).toEqual(["YOUNG"]);
    store.dispose();
  });

  test("a list without observations shows all rows and says why", async () => {
    const store = new AccountListStore({ now: () => now });
    await store.load(source);
    store.setFilter("age:>24h");
    await store.settled();
    expect(shown(store)).toEqual(all);
    expect(store.getSnapshot().filter.problem).toBe("Ages of accounts are not known here.");
    store.setFilter("cohort:wave3");
    expect(store.getSnapshot().filter.problem).toBe('There is no cohort "wave3".');
    store.dispose();
  });

  test("a filter word that grows replaces its earlier results", async () => {
    const store = new AccountListStore({ now: () => now });
    await store.load(source);
    store.setFacts(facts);
    for (const text of ["a", "ag", "age", "age:", "age:>", "age:>2", "age:>24", "age:>24h"])
      store.setFilter(text);
    await store.settled();
    expect(shown(store)).toEqual(["OLD"]);
    store.setFilter("");
    await store.settled();
    expect(shown(store)).toEqual(all);
    store.dispose();
  });
});
