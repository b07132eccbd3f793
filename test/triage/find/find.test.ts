import { ServiceError } from "../../../src/api/errors.ts";
import type { AccountStatus } from "../../../src/api/service.ts";
import { type FindSources, find } from "../../../src/triage/find/find.ts";
import { conclusionOf } from "../../../src/triage/find/found.ts";
import {
  type SearchedAccounts,
  storedAccounts,
  tableAccounts,
} from "../../../src/triage/find/searched-accounts.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { noListedTimes } from "../../../src/triage/verdict.ts";
import { createBudget } from "../../../src/watch/budget.ts";
import { batchOf, type Row, tableOf } from "../../accounts/rows.ts";
import { fakeClock } from "../../helpers/clock.ts";
import * as fc from "../../helpers/fast-check.ts";
import { isNear } from "../near.ts";

/** The accounts of a supplier: a list in memory, the lists that were observed, and its answers to 4.8. */
interface Supplied {
  readonly memory?: readonly Row[] | undefined;
  readonly memoryAt?: number;
  readonly observed?: readonly (readonly Row[])[];
  readonly statuses?: Readonly<Record<string, string | ServiceError>>;
}
type World = Readonly<Record<string, Supplied>>;

const hour = 3_600_000;
const start = Date.parse("2026-11-20T12:00:00Z");

/** Returns the time at which the nth list of a supplier was observed. */
const observedAt = (nth: number) => start + nth * hour;

const notFound = new ServiceError("not-found", "No.", { httpStatus: 404 });

/** Searches a world; `asked` has every request that was made. */
async function searched(
  wanted: readonly string[],
  world: World,
  { isAsking = true, signal = new AbortController().signal } = {},
) {
  const clock = fakeClock(start + 10 * hour);
  const asked: string[] = [];
  await using observations = await observed(world);
  const sources: FindSources = {
    suppliers: Object.keys(world),
    list: (supplier) => memoryOf(world[supplier]),
    stored: async (supplier) => {
      const ages = await observations.ages(supplier);
      return ages === null ? [] : [storedAccounts(ages)];
    },
    requests: isAsking
      ? {
          status: async (supplier, number) => {
            asked.push(`${supplier}/${number}`);
            return statusOf(world[supplier]?.statuses?.[number] ?? notFound);
          },
          budget: createBudget(clock, { perSecond: 1e9, burst: 8, inFlight: 8 }),
        }
      : null,
  };
  const search = await find(wanted, sources, { signal, now: clock.now });
  return { search, asked };
}

function memoryOf(supplied: Supplied | undefined): readonly SearchedAccounts[] {
  if (supplied?.memory === undefined) return [];
  const at = supplied.memoryAt ?? observedAt(9);
  return [tableAccounts(tableOf(supplied.memory), { at, isWhole: true })];
}

async function observed(world: World) {
  const clock = fakeClock(start + 10 * hour);
  const observations = await openObservations({
    folder: null,
    origin: "https://service",
    clock,
    recording: true,
  });
  for (const [supplier, { observed: lists = [] }] of Object.entries(world))
    for (const [nth, rows] of lists.entries()) {
      const recorder = observations.begin(supplier, observedAt(nth));
      const batch = batchOf(rows);
      await recorder.take(batch);
      await recorder.finish();
    }
  return Object.assign(observations, { [Symbol.asyncDispose]: () => observations.close() });
}

function statusOf(answer: string | ServiceError): AccountStatus {
  if (typeof answer !== "string") throw answer;
  return { status: answer, service_account_number: answer === "COMPLETED" ? "A-9" : "" };
}

const found = async (number: string, world: World, options?: Parameters<typeof searched>[2]) =>
  (await searched([number], world, options)).search.found(0);

