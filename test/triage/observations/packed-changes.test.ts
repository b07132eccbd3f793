/** Promise: packed changes are read as they were, take few bytes, and damaged ones are damage. */
import fc from "fast-check";
import { Damage } from "../../../src/sqlite/file-error.ts";
import type { Contents, Moves } from "../../../src/triage/observations/comparison.ts";
import {
  contentsIn,
  movesIn,
  packedContents,
  packedMoves,
} from "../../../src/triage/observations/packed-changes.ts";
import { changesOfAnHour } from "./changes-of-an-hour.ts";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const time = fc.oneof(fc.integer({ min: -1e13, max: 1e14 }), fc.constant(Number.NaN));

test("changes and their data are read as they were packed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(3e9), fc.nat(36)), { maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(39), text, text), { maxLength: 5 }),
      fc.array(text, { maxLength: 20 }),
      fc.array(time, { maxLength: 20 }),
      async (changes, renumbered, texts, created) => {
        const moves: Moves = {
          rows: changes.map(([row]) => row),
          moves: changes.map(([, move]) => move),
          renumbered: new Map(renumbered.map(([at, from, to]) => [at, [from, to]])),
        };
        const contents: Contents = { numbers: texts, services: texts.toReversed(), created };
        expect(await movesIn(await packedMoves(moves))).toEqual(moves);
        expect(await contentsIn(await packedContents(contents))).toEqual(contents);
      },
    ),
  );
});

test("times that are whole seconds take fewer bytes, and are read exactly", async () => {
  const seconds = Array.from(
    { length: 500 },
    (_, n) => 1_760_000_000_000 + ((n * 7_919) % 3_600) * 1_000,
  );
  const of = (created: readonly number[]) =>
    packedContents({ numbers: [], services: [], created: [...created] });
  const [whole, split] = [await of(seconds), await of(seconds.map((at) => at + (at % 997)))];
  expect((await contentsIn(whole)).created).toEqual(seconds);
  expect(whole.length).toBeLessThan(split.length * 0.8);
});

test("the changes of an hour of a million accounts take 75 kB", async () => {
  const { moves, contents } = changesOfAnHour();
  const bytes = (await packedMoves(moves)).length + (await packedContents(contents)).length;
  expect(bytes).toBeLessThan(75_000);
});

test("cut, extended and foreign bytes are damage", async () => {
  const bytes = await packedContents({ numbers: ["A-1", "A-22"], services: [], created: [5] });
  const damaged = [
    bytes.subarray(0, -1),
    bytes.subarray(0, 2),
    new Uint8Array([...bytes, 0]),
    new Uint8Array(40),
    await packedMoves({ rows: [1], moves: [1], renumbered: new Map() }),
    null,
  ];
  for (const value of damaged) await expect(contentsIn(value)).rejects.toThrow(Damage);
});
