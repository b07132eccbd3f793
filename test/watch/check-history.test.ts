import { createCheckHistory } from "../../src/watch/check-history.ts";
import { observe, stateStart, type WatchSubject } from "../../src/watch/timeline.ts";

const account = (number: string): WatchSubject => ({ kind: "account", supplier: "ACME", number });
const minute = 60_000;

describe("what was seen of a subject in a session", () => {
  test("looks from different screens make one timeline", () => {
    const checkHistory = createCheckHistory();
    checkHistory.saw(account("EXT-1"), "UNKNOWN", 0);
    const timeline = checkHistory.saw({ ...account("EXT-1") }, "IN_PROGRESS", 5_000);
    expect(timeline.map(({ state }) => state)).toEqual(["UNKNOWN", "IN_PROGRESS"]);
    expect(checkHistory.of(account("EXT-1"))).toEqual(timeline);
  });

  test("an account and a supply point of the same name are two", () => {
    const checkHistory = createCheckHistory();
    checkHistory.saw(account("X"), "UNKNOWN", 0);
    expect(checkHistory.of({ ...account("X"), kind: "supply-point" })).toEqual([]);
  });

  test("what was stored earlier is taken over, and comes before what was observed since", () => {
    const checkHistory = createCheckHistory();
    const kept = observe([], { state: "IN_PROGRESS" }, 0);
    checkHistory.recall(account("EXT-1"), kept);
    expect(checkHistory.of(account("EXT-1"))).toEqual(kept);
    const seen = checkHistory.saw(account("EXT-2"), "COMPLETED", 9);
    checkHistory.recall(account("EXT-2"), kept);
    expect(checkHistory.of(account("EXT-2"))).toEqual([...kept, ...seen]);
  });

  test("a state that was observed earlier too has held since then", () => {
    const checkHistory = createCheckHistory();
    checkHistory.saw(account("EXT-1"), "IN_PROGRESS", minute);
    checkHistory.recall(account("EXT-1"), observe([], { state: "IN_PROGRESS" }, 0));
    expect(checkHistory.of(account("EXT-1"))).toEqual([
      { state: "IN_PROGRESS", firstSeenAt: 0, lastSeenAt: minute },
    ]);
  });

  test("of endless subjects those checked longest ago are forgotten", () => {
    const checkHistory = createCheckHistory();
    for (let n = 0; n < 2_000; n++) checkHistory.saw(account(`EXT-${n}`), "UNKNOWN", n);
    checkHistory.saw(account("EXT-0"), "UNKNOWN", 2_000);
    checkHistory.saw(account("one more"), "UNKNOWN", 2_001);
    expect(checkHistory.of(account("EXT-0"))).toHaveLength(1);
    expect(checkHistory.of(account("EXT-1"))).toEqual([]);
  });
});

describe("when a state began", () => {
  test("is not known of one that was there at the first look", () => {
    expect(stateStart([])).toBeNull();
    expect(stateStart(observe([], { state: "UNKNOWN" }, 7))).toEqual({ kind: "before", at: 7 });
  });

  test("is when it was first seen, where looks came in a row", () => {
    const timeline = observe(
      observe([], { state: "UNKNOWN" }, 0),
      { state: "IN_PROGRESS" },
      minute,
    );
    expect(stateStart(timeline)).toEqual({ kind: "seen", at: minute });
  });

  test("is somewhere between, after a while without checks", () => {
    const first = observe(observe([], { state: "UNKNOWN" }, 0), { state: "UNKNOWN" }, minute);
    const timeline = observe(first, { state: "COMPLETED" }, 30 * minute);
    expect(stateStart(timeline)).toEqual({ kind: "between", after: minute, at: 30 * minute });
  });
});