/** The state of an account in the words of each source, and the source; null where no source has it. */
function expectedHit(number: string, { memory, memoryAt, observed = [], statuses = {} }: Supplied) {
  const stateIn = (rows: readonly Row[] | undefined) => {
    const row = rows?.find(([external]) => external === number);
    return row === undefined ? null : row[1] ? "imported" : "pending";
  };
  // An empty list behind another one is held back.
  const lists = observed.filter((rows, nth) => nth === 0 || rows.length > 0);
  const at = observedAt(observed.lastIndexOf(lists.at(-1) as readonly Row[]));
  let stored: string | null = null;
  for (const rows of lists) {
    const state = stateIn(rows);
    if (state !== null) stored = state;
    else if (stored === "pending") stored = "gone";
    else if (stored === "imported") stored = "removed";
  }
  const listed = stateIn(memory);
  const isStoredNewer = stored !== null && at > (memoryAt ?? observedAt(9));
  if (listed !== null && !isStoredNewer) return { source: "list", state: listed };
  const answer = statuses[number];
  if (typeof answer === "string") return { source: "status", state: answer };
  return stored === null ? null : { source: "observed", state: stored };
}

const numbers = fc.constantFrom("EXT-1", "EXT-01", "EXT-2", "ext-1", "N 1", "\u00c9-1", "9");
const row: fc.Arbitrary<Row> = fc.tuple(numbers, fc.constantFrom(null, "A-1"));
const rows = fc.uniqueArray(row, { maxLength: 5, selector: ([number]) => number });
const answer = fc.constantFrom<string | ServiceError>(
  ...["COMPLETED", "UNKNOWN", "SOMETHING_NEW"],
  notFound,
  new ServiceError("unavailable", "Down.", { httpStatus: 503 }),
);
const supplied: fc.Arbitrary<Supplied> = fc.record({
  memory: fc.option(rows, { nil: undefined }),
  memoryAt: fc.constantFrom(observedAt(0) + 1, observedAt(9)),
  observed: fc.array(rows, { maxLength: 2 }),
  statuses: fc.dictionary(numbers, answer, { maxKeys: 4 }),
});
const world: fc.Arbitrary<World> = fc.record({ ACME: supplied, NORTH: supplied });

test("each supplier's account is that of its newest source, as plain rules have it", async () => {
  const wanted = fc.uniqueArray(numbers, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(wanted, world, async (wanted, world) => {
      const { search, asked } = await searched(wanted, world);
      for (const [at, number] of wanted.entries()) {
        const result = search.found(at);
        const expected = Object.values(world).map((one) => expectedHit(number, one));
        expect(
          result.places.map(({ hit }) => hit && { source: hit.source, state: hit.state }),
        ).toEqual(expected);
        for (const [nth, supplier] of Object.keys(world).entries())
          expect(asked.includes(`${supplier}/${number}`)).toBe(expected[nth]?.source !== "list");
        const conclusion = conclusionOf(result, "status").kind;
        const isAnswered = Object.values(world).every(
          ({ statuses = {} }) => (statuses[number] ?? notFound) === notFound,
        );
        const isKnown = expected.some((hit) => hit !== null);
        expect(conclusion).toBe(isKnown ? "found" : isAnswered ? "not-found" : "not-known");
      }
    }),
    { numRuns: 150 },
  );
});

test("similar numbers are the only near one and all that contain the text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("EXT-1", "ext", "1", "\u00e9"), world, async (text, world) => {
      const { places } = await found(text, world, { isAsking: false });
      const isUnknown = places.every(({ hit }) => hit === null);
      for (const { supplier, near, containing: others } of places) {
        const { memory, observed = [] } = world[supplier] as Supplied;
        const lists = observed.filter((rows, nth) => nth === 0 || rows.length > 0);
        const newest = memory?.length ? memory : (lists.at(-1) ?? []);
        const listed = newest.map(([number]) => number);
        const similar = listed.filter((number) => isNear(number, text));
        const all = new Set([memory ?? [], ...lists].flat().map(([number]) => number));
        const containing = [...all].filter(
          (number) => number !== text && number.toLowerCase().includes(text.toLowerCase()),
        );
        const [only = null] = isUnknown && similar.length === 1 ? similar : [];
        expect(near?.number ?? null).toBe(only);
        expect(new Set(others.map(({ number }) => number))).toEqual(new Set(containing));
      }
    }),
    { numRuns: 150 },
  );
});

