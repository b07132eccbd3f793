/** Promise: whatever lists come in whatever order, what is stored is what replaying them plainly gives. */

import type { Change, Observations } from "../../../src/triage/observations/observations.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../../accounts/rows.ts";
import { clockOf } from "../../helpers/clock.ts";
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  record,
  tuple,
} from "../../helpers/fast-check.ts";
import { Model } from "./model.ts";

const hour = 3_600_000;
const start = Date.parse("2026-01-15T09:00:00Z");
const supplier = "ACME";
const created = "2026-01-02T03:04:05Z";

/** Rows in short: numbers of nine accounts, each pending or with one of two numbers. */
const rowOf = tuple(
  integer({ min: 0, max: 8 }),
  constantFrom(null, null, "A-1", "A-2"),
  boolean(),
).map(([number, service, isDated]): Row => [`E-${number}`, service, isDated ? created : null]);
const step = record({
  rows: array(rowOf, { maxLength: 12 }),
  pauseHours: constantFrom(0, 1, 1, 1, 30),
  /** The load began before the one that is recorded last. */
  isLate: constantFrom(false, false, false, true),
  /** A second list is compared before this one is recorded, and recorded after it. */
  other: array(rowOf, { maxLength: 9 }),
  isCrossed: boolean(),
  isConfirmed: boolean(),
});

/** One row for each account: which of several rows counts is another matter. */
function single(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row[0], row])).values()];
}

function sorted(changes: readonly Change[]): string[] {
  const words = changes.map(
    ({ seenAt, external, change, from, to }) => `${seenAt} ${external} ${change} ${from} ${to}`,
  );
  return words.toSorted();
}

async function compare(observations: Observations, model: Model): Promise<void> {
  expect(sorted(await observations.changes(supplier, null))).toEqual(sorted(model.changes));
  const ages = await observations.ages(supplier);
  if (ages === null) {
    expect(model.accounts.size).toBe(0);
    return;
  }
  expect(ages.rows).toBe(model.accounts.size);
  const gone = [...model.accounts].filter(([, { state }]) => state === "gone");
  expect([...ages.gone()].map(({ external }) => external).toSorted()).toEqual(
    gone.map(([number]) => number).toSorted(),
  );
  const stored = [...model.accounts.keys()].map((number) => {
    const row = ages.rowOf(number);
    return [number, ages.firstSeen(row), ages.pendingSince(row), ages.goneAt(row)].join(" ");
  });
  const replayed = [...model.accounts].map(([number, account]) =>
    [
      number,
      account.firstSeen,
      account.state === "pending" ? account.pendingSince : Number.NaN,
      account.state === "gone" ? account.leftAt : Number.NaN,
    ].join(" "),
  );
  expect(stored).toEqual(replayed);
  const listed = [...model.accounts.values()];
  const since = listed.filter(({ state }) => state === "pending").map((one) => one.pendingSince);
  const day = 24 * hour;
  const now = ages.observedAt + day / 2;
  expect(await observations.summary(supplier, now)).toMatchObject({
    oldestPendingSince: since.length === 0 ? null : Math.min(...since),
    pendingOverADay: since.filter((time) => time <= now - day).length,
  });
  expect((await observations.counts(supplier, null)).at(-1)).toMatchObject({
    pending: listed.filter(({ state }) => state === "pending").length,
    imported: listed.filter(({ state }) => state === "imported").length,
    gone: gone.length,
  });
}

/** A process in memory whose clock is `now`. */
async function opened(now: () => number) {
  const clock = clockOf({ now, sleep: () => Promise.withResolvers<void>().promise });
  const options = { folder: null, origin: "https://service.example", clock, recording: true };
  const observations = await openObservations(options);
  const begin = async (rows: readonly Row[], at: number) => {
    const load = observations.begin(supplier, at);
    await load.take(batchOf(rows));
    return async () => (await load.finish()).kind;
  };
  return { observations, begin };
}

describe("random histories", () => {
  test("lists that come, go, return, are renumbered, reordered, doubled, empty, late or crossed", async () => {
    await assert(
      asyncProperty(array(step, { maxLength: 12 }), async (steps) => {
        const model = new Model();
        let now = start;
        const { observations, begin } = await opened(() => now);
        for (const one of steps) {
          now += one.pauseHours * hour;
          const at = one.isLate ? now - 10 * hour : now;
          const rows = one.isCrossed ? single(one.rows) : one.rows;
          const finish = await begin(rows, at);
          const finishOther = one.isCrossed ? await begin(single(one.other), now) : null;
          expect(await finish()).toBe(model.record(rows, at));
          expect(await finishOther?.()).toBe(
            one.isCrossed ? model.record(single(one.other), now) : undefined,
          );
          if (one.isConfirmed) expect(await observations.confirm(supplier)).toBe(model.confirm());
        }
        await compare(observations, model);
        await observations.close();
      }),
      { numRuns: 40 },
    );
  });

  test("more accounts than a block holds, in another order each time", async () => {
    const model = new Model();
    let now = start;
    const { observations, begin } = await opened(() => now);
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const numbers = Array.from({ length: 9_000 }, (_, at) => `EXT-${at}`);
    for (let load = 1; load <= 6; load++) {
      const isShuffled = load % 2 === 0;
      const listed = numbers.slice(0, 5_000 + load * 600).filter(() => random() > 0.05);
      const order = isShuffled ? listed.toSorted(() => random() - 0.5) : listed;
      const rows = order.map(
        (number): Row =>
          random() > 0.5 ? [number, `A-${Math.floor(random() * 3)}`, created] : [number],
      );
      const at = start + load * hour;
      now = at;
      expect(await (await begin(rows, at))()).toBe(model.record(rows, at));
    }
    await compare(observations, model);
    await observations.close();
  });
});
