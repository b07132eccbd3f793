import { NumberSet, numberColumn } from "../../../src/triage/account-numbers.ts";
import { ListMembers } from "../../../src/triage/list-watch/list-members.ts";
import { batchOf, imported, indexOf, type Listed, others, pending } from "./lists.ts";

const membersOf = (...numbers: string[]) => new ListMembers(indexOf(...numbers));

/** Late enough to look up again. */
const later = 60_000;

/** Takes one complete list, and returns what is news as `number state`. */
function round(members: ListMembers, listed: Listed, trusted: boolean | null = null) {
  members.begin();
  if (listed.length > 0) members.take(batchOf(listed));
  const { seen, isHeldBack } = members.finish(listed.length, trusted);
  const news = [...seen].filter(({ state, previous }) => state !== previous);
  return { isHeldBack, news: news.map(({ number, state }) => `${number} ${state}`) };
}

describe("a complete list", () => {
  test("shows the watched accounts on it, in their order, and nothing of others", () => {
    const members = membersOf("C", "A", "B");
    const { news, isHeldBack } = round(members, [
      ...others(5),
      ...pending("A"),
      ...imported("B", "C"),
    ]);
    expect(news).toEqual(["C COMPLETED", "A pending", "B COMPLETED"]);
    expect(isHeldBack).toBe(false);
    expect(members.open).toBe(1);
  });

  test("gives the service account number of an imported account", () => {
    const members = membersOf("Ωé", "日本");
    members.begin();
    members.take(batchOf([...imported("日本"), ...pending("Ωé")]));
    expect([...members.finish(2).seen]).toEqual([
      { number: "Ωé", state: "pending", serviceNumber: "", previous: null, hasFailed: false },
      {
        number: "日本",
        state: "COMPLETED",
        serviceNumber: "S-日本",
        previous: null,
        hasFailed: false,
      },
    ]);
  });

  test("a complete list reports only accounts whose state changed", () => {
    const members = membersOf("A", "B");
    expect(round(members, pending("A", "B")).news).toHaveLength(2);
    expect(round(members, pending("A", "B")).news).toEqual([]);
    expect(round(members, [...imported("A"), ...pending("B")]).news).toEqual(["A COMPLETED"]);
    expect(round(members, [...imported("A"), ...pending("B")]).news).toEqual([]);
  });

  test("an account listed twice is imported if one of its rows is", () => {
    const members = membersOf("A", "B");
    const { news } = round(members, [...imported("A"), ...pending("A", "B"), ...imported("B")]);
    expect(news).toEqual(["A COMPLETED", "B COMPLETED"]);
  });

  test("counts an account once that is watched twice, and ignores rows without a number", () => {
    const members = membersOf("A", "", "A", "B");
    expect(members.open).toBe(2);
    expect(round(members, pending("A", "B")).news).toEqual(["A pending", "B pending"]);
  });

  test("an incomplete list shows no states", () => {
    const members = membersOf("A", "B");
    round(members, pending("A", "B"));
    members.begin();
    members.take(batchOf(imported("A")));
    // The next round begins without the end of that one.
    expect(round(members, pending("A", "B")).news).toEqual([]);
    expect(members.open).toBe(2);
    expect(members.due(later)).toBeNull();
  });
});

describe("an account that leaves the list", () => {
  test("is looked up once per round; UNKNOWN after two of them means that the attempt failed", () => {
    const members = membersOf("A", "B");
    round(members, pending("A", "B"));
    round(members, pending("B"));
    expect(members.due(later)).toBe("A");
    expect(members.lookedUp("A", "UNKNOWN", "", 1)).toBeNull();
    expect(members.due(later)).toBeNull();
    round(members, pending("B"));
    expect(members.due(later)).toBe("A");
    expect(members.lookedUp("A", "UNKNOWN", "", 2)).toMatchObject({
      state: "UNKNOWN",
      hasFailed: true,
      previous: "pending",
    });
    expect(members.open).toBe(1);
    expect(members.due(later)).toBeNull();
  });

  test("an account that returns was missing from only one list", () => {
    const members = membersOf("A");
    round(members, pending("A", "X"));
    round(members, pending("X"));
    members.lookedUp("A", "UNKNOWN", "", 1);
    expect(round(members, pending("A", "X")).news).toEqual([]);
    round(members, pending("X"));
    expect(members.lookedUp("A", "UNKNOWN", "", 3)).toBeNull();
    expect(members.open).toBe(1);
  });

  test("and is in progress has failed when it is UNKNOWN next", () => {
    const members = membersOf("A");
    round(members, pending("A", "X"));
    round(members, pending("X"));
    expect(members.lookedUp("A", "IN_PROGRESS", "", 1)).toMatchObject({
      state: "IN_PROGRESS",
      hasFailed: false,
    });
    round(members, pending("X"));
    expect(members.lookedUp("A", "UNKNOWN", "", 2)).toMatchObject({ hasFailed: true });
  });

  test("is completed when its status says so, before a list does", () => {
    const members = membersOf("A");
    round(members, pending("A", "X"));
    round(members, pending("X"));
    expect(members.lookedUp("A", "COMPLETED", "S-1", 1)).toMatchObject({
      state: "COMPLETED",
      serviceNumber: "S-1",
    });
    expect(members.open).toBe(0);
  });

  test("comes before those that were looked up earlier, and the failed ones before the others", () => {
    const members = membersOf("A", "B", "C");
    round(members, pending("B", "C"));
    expect(members.due(later)).toBe("A");
    members.lookedUp("A", "IN_PROGRESS", "", 1);
    round(members, pending("C"));
    expect(members.due(later)).toBe("B");
    members.lookedUp("B", "UNKNOWN", "", 2);
    expect(members.due(later)).toBe("A");
    members.lookUpFailed("A", 3);
    round(members, []);
    // The list is empty: held back, so C has not left and no round is counted.
    expect(members.due(later)).toBeNull();
    round(members, pending("X"));
    expect(members.due(later)).toBe("C");
    members.lookedUp("C", "404", "", 4);
    expect(members.due(later)).toBe("B");
  });
});