describe("the conclusion about a number", () => {
  test("it is never not found while a supplier has not answered", async () => {
    const down = new ServiceError("unavailable", "Down.", { httpStatus: 503 });
    const result = await found("EXT-1", {
      ACME: { memory: [["EXT-2"]] },
      NORTH: { statuses: { "EXT-1": down } },
    });
    expect(conclusionOf(result, "status")).toMatchObject({
      kind: "not-known",
      open: [{ supplier: "NORTH", answer: { kind: "failed", error: down } }],
    });
  });

  test("a whole list answers only where lists alone are asked for", async () => {
    const world = { ACME: { memory: [["EXT-2"]] }, NORTH: { observed: [[["EXT-3"]]] } } as const;
    const result = await found("EXT-1", world, { isAsking: false });
    expect(conclusionOf(result, "status")).toMatchObject({
      kind: "not-known",
      open: [{ supplier: "ACME" }, { supplier: "NORTH" }],
    });
    expect(conclusionOf(result, "lists")).toMatchObject({
      kind: "not-known",
      open: [{ supplier: "NORTH" }],
    });
  });

  test("without a supplier nothing is known", async () => {
    expect(conclusionOf(await found("EXT-1", {}), "lists").kind).toBe("not-known");
  });
});

test("a pending account has the time of the stored observations", async () => {
  const { places } = await found("EXT-1", {
    ACME: { memory: [["EXT-1"]], observed: [[["EXT-1"]], [["EXT-1"]]] },
  });
  expect(places[0]?.hit).toEqual({
    supplier: "ACME",
    number: "EXT-1",
    state: "pending",
    serviceNumber: null,
    times: { ...noListedTimes, pendingSince: observedAt(0) },
    source: "list",
    at: observedAt(9),
  });
});

test("an account of the stored observations has all times that lists have of it", async () => {
  const created = "2026-01-14T10:00:00Z";
  const observed: Row[][] = [[["EXT-1"], ["EXT-2", "A-2", created]], [["EXT-2", "A-2", created]]];
  const times = async (number: string, lists: readonly Row[][]) =>
    (await found(number, { ACME: { observed: lists } })).places[0]?.hit?.times;
  expect(await times("EXT-2", observed)).toEqual({
    ...noListedTimes,
    createdAt: Date.parse(created),
  });
  expect(await times("EXT-1", observed)).toEqual({
    ...noListedTimes,
    leftAt: observedAt(1),
    pendingSince: observedAt(0),
    pendingUntil: observedAt(0),
  });
});

test("of several lists of a supplier the newest one that has the account counts", async () => {
  const partOf = (rows: readonly Row[], nth: number) =>
    tableAccounts(tableOf(rows), { at: observedAt(nth), isWhole: nth === 1 });
  const sources: FindSources = {
    suppliers: ["ACME"],
    list: () => [
      partOf([["EXT-1"], ["EXT-2"]], 1),
      partOf([["EXT-1", "A-1"]], 3),
      partOf([["EXT-3"]], 2),
    ],
    stored: async () => [],
    requests: null,
  };
  const { signal } = new AbortController();
  const search = await find(["EXT-1", "EXT-3"], sources, { signal, now: Date.now });
  expect([search.found(0), search.found(1)].map(({ places: [place] }) => place)).toMatchObject([
    { hit: { state: "imported", at: observedAt(3) }, list: { at: observedAt(1), isWhole: true } },
    { hit: { state: "pending", at: observedAt(2) } },
  ]);
});

test("a source that cannot be read is reported, and the others are searched", async () => {
  const sources: FindSources = {
    suppliers: ["ACME", "NORTH"],
    list: (supplier) => {
      if (supplier === "ACME") throw new Error("cut off");
      return memoryOf({ memory: [["EXT-1"]] });
    },
    stored: async () => [],
    requests: null,
  };
  const { signal } = new AbortController();
  const search = await find(["EXT-1"], sources, { signal, now: Date.now });
  expect(search.found(0).places).toMatchObject([
    { list: { kind: "failed", error: new Error("cut off") }, stored: { kind: "nothing" } },
    { hit: { state: "pending" } },
  ]);
});

