/** The contract of a team's memory: the same for the one of the tests and for the SQL. */
import type { SharedRow, TeamMemory } from "../../../src/writes/team/memory.ts";

/** Opens the memory of an empty team for a machine. */
export type OpenTestMemory = (machine: string) => Promise<TeamMemory>;

const bytes = (...values: readonly number[]) => new Uint8Array(values);

export function row(number: number, given: Partial<SharedRow> = {}): SharedRow {
  return {
    number,
    token: crypto.randomUUID(),
    at: 1_000 * number,
    entries: 1,
    facts: [1, 2, 0, 3, null, 3, 3, 0, 0, 0, 0, 0, 0],
    pendingSince: [[5, 1]],
    moves: bytes(number, 255),
    contents: bytes(number, 0),
    dates: null,
    forgetBefore: null,
    ...given,
  };
}

/** Begins the list of a supplier with one row and a snapshot of two parts. */
export async function begun({ lists }: TeamMemory, first = row(1)): Promise<SharedRow> {
  const snapshot = crypto.randomUUID();
  await lists.putPart("ACME", snapshot, 0, bytes(1, 2));
  await lists.putPart("ACME", snapshot, 1, bytes(3));
  const beginning = { snapshot, parts: 2, observations: 7 };
  expect(await lists.append("ACME", null, [first], { firstAt: 900, beginning })).toBe(1);
  return first;
}

export function listsContract(open: () => Promise<OpenTestMemory>): void {
  test("the first list begins the sequence, and only one machine's does", async () => {
    const memory = await open();
    const [a, b] = [await memory("a"), await memory("b")];
    expect(await a.lists.since("ACME", null, null)).toBeNull();
    const first = await begun(a);
    const other = { snapshot: crypto.randomUUID(), parts: 0, observations: 1 };
    const late = await b.lists.append("ACME", null, [row(1)], { firstAt: 1, beginning: other });
    expect(late).toBeNull();
    const page = await b.lists.since("ACME", null, null);
    expect(page).toEqual({
      newest: { number: 1, token: first.token },
      firstAt: 900,
      observations: 7,
      machines: 1,
      snapshot: { id: expect.any(String), parts: 2, number: 1 },
      rows: [{ ...first, machine: "a", person: "person of a" }],
      held: null,
    });
    expect(await b.lists.part(page?.snapshot?.id ?? "", 1)).toEqual(bytes(3));
    expect(await b.lists.part(page?.snapshot?.id ?? "", 2)).toBeNull();
  });

  test("a row follows the expected one, and no other", async () => {
    const memory = await open();
    const [a, b] = [await memory("a"), await memory("b")];
    const first = await begun(a);
    const second = row(2);
    expect(await b.lists.append("ACME", first, [second], { firstAt: 900 })).toBe(2);
    expect(await a.lists.append("ACME", first, [row(2)], { firstAt: 900 })).toBeNull();
    const another = { number: 2, token: crypto.randomUUID() };
    expect(await a.lists.append("ACME", another, [row(3)], { firstAt: 900 })).toBeNull();
    expect(await a.lists.since("ACME", first, null)).toMatchObject({
      ...{ newest: { number: 2, token: second.token }, observations: 8, machines: 2 },
      ...{ snapshot: null, rows: [{ ...second, machine: "b" }] },
    });
    expect(await a.lists.newest(["ACME", "NORTH"])).toEqual(
      new Map([["ACME", { number: 2, token: second.token, held: null }]]),
    );
  });

  test("each of several rows has its own bytes", async () => {
    const memory = await open();
    const [a, b] = [await memory("a"), await memory("b")];
    const first = await begun(a);
    const rows = [
      row(2, { moves: bytes(1, 2, 3), contents: bytes(4) }),
      row(3, { moves: null, contents: null, entries: 0, dates: bytes(5, 0, 6), forgetBefore: 7 }),
      row(4, { moves: bytes(7), contents: bytes() }),
    ];
    expect(await a.lists.append("ACME", first, rows, { firstAt: 900 })).toBe(1);
    const page = await b.lists.since("ACME", first, null);
    expect(page?.rows).toEqual(rows.map((of) => ({ ...of, machine: "a", person: "person of a" })));
  });

  test("a machine whose position the team does not know begins with the snapshot", async () => {
    const memory = await open();
    const a = await memory("a");
    const first = await begun(a);
    await a.lists.append("ACME", first, [row(2)], { firstAt: 900 });
    const lost = { number: 2, token: crypto.randomUUID() };
    const page = await a.lists.since("ACME", lost, null);
    expect(page?.snapshot?.number).toBe(1);
    expect(page?.rows.map(({ number }) => number)).toEqual([1, 2]);
  });

  test("changes before a row are read backwards, without their data", async () => {
    const memory = await open();
    const a = await memory("a");
    let last = await begun(a);
    for (const number of [2, 3, 4]) {
      const next = row(number);
      await a.lists.append("ACME", last, [next], { firstAt: 900 });
      last = next;
    }
    const rows = await a.lists.earlier("ACME", 4);
    expect(rows.map(({ number, contents }) => [number, contents])).toEqual([
      [3, null],
      [2, null],
      [1, null],
    ]);
    expect(await a.lists.earlier("ACME", 1)).toEqual([]);
  });

  test("a held-back list waits until it is confirmed, or another list is recorded", async () => {
    const memory = await open();
    const [a, b] = [await memory("a"), await memory("b")];
    const first = await begun(a);
    const held = row(2);
    expect(await a.lists.holdBack("ACME", row(1), held)).toBe(false);
    expect(await a.lists.holdBack("ACME", first, held)).toBe(true);
    const page = await b.lists.since("ACME", first, null);
    expect(page).toMatchObject({ rows: [], held: { token: held.token, row: { at: held.at } } });
    expect(await b.lists.since("ACME", first, held.token)).toMatchObject({
      held: { token: held.token, row: null },
    });
    expect(await b.lists.confirm("ACME", crypto.randomUUID())).toBe(false);
    expect(await b.lists.confirm("ACME", held.token)).toBe(true);
    expect(await a.lists.confirm("ACME", held.token)).toBe(false);
    const confirmed = await a.lists.since("ACME", first, held.token);
    expect(confirmed).toMatchObject({ rows: [{ number: 2, token: held.token, machine: "b" }] });
    expect(confirmed?.held).toBeNull();
    await a.lists.holdBack("ACME", held, row(3));
    await b.lists.append("ACME", held, [row(3)], { firstAt: 900 });
    expect((await a.lists.since("ACME", held, null))?.held).toBeNull();
  });

  test("a cohort is shared once, and the name with another list is refused", async () => {
    const memory = await open();
    const [a, b] = [await memory("a"), await memory("b")];
    const cohort = {
      ...{ name: "wave-3", supplier: "ACME", sha256: "aa", rows: 2, accounts: 2 },
      ...{ column: null, layout: "text", createdAt: 5 },
    };
    expect(await a.cohorts.add(cohort, bytes(1, 2))).toBe(true);
    expect(await b.cohorts.add(cohort, bytes(1, 2))).toBe(true);
    expect(await b.cohorts.add({ ...cohort, sha256: "bb" }, bytes(3))).toBe(false);
    const shared = { ...cohort, machine: "a", person: "person of a" };
    expect(await b.cohorts.list()).toEqual([shared]);
    expect(await b.cohorts.read("wave-3")).toEqual({ cohort: shared, bytes: bytes(1, 2) });
    expect(await b.cohorts.read("wave-4")).toBeNull();
  });
}