test("an account on no list from the beginning is looked up; UNKNOWN does not end it", () => {
  const members = membersOf("A");
  round(members, pending("X"));
  expect(members.due(later)).toBe("A");
  expect(members.lookedUp("A", "UNKNOWN", "", 1)).toMatchObject({
    previous: null,
    hasFailed: false,
  });
  round(members, pending("X"));
  expect(members.lookedUp("A", "UNKNOWN", "", 2)).toMatchObject({
    previous: "UNKNOWN",
    hasFailed: false,
  });
  round(members, pending("X"));
  expect(members.lookedUp("A", "404", "", 3)).toMatchObject({ state: "404", previous: "UNKNOWN" });
  members.close("A");
  members.close("A");
  expect(members.open).toBe(0);
  expect(members.lookedUp("A", "COMPLETED", "S", 4)).toBeNull();
});

describe("a suspicious list", () => {
  test("that is empty marks no account as left, until one is not", () => {
    const members = membersOf("A");
    expect(round(members, []).isHeldBack).toBe(false);
    round(members, pending("A"));
    expect(round(members, []).isHeldBack).toBe(true);
    expect(members.due(later)).toBeNull();
    expect(round(members, pending("X")).isHeldBack).toBe(false);
    expect(members.due(later)).toBe("A");
  });

  test("that lost more than half of more than 100 accounts still shows those on it", () => {
    const members = membersOf("A", "B");
    round(members, [...others(100), ...pending("A", "B")]);
    const { news, isHeldBack } = round(members, [...others(49), ...imported("A")]);
    expect(isHeldBack).toBe(true);
    expect(news).toEqual(["A COMPLETED"]);
    expect(members.due(later)).toBeNull();
    expect(round(members, others(51)).isHeldBack).toBe(false);
    expect(members.due(later)).toBe("B");
  });

  test.each([
    [100, 1],
    [101, 51],
  ])("is not one of %i accounts that has %i now", (before, now) => {
    const members = membersOf("A");
    round(members, [...others(before - 1), ...pending("A")]);
    expect(round(members, others(now)).isHeldBack).toBe(false);
  });

  test("is judged by what knows earlier lists, where something does", () => {
    const members = membersOf("A");
    expect(round(members, pending("X"), false).isHeldBack).toBe(true);
    expect(members.due(later)).toBeNull();
    round(members, pending("A"), true);
    expect(round(members, [], true).isHeldBack).toBe(false);
    expect(members.due(later)).toBe("A");
  });
});

test("an account that is on no list is looked up again after half a minute, not in each round", () => {
  const members = membersOf("A");
  round(members, pending("X"));
  members.lookedUp("A", "IN_PROGRESS", "", 1_000);
  round(members, pending("X"));
  expect(members.due(30_999)).toBeNull();
  expect(members.due(31_000)).toBe("A");
});

test("members that change keep what is known of those that stay", () => {
  const members = membersOf("A", "B", "C", "D");
  round(members, pending("A", "B", "D"));
  round(members, [...pending("A"), ...imported("D")]);
  members.lookedUp("B", "UNKNOWN", "", 1);
  const next = new ListMembers(indexOf("D", "NEW", "B", "A"), members);
  expect(next.open).toBe(4);
  expect(round(next, [...pending("A", "NEW"), ...imported("D")]).news).toEqual([
    "D COMPLETED",
    "NEW pending",
  ]);
  expect(next.due(later)).toBe("B");
  expect(next.lookedUp("B", "UNKNOWN", "", 2)).toMatchObject({ hasFailed: true });
});

test("a hundred thousand watched accounts are found in any order", () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => `EXT-${String(at).padStart(7, "0")}`);
  const members = new ListMembers(new NumberSet(numberColumn(numbers)));
  const listed = numbers.map((number): Listed[number] => [number, `S-${number}`]);
  const { news } = round(members, listed.toReversed());
  expect(news).toHaveLength(numbers.length);
  expect(news[0]).toBe("EXT-0000000 COMPLETED");
  expect(members.open).toBe(0);
});