test("refused credentials end the requests", async () => {
  const refused = new ServiceError("unauthorized", "No.", { httpStatus: 401 });
  const wanted = Array.from({ length: 40 }, (_, at) => `EXT-${at}`);
  const statuses = Object.fromEntries(wanted.map((number) => [number, refused]));
  const { search, asked } = await searched(wanted, { ACME: { statuses } });
  expect(asked.length).toBeLessThanOrEqual(8);
  expect(search.found(39).places[0]?.answer).toMatchObject({ kind: "failed", error: refused });
});

test("at most a thousand requests are made, and the rest is not known", async () => {
  const wanted = Array.from({ length: 501 }, (_, at) => `EXT-${at}`);
  const { search, asked } = await searched(wanted, { ACME: {}, NORTH: {} });
  expect(asked).toHaveLength(1_000);
  expect(conclusionOf(search.found(499), "status").kind).toBe("not-found");
  expect(conclusionOf(search.found(500), "status")).toMatchObject({
    kind: "not-known",
    open: [{ supplier: "ACME" }, { supplier: "NORTH" }],
  });
});

test("what is in memory is known before anything is read", async () => {
  const { promise, resolve } = Promise.withResolvers<readonly []>();
  const sources: FindSources = {
    suppliers: ["ACME", "NORTH"],
    list: (supplier) => memoryOf({ memory: [[`${supplier}-1`]] }),
    stored: () => promise,
    requests: null,
  };
  const seen = Promise.withResolvers<readonly string[]>();
  const { signal } = new AbortController();
  const finding = find(["-1"], sources, {
    signal,
    now: Date.now,
    onProgress: (search, { phase }) => {
      const { places } = search.found(0);
      if (phase === "similar")
        seen.resolve(places.flatMap(({ containing }) => containing.map(({ number }) => number)));
    },
  });
  expect(await seen.promise).toEqual(["ACME-1", "NORTH-1"]);
  resolve([]);
  await finding;
});

test("an ended search rejects with the reason", async () => {
  const ending = new AbortController();
  const sources: FindSources = {
    suppliers: ["ACME"],
    list: () => [],
    stored: async () => {
      ending.abort(new Error("typed on"));
      return [];
    },
    requests: null,
  };
  const finding = find(["EXT-1"], sources, { signal: ending.signal, now: Date.now });
  await expect(finding).rejects.toThrow("typed on");
});

test("after the first list, four are read at the same time, and a failed one is reported in its turn", async () => {
  const suppliers = ["A", "B", "C", "D", "E", "F"];
  const open = new Map<string, PromiseWithResolvers<readonly SearchedAccounts[]>>();
  let most = 0;
  const sources: FindSources = {
    suppliers,
    list(supplier) {
      const list = Promise.withResolvers<readonly SearchedAccounts[]>();
      open.set(supplier, list);
      most = Math.max(most, open.size);
      return list.promise.finally(() => open.delete(supplier));
    },
    stored: async () => [],
    requests: null,
  };
  const ended = find(["X-1"], sources, { signal: new AbortController().signal, now: () => start });
  const isOpen = (...codes: readonly string[]) =>
    expect.poll(() => [...open.keys()].join()).toBe(codes.join());
  // The first list shows if the credentials are refused.
  await isOpen("A");
  open.get("A")?.resolve([]);
  await isOpen("B", "C", "D", "E");
  // A later list that ends first waits for its turn.
  open.get("C")?.reject(new Error("broken"));
  await isOpen("B", "D", "E");
  for (const [supplier, { resolve }] of open)
    resolve([tableAccounts(tableOf([[`${supplier}-1`]]), { at: start, isWhole: true })]);
  await isOpen("F");
  open.get("F")?.resolve([]);
  const { places } = (await ended).found(0);
  expect(most).toBe(4);
  expect(places.map(({ list }) => list.kind)).toEqual([
    ...["nothing", "searched", "failed", "searched", "searched", "nothing"],
  ]);
});
