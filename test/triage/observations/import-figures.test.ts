import { listedIn } from "../../../src/triage/observations/listed-account.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../../accounts/rows.ts";
import { fakeClock } from "../../helpers/clock.ts";

const minute = 60_000;

/** Observations, and a function that records a list some minutes after the one before. */
async function opened() {
  const clock = fakeClock();
  const observations = await openObservations({
    folder: null,
    origin: "https://service.example",
    clock,
    recording: true,
  });
  const observe = async (minutes: number, ...rows: Row[]) => {
    await clock.advance(minutes * minute);
    const recorder = observations.begin("ACME", clock.now());
    recorder.take(batchOf(rows));
    await recorder.finish();
  };
  return { observations, observe, clock };
}

const created = (ms: number) => new Date(ms).toISOString();

test("a supplier that was never observed has no figures", async () => {
  const { observations } = await opened();
  expect(await observations.importFigures("ACME")).toBeNull();
});

test("a duration counts from the first pending list to the creation of the account", async () => {
  const { observations, observe, clock } = await opened();
  await observe(1, ["OLD"]);
  await observe(10, ["OLD"], ["A"], ["B"]);
  const at = clock.now();
  await observe(
    20,
    ["OLD", "S-0", created(at + 2 * minute)],
    ["A", "S-1", created(at + 4 * minute)],
    ["B", "S-2", created(at - 90 * minute)],
    ["NEW", "S-3", created(at + 1 * minute)],
  );
  const figures = await observations.importFigures("ACME");
  // OLD was pending in the first list, and NEW was never pending. The time of B is before its list.
  expect(figures?.durations.toSorted((a, b) => a - b)).toEqual([4 * minute, 20 * minute]);
});

test("imports of the last hour, the newest, and the accounts that are pending for long", async () => {
  const { observations, observe, clock } = await opened();
  await observe(1, ["A"], ["B"]);
  const first = clock.now();
  await observe(120, ["A"], ["B"], ["C"]);
  const at = clock.now();
  await observe(
    1,
    ["A"],
    ["B"],
    ["C"],
    ["D", "S-1", created(at - 58 * minute)],
    ["E", "S-2", created(at - 61 * minute)],
    ["F", "S-3", created(at + 30 * minute)],
  );
  const figures = await observations.importFigures("ACME");
  expect(figures).toMatchObject({
    at: at + minute,
    importedLastHour: 1,
    newestAt: at - 58 * minute,
  });
  expect(await figures?.pendingBefore(first)).toBe(0);
  expect(await figures?.pendingBefore(at)).toBe(2);
  expect(await figures?.pendingBefore(at + minute)).toBe(3);
});

test("the facts of an account are its state, its pending time, and the last list that had it", async () => {
  const { observations, observe, clock } = await opened();
  await observe(1, ["A"], ["B"], ["C", "S-1", "2026-01-02T03:04:05Z"]);
  const first = clock.now();
  await observe(10, ["A"], ["B"], ["C", "S-1", "2026-01-02T03:04:05Z"]);
  const last = clock.now();
  await observe(10, ["A"], ["C", "S-1", "2026-01-02T03:04:05Z"]);
  const ages = await observations.ages("ACME");
  if (ages === null) throw new Error("never observed");
  const none = {
    at: clock.now(),
    leftAt: null,
    pendingUntil: null,
    createdAt: null,
    machines: null,
  };
  expect(listedIn(ages, "A", null)).toEqual({ ...none, state: "pending", pendingSince: first });
  expect(listedIn(ages, "B", null)).toEqual({
    ...{ ...none, state: "gone", pendingSince: first },
    leftAt: clock.now(),
    pendingUntil: last,
  });
  expect(listedIn(ages, "C", null)).toEqual({
    ...{ ...none, state: "imported", pendingSince: null },
    createdAt: Date.parse("2026-01-02T03:04:05Z"),
  });
  expect(listedIn(ages, "D", null)).toBeNull();
});
